/** What a question would recall, with the parts of each score, and why the rest stays where it is. */
import {
  Autocomplete,
  Badge,
  Button,
  Group,
  NumberInput,
  Paper,
  Select,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { CopyRequest, Empty, Failed, Loading, useRead, useTexts, useUrlState } from 'plugboard/console';
import { useEffect, useState, type FormEvent, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { TYPES, type Entry, type Question, type Retrieved } from './entry.js';
import classes from './preview.module.css';
import { whyNot, WIDEST, type Reason } from './why-not.js';

const PATH = '/api/memory/retrieve-preview';
const ASKED = { ask: '', tenant: '', by: 'hybrid', tokens: '2000', most: '20', kind: '' };

export function Preview(): ReactNode {
  const t = useTexts(texts);
  const [asked, setAsked] = useUrlState(ASKED);
  const [typed, setTyped] = useState(asked.ask);
  useEffect(() => setTyped(asked.ask), [asked.ask]);
  const entries = useRead<{ data: Entry[] }>({ path: '/api/memory', query: { limit: 50 } }).data?.data ?? [];
  const tenants = [...new Set(entries.flatMap(({ apiKeyId }) => apiKeyId ?? []))];
  const question: Question = {
    query: asked.ask,
    strategy: asked.by,
    maxTokens: Number(asked.tokens),
    limit: Number(asked.most),
    ...(asked.tenant !== '' && { apiKeyId: asked.tenant }),
    ...(asked.kind !== '' && { type: asked.kind }),
  };
  const request = { method: 'POST', path: PATH, body: question } as const;
  const isAsked = asked.ask !== '';
  const found = useRead<Retrieved>(isAsked ? request : undefined);
  const all = useRead<Retrieved>(isAsked ? { ...request, body: { ...question, ...WIDEST } } : undefined);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setAsked({ ask: typed.trim() });
  };
  return (
    <Stack>
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <TextInput
            label={t.query}
            placeholder={t.queryHint}
            value={typed}
            maxLength={10_000}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            flex="2 1 260px"
          />
          <Autocomplete
            label={t.owner}
            data={tenants}
            value={asked.tenant}
            onChange={(tenant) => setAsked({ tenant })}
            flex="1 1 180px"
          />
          <Button type="submit" disabled={typed.trim() === ''}>
            {t.find}
          </Button>
        </Group>
        <Group align="flex-end" gap="sm" mt="sm">
          <Select
            label={t.strategy}
            data={['hybrid', 'semantic', 'exact']}
            value={asked.by}
            onChange={(by) => setAsked({ by: by ?? 'hybrid' })}
            allowDeselect={false}
            w={130}
          />
          <Select
            label={t.type}
            data={[{ value: '', label: t.allTypes }, ...TYPES]}
            value={asked.kind}
            onChange={(kind) => setAsked({ kind: kind ?? '' })}
            allowDeselect={false}
            w={150}
          />
          <NumberInput
            label={t.maxTokens}
            value={Number(asked.tokens)}
            min={1}
            max={WIDEST.maxTokens}
            clampBehavior="strict"
            onChange={(value) => Number(value) > 0 && setAsked({ tokens: String(value) })}
            w={120}
          />
          <NumberInput
            label={t.limit}
            value={Number(asked.most)}
            min={1}
            max={WIDEST.limit}
            clampBehavior="strict"
            onChange={(value) => Number(value) > 0 && setAsked({ most: String(value) })}
            w={130}
          />
          {isAsked && <CopyRequest request={request} />}
        </Group>
      </form>
      {found.error !== null ? (
        <Failed error={found.error} retry={found.refetch} />
      ) : found.data === undefined ? (
        isAsked && <Loading />
      ) : (
        <>
          <Answer answer={found.data} />
          {all.data !== undefined && (
            <Others
              entries={entries.filter(({ id }) => found.data.memories.every((one) => one.id !== id))}
              reason={(entry) => whyNot(entry, question, all.data)}
              limit={question.limit}
            />
          )}
        </>
      )}
    </Stack>
  );
}

function Answer({ answer }: { answer: Retrieved }): ReactNode {
  const t = useTexts(texts);
  const { memories, resolution, totalTokensUsed, budgetMaxTokens } = answer;
  if (memories.length === 0) return <Empty title={t.foundNone}>{t.foundNoneHint}</Empty>;
  const { strategyUsed, embeddingModel, rerankApplied, fallbackReason } = resolution;
  const best = Math.max(...memories.map(({ score }) => score));
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Title order={2}>{t.found}</Title>
        <Badge color="indigo">{t.resolution(strategyUsed, embeddingModel ?? t.noModel)}</Badge>
        <Badge color="gray">{t.budget(totalTokensUsed, budgetMaxTokens)}</Badge>
        {rerankApplied && <Badge color="green">{t.reranked}</Badge>}
        {fallbackReason !== null && <Badge color="yellow">{t.fallback(fallbackReason)}</Badge>}
      </Group>
      <Paper withBorder className={classes['frame']!} tabIndex={0} role="region" aria-label={t.found}>
        <Table aria-label={t.found} verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t.rank}</Table.Th>
              <Table.Th scope="col">{t.content}</Table.Th>
              {[t.score, t.words, t.meaning, t.tokens].map((title) => (
                <Table.Th key={title} scope="col" ta="right">
                  {title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {memories.map(({ id, key, content, type, score, ftsScore, vecScore, tokens }, at) => (
              <Table.Tr key={id}>
                <Table.Td className={classes['figure']!}>{at + 1}</Table.Td>
                <Table.Td miw={220}>
                  <Text size="sm" className={classes['text']!}>
                    {content}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {key} · {type}
                  </Text>
                </Table.Td>
                <Table.Td ta="right" className={classes['figure']!}>
                  {score.toFixed(4)}
                  <div
                    className={classes['bar']}
                    style={{ width: `${Math.max(4, (score / best) * 100)}%` }}
                  />
                </Table.Td>
                {[ftsScore, vecScore].map((part, each) => (
                  <Table.Td
                    key={each}
                    ta="right"
                    className={classes['figure']!}
                    title={part === null ? t.noScore : undefined}
                  >
                    {part === null ? '–' : part.toFixed(3)}
                  </Table.Td>
                ))}
                <Table.Td ta="right" className={classes['figure']!}>
                  {tokens}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
    </Stack>
  );
}

interface OthersProps {
  readonly entries: readonly Entry[];
  reason(entry: Entry): Reason;
  readonly limit: number;
}

function Others({ entries, reason, limit }: OthersProps): ReactNode {
  const t = useTexts(texts);
  if (entries.length === 0) return null;
  const said = (because: Reason): string => {
    switch (because.rule) {
      case 'limit':
        return t.becauseLimit(because.rank, limit);
      case 'tokens':
        return t.becauseTokens(because.rank);
      case 'beyond':
        return t.becauseBeyond(because.rank);
      case 'scope':
        return t.becauseScope;
      case 'flight':
        return t.becauseFlight;
      default:
        return t.becauseUnlike;
    }
  };
  return (
    <Stack gap="xs">
      <Title order={2}>{t.notFound}</Title>
      <Paper withBorder className={classes['frame']!} tabIndex={0} role="region" aria-label={t.notFound}>
        <Table aria-label={t.notFound}>
          <Table.Tbody>
            {entries.map((entry) => (
              <Table.Tr key={entry.id}>
                <Table.Td miw={200}>
                  <Text size="sm" lineClamp={2}>
                    {entry.content}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {entry.key} · {entry.type}
                  </Text>
                </Table.Td>
                <Table.Td miw={180}>
                  <Text size="sm">{said(reason(entry))}</Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
    </Stack>
  );
}
