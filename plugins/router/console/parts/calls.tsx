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
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { milliseconds } from './figures.js';

const PATH = '/api/usage/calls';

interface Call {
  readonly at: string;
  readonly key: string;
  readonly purpose: string;
  readonly model: string;
  readonly upstream: string | null;
  readonly servedModel: string | null;
  readonly status: number;
  readonly errorCode: string | null;
  readonly attempts: number;
  readonly latency: number;
  readonly firstToken: number | null;
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  readonly estimatedIn: number | null;
  readonly estimatedOut: number | null;
}

export function Calls(): ReactNode {
  const t = useTexts(texts);
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
            {[call.upstream, call.servedModel].filter((part) => part !== null).join(' · ')}
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
    { key: 'purpose', title: t.purpose, cell: ({ purpose }) => purpose },
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
    {
      key: 'firstToken',
      title: t.firstToken,
      align: 'right',
      cell: ({ firstToken }) => milliseconds(firstToken),
    },
    { key: 'latency', title: t.latency, align: 'right', cell: ({ latency }) => milliseconds(latency) },
    {
      key: 'tokens',
      title: t.tokens,
      align: 'right',
      cell: ({ tokensIn, tokensOut, estimatedIn, estimatedOut }) =>
        `${tokensIn ?? estimatedIn ?? '–'} / ${tokensOut ?? estimatedOut ?? '–'}`,
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
        rowKey={({ at, key: who, latency }) => `${at} ${who} ${latency}`}
        filtered={Object.values(query).some((text) => text !== '')}
        empty={
          <Empty title={t.noCalls} action={<RequestToCopy request={request} />}>
            {t.noUsageHint}
          </Empty>
        }
      />
    </>
  );
}
