/** What a question would recall, with the parts of each score, and why other entries are not recalled. */
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
import {
  CopyRequest,
  Empty,
  Failed,
  Loading,
  NoMatch,
  SearchField,
  useRead,
  useTexts,
  useUrlState,
} from 'plugboard/console';
import { useEffect, useState, type FormEvent, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { TYPES, type Entry, type Explained, type Question, type Retrieved } from './entry.js';
import classes from './preview.module.css';

const PATH = '/api/memory/retrieve-preview';
/** The server's maximum. */
const WIDEST = { limit: 100, maxTokens: 16_000 } as const;
const ASKED = { ask: '', tenant: '', by: 'hybrid', tokens: '2000', most: '20', kind: '', user: '', why: '' };

export function Preview(): ReactNode {
  const t = useTexts(texts);
  const [asked, setAsked] = useUrlState(ASKED);
  const [typed, setTyped] = useState(asked.ask);
  useEffect(() => setTyped(asked.ask), [asked.ask]);
  // Entries for which the server explains why they are not recalled: the newest, or the search results.
  const listed = useRead<{ data: Entry[] }>({ path: '/api/memory', query: { limit: 50, q: asked.why } }).data;
  const entries = listed?.data ?? [];
  const tenants = [...new Set(entries.flatMap(({ apiKeyId }) => apiKeyId ?? []))];
  const users = [...new Set(entries.flatMap(({ userId }) => userId ?? []))];
  const question: Question = {
    query: asked.ask,
    strategy: asked.by,
    maxTokens: Number(asked.tokens),
    limit: Number(asked.most),
    ...(asked.tenant !== '' && { apiKeyId: asked.tenant }),
    ...(asked.user !== '' && { userId: asked.user }),
    ...(asked.kind !== '' && { type: asked.kind }),
  };
  const request = { method: 'POST', path: PATH, body: question } as const;
  const isAsked = asked.ask !== '';
  const explain = entries.map(({ id }) => id);
  const found = useRead<Retrieved>(
    isAsked && listed !== undefined ? { ...request, body: { ...question, explain } } : undefined,
  );
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
            flex="1 1 140px"
          />
          <Autocomplete
            label={t.user}
            data={users}
            value={asked.user}
            onChange={(user) => setAsked({ user })}
            flex="1 1 140px"
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
          <Others
            entries={entries}
            explained={found.data.explained ?? []}
            question={question}
            search={asked.why}
            onSearch={(why) => setAsked({ why })}
          />
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
  readonly explained: readonly Explained[];
  readonly question: Question;
  readonly search: string;
  onSearch(text: string): void;
}

function Others({ entries, explained, question, search, onSearch }: OthersProps): ReactNode {
  const t = useTexts(texts);
  const others = explained.flatMap((why) => {
    const entry = entries.find(({ id }) => id === why.id);
    return entry === undefined || why.reason === 'recalled' ? [] : [{ entry, why }];
  });
  if (others.length === 0 && search === '') return null;
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={2}>{t.notFound}</Title>
        <SearchField value={search} label={t.findEntry} onSearch={onSearch} />
      </Group>
      {others.length === 0 ? (
        <NoMatch />
      ) : (
        <Paper withBorder className={classes['frame']!} tabIndex={0} role="region" aria-label={t.notFound}>
          <Table aria-label={t.notFound}>
            <Table.Tbody>
              {others.map(({ entry: { id, content, key, type }, why }) => (
                <Table.Tr key={id}>
                  <Table.Td miw={130}>
                    <Text size="sm" lineClamp={2}>
                      {content}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {key} · {type}
                    </Text>
                  </Table.Td>
                  <Table.Td miw={130}>
                    <Text size="sm">{t.because[why.reason](why.rank ?? 0, question.limit)}</Text>
                    {why.vecScore !== null && (
                      <Text size="xs" c="dimmed">
                        {t.similarity(why.vecScore, why.relevance)}
                      </Text>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Paper>
      )}
    </Stack>
  );
}
