/** Delivered, waiting and given-up deliveries; sends them again. */
import { Badge, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import {
  Ago,
  CopyRequest,
  Empty,
  ListTable,
  RowButton,
  SearchField,
  useConsole,
  useList,
  useTexts,
  useUrlState,
  useWrite,
  type Column,
} from 'plugboard/console';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';

const STATES = ['waiting', 'held', 'delivered', 'dead'] as const;
const COLOURS = { waiting: 'indigo', held: 'yellow', delivered: 'green', dead: 'red' } as const;

interface Delivery {
  readonly id: string;
  readonly endpoint: string;
  readonly change: string;
  readonly type: string;
  readonly subject: string;
  readonly state: (typeof STATES)[number];
  readonly attempts: number;
  readonly created_at: string;
  readonly due_at: string | null;
  readonly last: {
    readonly at: string;
    readonly status: number | null;
    readonly error: string | null;
  } | null;
}

export function Deliveries(): ReactNode {
  const t = useTexts(texts);
  const { page, person } = useConsole();
  const path = `${page.prefix}/deliveries`;
  const [{ state, endpoint }, setState] = useUrlState({ state: '', endpoint: '', at: '' });
  const query = { state, endpoint };
  const list = useList<{ deliveries: Delivery[] }, Delivery>({
    path,
    query,
    paging: 'all',
    rows: ({ deliveries }) => deliveries,
  });
  const again = useWrite({ changes: [path], done: () => t.sentAgain });
  const columns: Column<Delivery>[] = [
    {
      key: 'type',
      title: t.change,
      cell: ({ type, subject }) => (
        <>
          <Text size="sm" fw={500}>
            {type}
          </Text>
          <Text size="xs" c="dimmed" lineClamp={1} maw={260}>
            {subject}
          </Text>
        </>
      ),
    },
    {
      key: 'state',
      title: t.state,
      cell: ({ state: one, last }) => (
        <Stack gap={2}>
          <Badge color={COLOURS[one]}>{t[one]}</Badge>
          {last !== null && one !== 'delivered' && (
            <Text size="xs" lineClamp={2} maw={280}>
              {[last.status, last.error].filter((part) => part !== null).join(' · ')}
            </Text>
          )}
        </Stack>
      ),
    },
    { key: 'attempts', title: t.attempts, align: 'right', cell: ({ attempts }) => attempts },
    { key: 'created', title: t.changed, cell: ({ created_at: at }) => <Ago at={at} /> },
    {
      key: 'last',
      title: t.lastTry,
      cell: ({ last }) => (last === null ? undefined : <Ago at={last.at} />),
    },
    {
      key: 'due',
      title: t.nextTry,
      cell: ({ due_at: at }) => (at === null ? undefined : <Ago at={at} />),
    },
  ];
  return (
    <>
      <Group justify="space-between">
        <SegmentedControl
          aria-label={t.state}
          value={state}
          onChange={(next) => setState({ state: next, at: '' })}
          data={[{ value: '', label: t.all }, ...STATES.map((value) => ({ value, label: t[value] }))]}
        />
        {endpoint !== '' && (
          <SearchField
            value={endpoint}
            label={t.endpointId}
            onSearch={(text) => setState({ endpoint: text, at: '' })}
          />
        )}
        <CopyRequest request={{ path, query }} />
      </Group>
      <ListTable
        name={t.deliveries}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        filtered={state !== '' || endpoint !== ''}
        empty={<Empty title={t.noDeliveries}>{t.noDeliveriesHint}</Empty>}
        actions={({ id, state: one, type }) =>
          person.access !== 'viewer' &&
          (one === 'delivered' || one === 'dead') && (
            <RowButton
              label={t.sendAgainOne(type)}
              onClick={() => again.mutate({ method: 'POST', path: `${path}/${id}/redeliver` })}
            >
              {t.sendAgain}
            </RowButton>
          )
        }
      />
    </>
  );
}
