/** The upstreams, how each stands now, and what of it is in trouble. */
import { Badge, Stack, Text } from '@mantine/core';
import { Ago, Empty, ListTable, RequestToCopy, useList, useTexts, type Column } from 'plugboard/console';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { milliseconds } from './figures.js';

const PATH = '/api/upstreams';

interface Upstream {
  readonly name: string;
  readonly baseUrl: string;
  readonly circuit: 'closed' | 'open' | 'half-open';
  readonly retryAt: string | null;
  readonly keys: readonly {
    readonly restsUntil: string | null;
    readonly models: readonly {
      readonly model: string;
      readonly circuit: string;
      readonly lastFailure: string | null;
      readonly retryAt: string | null;
    }[];
  }[];
  readonly inFlight: number;
  readonly calls: number;
  readonly failures: number;
  readonly latency: number | null;
  readonly firstToken: number | null;
}

export function Upstreams(): ReactNode {
  const t = useTexts(texts);
  const list = useList<{ upstreams: Upstream[] }, Upstream>({
    path: PATH,
    paging: 'all',
    rows: ({ upstreams }) => upstreams,
  });
  const columns: Column<Upstream>[] = [
    {
      key: 'name',
      title: t.name,
      cell: ({ name, baseUrl }) => (
        <>
          <Text size="sm" fw={500}>
            {name}
          </Text>
          <Text size="xs" c="dimmed" lineClamp={1} maw={260}>
            {baseUrl}
          </Text>
        </>
      ),
    },
    { key: 'health', title: t.health, cell: (upstream) => <Health upstream={upstream} /> },
    { key: 'calls', title: t.callsMade, align: 'right', cell: ({ calls }) => calls.toLocaleString() },
    { key: 'failures', title: t.failures, align: 'right', cell: ({ failures }) => failures.toLocaleString() },
    { key: 'inFlight', title: t.inFlight, align: 'right', cell: ({ inFlight }) => inFlight },
    {
      key: 'firstToken',
      title: t.firstToken,
      align: 'right',
      cell: ({ firstToken }) => milliseconds(firstToken),
    },
    { key: 'latency', title: t.latency, align: 'right', cell: ({ latency }) => milliseconds(latency) },
  ];
  return (
    <ListTable
      name={t.upstreams}
      list={list}
      columns={columns}
      rowKey={({ name }) => name}
      empty={
        <Empty title={t.noUpstreams} action={<RequestToCopy request={{ path: PATH }} />}>
          {t.noUpstreamsHint}
        </Empty>
      }
    />
  );
}

function Health({ upstream: { circuit, retryAt, keys } }: { upstream: Upstream }): ReactNode {
  const t = useTexts(texts);
  const resting = keys.filter(({ restsUntil }) => restsUntil !== null).length;
  const troubled = keys
    .flatMap(({ models }) => models)
    .filter((one) => one.circuit !== 'closed' || one.retryAt !== null);
  const [colour, word] =
    circuit === 'closed'
      ? ['green', t.healthy]
      : circuit === 'open'
        ? ['red', t.down]
        : ['yellow', t.halfOpen];
  return (
    <Stack gap={4}>
      <Badge color={colour}>{word}</Badge>
      {retryAt !== null && (
        <Text size="xs" c="dimmed" component="div">
          {t.retryAt} <Ago at={retryAt} />
        </Text>
      )}
      {resting > 0 && <Badge color="yellow">{t.keysRest(resting)}</Badge>}
      {troubled.slice(0, 5).map(({ model, lastFailure }) => (
        <Text key={model} size="xs" c="dimmed">
          {model}: {lastFailure}
        </Text>
      ))}
    </Stack>
  );
}
