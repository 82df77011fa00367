/** Jobs of all plugins, by their state, with progress and the last error. */
import { Badge, Progress, SegmentedControl, Stack, Text } from '@mantine/core';
import {
  Ago,
  Confirm,
  CopyRequest,
  Empty,
  ListTable,
  Page,
  reactPage,
  RequestToCopy,
  RowButton,
  useConsole,
  useList,
  useTexts,
  useUrlState,
  type Column,
} from 'plugboard/console';
import { useEffect, useState, type ReactNode } from 'react';
import { texts } from './texts/index.js';

export const mount = reactPage(JobsPage);

const PATH = '/-/jobs';
const STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
const COLOURS = {
  waiting: 'gray',
  running: 'indigo',
  done: 'green',
  failed: 'red',
  cancelled: 'gray',
} as const;
/** Milliseconds between two reads. */
const EVERY = 3000;

interface Job {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly key: string;
  readonly state: (typeof STATES)[number];
  readonly attempt: number;
  readonly done: number;
  readonly total: number | null;
  readonly error: string | null;
  readonly at: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

function JobsPage(): ReactNode {
  const t = useTexts(texts);
  const { person } = useConsole();
  const [{ state }, setState] = useUrlState({ state: '', at: '' });
  const [cancelling, setCancelling] = useState<Job>();
  const list = useList<{ jobs: Job[] }, Job>({
    path: PATH,
    query: { state },
    paging: 'all',
    rows: ({ jobs }) => jobs,
  });
  useEffect(() => {
    const timer = setInterval(() => list.reload(), EVERY);
    return () => clearInterval(timer);
  });
  const columns: Column<Job>[] = [
    {
      key: 'name',
      title: t.name,
      cell: ({ owner, name, key }) => (
        <>
          <Text size="sm" fw={500}>
            {owner}: {name}
          </Text>
          <Text size="xs" c="dimmed" lineClamp={1} maw={260}>
            {key}
          </Text>
        </>
      ),
    },
    {
      key: 'state',
      title: t.state,
      cell: ({ state: one, error }) => (
        <Stack gap={2}>
          <Badge color={COLOURS[one]}>{t[one]}</Badge>
          {error !== null && (
            <Text size="xs" c="red" maw={280} lineClamp={3}>
              {error}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      key: 'progress',
      title: t.progress,
      cell: (job) => (job.total === null && job.done === 0 ? undefined : <Done job={job} />),
    },
    { key: 'attempt', title: t.attempt, align: 'right', cell: ({ attempt }) => attempt },
    {
      key: 'due',
      title: t.due,
      cell: ({ at, state: one }) => (at !== null && one === 'waiting' ? <Ago at={at} /> : undefined),
    },
    {
      key: 'begun',
      title: t.begun,
      cell: ({ startedAt }) => (startedAt === null ? undefined : <Ago at={startedAt} />),
    },
    {
      key: 'ended',
      title: t.ended,
      cell: ({ endedAt }) => (endedAt === null ? undefined : <Ago at={endedAt} />),
    },
  ];
  return (
    <Page
      title={t.jobs}
      summary={t.jobsSummary}
      actions={<CopyRequest request={{ path: PATH, query: { state } }} />}
    >
      <SegmentedControl
        aria-label={t.state}
        value={state}
        onChange={(next) => setState({ state: next, at: '' })}
        data={[{ value: '', label: t.all }, ...STATES.map((value) => ({ value, label: t[value] }))]}
      />
      <ListTable
        name={t.jobs}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        filtered={state !== ''}
        empty={
          <Empty title={t.none} action={<RequestToCopy request={{ path: PATH }} />}>
            {t.noneHint}
          </Empty>
        }
        actions={(job) =>
          (job.state === 'waiting' || job.state === 'running') &&
          person.access !== 'viewer' && (
            <RowButton label={t.cancelJob(job.name)} onClick={() => setCancelling(job)}>
              {t.cancel}
            </RowButton>
          )
        }
      />
      <Confirm
        title={t.cancelQuestion(cancelling?.name ?? '')}
        action={t.cancelJob(cancelling?.name ?? '')}
        request={cancelling && { method: 'POST', path: `${PATH}/${cancelling.id}/cancel` }}
        changes={[PATH]}
        done={() => t.jobCancelled}
        onClose={() => setCancelling(undefined)}
      >
        {t.cancelHint}
      </Confirm>
    </Page>
  );
}

function Done({ job: { name, done, total, state } }: { job: Job }): ReactNode {
  const t = useTexts(texts);
  if (total === null) return done.toLocaleString();
  return (
    <Stack gap={2} miw={120}>
      <Progress value={total === 0 ? 100 : (done / total) * 100} aria-label={`${name} ${t[state]}`} />
      <Text size="xs" c="dimmed">
        {t.of(done, total)}
      </Text>
    </Stack>
  );
}
