/** Conversations that were read for facts, with what was refused and why. */
import { Badge, Text } from '@mantine/core';
import { Ago, Empty, ListTable, useList, useTexts, type Column } from 'plugboard/console';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';

interface Extraction {
  readonly id: string;
  readonly apiKeyId: string;
  readonly userId: string | null;
  readonly createdAt: string;
  readonly state: string;
  readonly stored: readonly string[];
  readonly refused: readonly { readonly fact: string; readonly reason: string }[];
  readonly refusedCount: number;
  readonly error: string | null;
}

/** Refusals shown per table row. */
const SHOWN = 3;
const COLOURS: Readonly<Record<string, string>> = { done: 'green', failed: 'red' };

export function Extractions(): ReactNode {
  const t = useTexts(texts);
  const list = useList<{ data: Extraction[] }, Extraction>({
    path: '/api/memory/extractions',
    paging: 'all',
    rows: ({ data }) => data,
  });
  const columns: Column<Extraction>[] = [
    { key: 'at', title: t.conversation, cell: ({ createdAt }) => <Ago at={createdAt} /> },
    { key: 'owner', title: t.owner, cell: ({ apiKeyId, userId }) => userId ?? apiKeyId },
    {
      key: 'state',
      title: t.state,
      cell: ({ state, error }) => (
        <>
          <Badge color={COLOURS[state] ?? 'gray'}>{t.states[state]}</Badge>
          {error !== null && <Text size="xs">{error}</Text>}
        </>
      ),
    },
    { key: 'made', title: t.made, cell: ({ stored }) => stored.length },
    { key: 'refused', title: t.refused, cell: (one) => <Refused {...one} /> },
  ];
  return (
    <ListTable
      name={t.extractions}
      list={list}
      columns={columns}
      rowKey={({ id }) => id}
      filtered={false}
      empty={<Empty title={t.noExtractions}>{t.noExtractionsHint}</Empty>}
    />
  );
}

function Refused({ refused, refusedCount }: Extraction): ReactNode {
  const t = useTexts(texts);
  const shown = refused.slice(0, SHOWN);
  return (
    <>
      {shown.map(({ fact, reason }, at) => (
        <div key={at}>
          <Text size="sm" lineClamp={2} miw={220}>
            {fact}
          </Text>
          <Text size="xs" c="dimmed">
            {reason}
          </Text>
        </div>
      ))}
      {refusedCount > shown.length && <Text size="xs">{t.more(refusedCount - shown.length)}</Text>}
    </>
  );
}
