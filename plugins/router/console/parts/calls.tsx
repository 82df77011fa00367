/** Calls one by one, those that ended last first. */
import { Badge, Group, Text } from '@mantine/core';
import {
  Ago,
  CopyRequest,
  Empty,
  ListTable,
  RequestToCopy,
  SearchField,
  useList,
  useTexts,
  useUrlState,
  type Column,
} from 'plugboard/console';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import type { Call } from './call.js';
import { CallDrawer } from './call-drawer.js';
import { dollars, milliseconds } from './figures.js';
import { useKeyNames } from './key-names.js';

const PATH = '/api/usage/calls';

export function Calls(): ReactNode {
  const t = useTexts(texts);
  const names = useKeyNames();
  const [opened, setOpened] = useState<Call>();
  const [filters, setState] = useUrlState({ model: '', key: '', day: '', upstream: '', at: '' });
  const { model, key, day, upstream } = filters;
  const query = { model, key, day, upstream };
  const list = useList<{ data: Call[]; next: string | null }, Call>({
    path: PATH,
    query,
    paging: 'cursor',
    rows: ({ data }) => data,
    next: ({ next }) => next,
  });
  const columns: Column<Call>[] = [
    { key: 'at', title: t.when, cell: ({ at }) => <Ago at={at} /> },
    {
      key: 'model',
      title: t.model,
      cell: (call) => (
        <>
          <Text size="sm">{call.model}</Text>
          <Text size="xs" c="dimmed">
            {[call.cached ? t.fromCache : call.upstream, call.servedModel]
              .filter((part) => part !== null)
              .join(' · ')}
          </Text>
        </>
      ),
    },
    {
      key: 'key',
      title: t.key,
      cell: (call) => (
        <Text size="sm" lineClamp={1} maw={180}>
          {call.key}
        </Text>
      ),
    },
    {
      key: 'status',
      title: t.status,
      cell: ({ status, errorCode, attempts }) => (
        <>
          <Badge color={status < 400 ? 'green' : 'red'}>{status}</Badge>
          <Text size="xs" c="dimmed">
            {[errorCode, attempts > 1 ? t.attempts(attempts) : null]
              .filter((part) => part !== null)
              .join(' · ')}
          </Text>
        </>
      ),
    },
    { key: 'latency', title: t.latency, align: 'right', cell: ({ latency }) => milliseconds(latency) },
    {
      key: 'tokens',
      title: t.tokens,
      align: 'right',
      cell: ({ tokensIn, tokensOut, estimatedIn, estimatedOut }) =>
        `${tokensIn ?? estimatedIn ?? '–'} / ${tokensOut ?? estimatedOut ?? '–'}`,
    },
    {
      key: 'cost',
      title: t.cost,
      align: 'right',
      cell: ({ cost }) => (cost === null ? undefined : dollars(cost)),
    },
  ];
  const request = { path: PATH, query };
  return (
    <>
      <Group>
        <SearchField
          value={model}
          label={t.filterModel}
          onSearch={(text) => setState({ model: text, at: '' })}
        />
        <SearchField value={key} label={t.filterKey} onSearch={(text) => setState({ key: text, at: '' })} />
        {day !== '' && (
          <SearchField value={day} label={t.day} onSearch={(text) => setState({ day: text, at: '' })} />
        )}
        {upstream !== '' && (
          <SearchField
            value={upstream}
            label={t.upstream}
            onSearch={(text) => setState({ upstream: text, at: '' })}
          />
        )}
        <CopyRequest request={request} />
      </Group>
      <ListTable
        name={t.calls}
        list={list}
        columns={columns}
        onOpen={(call) => setOpened(call)}
        rowKey={({ at, key: who, latency }) => `${at} ${who} ${latency}`}
        filtered={Object.values(query).some((text) => text !== '')}
        empty={
          <Empty title={t.noCalls} action={<RequestToCopy request={request} />}>
            {t.noUsageHint}
          </Empty>
        }
      />
      <CallDrawer
        call={opened}
        keyName={opened && names.get(opened.key)}
        onClose={() => setOpened(undefined)}
      />
    </>
  );
}
