/** Who did what to the server, newest first. */
import { Badge, Code, Drawer, Group, Text } from '@mantine/core';
import {
  Ago,
  CopyBlock,
  CopyRequest,
  Empty,
  ListTable,
  Page,
  reactPage,
  SearchField,
  useList,
  useTexts,
  useUrlState,
  type Column,
} from 'plugboard/console';
import { useState, type ReactNode } from 'react';
import { texts } from './texts/index.js';

export const mount = reactPage(AuditPage);

interface AuditRecord {
  readonly chain: string;
  readonly seq: number;
  readonly at: string;
  readonly action: string;
  readonly outcome: string;
  readonly actor: string;
  readonly name?: string;
  readonly address?: string;
  readonly target?: string;
  readonly reason?: string;
  readonly startedAt?: string;
}

const AUDIT = '/-/audit';
const COLOURS: Readonly<Record<string, string>> = {
  done: 'green',
  refused: 'red',
  failed: 'red',
  started: 'yellow',
};

function AuditPage(): ReactNode {
  const t = useTexts(texts);
  const [{ action, actor }, filter] = useUrlState({ action: '', actor: '', at: '' });
  const [opened, setOpened] = useState<AuditRecord>();
  const query = { action, actor, operations: true };
  const list = useList<{ records: AuditRecord[]; next: string | null }, AuditRecord>({
    path: AUDIT,
    query,
    paging: 'cursor',
    rows: ({ records }) => records,
    next: ({ next }) => next,
  });
  const columns: Column<AuditRecord>[] = [
    { key: 'at', title: t.when, cell: ({ at, startedAt = at }) => <Ago at={startedAt} />, width: 140 },
    {
      key: 'actor',
      title: t.who,
      cell: ({ actor: who, name, address }) => (
        <>
          <Text size="sm" fw={500} lineClamp={1} maw={200}>
            {name ?? who}
          </Text>
          <Text size="xs" c="dimmed">
            {address}
          </Text>
        </>
      ),
    },
    { key: 'action', title: t.what, cell: ({ action: what }) => <Code>{what}</Code> },
    {
      key: 'target',
      title: t.target,
      cell: ({ target }) =>
        target === undefined ? undefined : (
          <Text size="sm" lineClamp={1} maw={280} title={target}>
            {target}
          </Text>
        ),
    },
    {
      key: 'outcome',
      title: t.outcome,
      cell: ({ outcome, reason }) => (
        <Badge color={COLOURS[outcome] ?? 'gray'}>
          {outcome === 'started' ? t.notEnded : reason === undefined ? outcome : `${outcome}: ${reason}`}
        </Badge>
      ),
    },
    {
      key: 'took',
      title: t.took,
      cell: ({ at, startedAt }) =>
        startedAt === undefined ? undefined : timeOf(Date.parse(at) - Date.parse(startedAt)),
      align: 'right',
    },
  ];
  return (
    <Page title={t.audit} summary={t.auditSummary} actions={<CopyRequest request={{ path: AUDIT, query }} />}>
      <Group>
        <SearchField
          value={action}
          label={t.searchAction}
          onSearch={(text) => filter({ action: text, at: '' })}
        />
        <SearchField value={actor} label={t.byActor} onSearch={(text) => filter({ actor: text, at: '' })} />
      </Group>
      <ListTable
        name={t.audit}
        list={list}
        columns={columns}
        rowKey={({ chain, seq }) => `${chain}/${seq}`}
        filtered={action !== '' || actor !== ''}
        onOpen={(record) => setOpened(record)}
        empty={<Empty title={t.noRecords} />}
      />
      <Drawer
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        title={opened?.action}
        closeButtonProps={{ 'aria-label': t.cancel }}
      >
        {opened !== undefined && <CopyBlock text={JSON.stringify(opened, null, 2)} label={t.record} />}
      </Drawer>
    </Page>
  );
}

function timeOf(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
