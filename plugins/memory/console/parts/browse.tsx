/** All memories that the person may see, newest first, or those that match the search. */
import { Badge, Button, Group, Select, Text } from '@mantine/core';
import {
  Ago,
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
import { TYPES, type Entry } from './entry.js';

const PATH = '/api/memory';
const EXAMPLE = {
  method: 'POST',
  path: PATH,
  body: { key: 'tea', content: 'She drinks her tea without sugar.' },
} as const;

export function Browse({ onOpen, onNew }: { onOpen(entry: Entry): void; onNew(): void }): ReactNode {
  const t = useTexts(texts);
  const [{ q, type }, setState] = useUrlState({ q: '', type: '', at: '' });
  const list = useList<{ data: Entry[]; total: number }, Entry>({
    path: PATH,
    query: { q, type },
    paging: 'offset',
    rows: ({ data }) => data,
    total: ({ total }) => total,
  });
  const columns: Column<Entry>[] = [
    {
      key: 'content',
      title: t.content,
      cell: ({ content, key, needsReindex }) => (
        <>
          <Text size="sm" lineClamp={2} miw={220}>
            {content}
          </Text>
          <Text size="xs" c="dimmed" component="div">
            {key} {needsReindex === 1 && <Badge color="yellow">{t.notIndexed}</Badge>}
          </Text>
        </>
      ),
    },
    { key: 'type', title: t.type, cell: ({ type: one }) => <Badge color="gray">{one}</Badge> },
    {
      key: 'owner',
      title: t.owner,
      cell: ({ apiKeyId }) =>
        apiKeyId && (
          <Text size="sm" lineClamp={1} maw={160}>
            {apiKeyId}
          </Text>
        ),
    },
    {
      key: 'session',
      title: t.session,
      cell: ({ sessionId }) =>
        sessionId && (
          <Text size="sm" lineClamp={1} maw={160}>
            {sessionId}
          </Text>
        ),
    },
    { key: 'changed', title: t.changed, cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
  ];
  return (
    <>
      <Group>
        <SearchField value={q} label={t.search} onSearch={(text) => setState({ q: text, at: '' })} />
        <Select
          aria-label={t.type}
          data={[{ value: '', label: t.allTypes }, ...TYPES]}
          value={type}
          onChange={(next) => setState({ type: next ?? '', at: '' })}
          allowDeselect={false}
          w={160}
        />
      </Group>
      <ListTable
        name={t.memory}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        filtered={q !== '' || type !== ''}
        onOpen={onOpen}
        empty={
          <Empty
            title={t.none}
            action={
              <>
                <Button onClick={onNew}>{t.remember}</Button>
                <RequestToCopy request={EXAMPLE} />
              </>
            }
          >
            {t.noneHint}
          </Empty>
        }
      />
    </>
  );
}
