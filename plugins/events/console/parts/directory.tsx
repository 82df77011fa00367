/** The directory: accounts, repositories, follows, watches and memberships. */
import { Group, SegmentedControl, Text } from '@mantine/core';
import {
  CopyRequest,
  Empty,
  ListTable,
  useConsole,
  useList,
  useTexts,
  useUrlState,
  type Column,
} from 'plugboard/console';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';

type Item = Readonly<Record<string, unknown>>;
const PARTS = ['accounts', 'repositories', 'ties'] as const;
/** The server's page size. */
const SIZE = 100;

export function Directory(): ReactNode {
  const t = useTexts(texts);
  const { page } = useConsole();
  const [{ part }, setState] = useUrlState({ part: 'accounts', at: '' });
  const path = `${page.prefix}/api/events/directory/${part}`;
  const list = useList<{ items: Item[]; next: string | null }, Item>({
    path,
    paging: 'cursor',
    size: SIZE,
    sized: false,
    rows: ({ items }) => items,
    next: ({ next }) => next,
  });
  const names = [...new Set((list.rows ?? []).flatMap((item) => Object.keys(item)))];
  const columns: Column<Item>[] = (names.length === 0 ? [t.name] : names).map((name) => ({
    key: name,
    title: name,
    cell: (item) => <Value value={item[name]} />,
  }));
  return (
    <>
      <Group justify="space-between">
        <SegmentedControl
          aria-label={t.part}
          value={part}
          onChange={(next) => setState({ part: next, at: '' })}
          data={PARTS.map((value) => ({ value, label: t.parts[value] }))}
        />
        <CopyRequest request={{ path }} />
      </Group>
      <ListTable
        name={t.directory}
        list={list}
        columns={columns}
        rowKey={(item) => JSON.stringify(item)}
        empty={<Empty title={t.noDirectory}>{t.noDirectoryHint}</Empty>}
      />
    </>
  );
}

function Value({ value }: { value: unknown }): ReactNode {
  if (value === null || value === undefined) return null;
  return (
    <Text size="sm" lineClamp={2} maw={280}>
      {typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean)}
    </Text>
  );
}
