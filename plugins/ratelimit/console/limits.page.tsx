/** Callers near a limit, and the limits. */
import { Badge, Group, Progress, Select, Stack, Text, Title } from '@mantine/core';
import {
  Ago,
  CopyRequest,
  Empty,
  ListTable,
  Page,
  reactPage,
  useConsole,
  useList,
  useRead,
  useTexts,
  useUrlState,
  type Column,
} from 'plugboard/console';
import { useEffect, type ReactNode } from 'react';
import { texts } from './texts/index.js';

export const mount = reactPage(LimitsPage);

interface Category {
  readonly name: string;
  /** Seconds. */
  readonly window: number;
  readonly user: number | null;
  readonly app: number | null;
  readonly key: number | null;
  readonly address: number | null;
  readonly tokens: number | null;
}
interface Standing {
  readonly category: string;
  readonly unit: 'requests' | 'tokens';
  readonly kind: 'user' | 'app' | 'key' | 'address';
  readonly id: string;
  readonly label: string;
  readonly used: number;
  readonly limit: number;
  readonly remaining: number;
  readonly reset: string;
}
interface Answer {
  readonly categories: readonly Category[];
  readonly callers: readonly Standing[];
}

/** Milliseconds between reloads. */
const EVERY = 5000;
/** The part of a limit from which it is marked. */
const NEAR = 0.8;

function LimitsPage(): ReactNode {
  const t = useTexts(texts);
  const { page } = useConsole();
  const path = `${page.prefix}/api/limits`;
  const [{ category }, setState] = useUrlState({ category: '', at: '' });
  const query = { category, limit: 100 };
  const list = useList<Answer, Standing>({ path, query, paging: 'all', rows: ({ callers }) => callers });
  const { data } = useRead<Answer>({ path, query: { limit: 100 } });
  useEffect(() => {
    const timer = setInterval(() => list.reload(), EVERY);
    return () => clearInterval(timer);
  });
  const columns: Column<Standing>[] = [
    {
      key: 'who',
      title: t.caller,
      cell: ({ label, kind }) => (
        <>
          <Text size="sm" fw={500} lineClamp={1} maw={260}>
            {label}
          </Text>
          <Text size="xs" c="dimmed">
            {t.kinds[kind]}
          </Text>
        </>
      ),
    },
    {
      key: 'category',
      title: t.category,
      cell: ({ category: name, unit }) => (unit === 'tokens' ? `${name} · ${t.tokens}` : name),
    },
    {
      key: 'used',
      title: t.used,
      cell: ({ label, used, limit }) => <Share name={label} used={used} limit={limit} />,
    },
    {
      key: 'state',
      title: t.state,
      cell: ({ used, limit }) => <State used={used} limit={limit} />,
    },
    { key: 'left', title: t.left, align: 'right', cell: ({ remaining }) => remaining.toLocaleString() },
    { key: 'reset', title: t.startsOver, cell: ({ reset }) => <Ago at={reset} /> },
  ];
  return (
    <Page title={t.limits} summary={t.limitsSummary} actions={<CopyRequest request={{ path, query }} />}>
      <Group>
        <Select
          aria-label={t.category}
          value={category}
          onChange={(next) => setState({ category: next ?? '', at: '' })}
          data={[
            { value: '', label: t.allCategories },
            ...(data?.categories ?? []).map(({ name }) => ({ value: name, label: name })),
          ]}
          allowDeselect={false}
          w={220}
        />
      </Group>
      <ListTable
        name={t.callers}
        list={list}
        columns={columns}
        rowKey={({ category: name, unit, id }) => `${name} ${unit} ${id}`}
        filtered={category !== ''}
        empty={<Empty title={t.nobody}>{t.nobodyHint}</Empty>}
      />
      {data !== undefined && <Categories categories={data.categories} />}
    </Page>
  );
}

function Share({ name, used, limit }: { name: string; used: number; limit: number }): ReactNode {
  const t = useTexts(texts);
  const part = limit === 0 ? 1 : used / limit;
  return (
    <Stack gap={2} miw={140}>
      <Progress
        value={part * 100}
        color={part >= 1 ? 'red' : part >= NEAR ? 'yellow' : 'indigo'}
        aria-label={t.usedOf(name)}
      />
      <Text size="xs" c="dimmed">
        {t.of(used, limit)}
      </Text>
    </Stack>
  );
}

function State({ used, limit }: { used: number; limit: number }): ReactNode {
  const t = useTexts(texts);
  if (used >= limit) return <Badge color="red">{t.refused}</Badge>;
  return used >= limit * NEAR ? (
    <Badge color="yellow">{t.near}</Badge>
  ) : (
    <Badge color="green">{t.fine}</Badge>
  );
}

/** The configured limits. */
function Categories({ categories }: { categories: readonly Category[] }): ReactNode {
  const t = useTexts(texts);
  const number = (value: number | null): ReactNode =>
    value === null ? (
      <Text size="sm" c="dimmed" span>
        {t.unlimited}
      </Text>
    ) : (
      value.toLocaleString()
    );
  const columns: Column<Category>[] = [
    { key: 'name', title: t.category, cell: ({ name }) => name },
    { key: 'window', title: t.window, align: 'right', cell: ({ window }) => t.seconds(window) },
    { key: 'key', title: t.kinds.key, align: 'right', cell: ({ key }) => number(key) },
    {
      key: 'tokens',
      title: t.tokensOfKey,
      align: 'right',
      cell: ({ name, tokens }) => (name === 'chat' ? number(tokens) : undefined),
    },
    { key: 'user', title: t.kinds.user, align: 'right', cell: ({ user }) => number(user) },
    { key: 'app', title: t.kinds.app, align: 'right', cell: ({ app }) => number(app) },
    { key: 'address', title: t.kinds.address, align: 'right', cell: ({ address }) => number(address) },
  ];
  return (
    <Stack gap="sm">
      <Title order={2}>{t.configured}</Title>
      <Text size="sm" c="dimmed">
        {t.configuredHint}
      </Text>
      <ListTable
        name={t.configured}
        list={{
          rows: categories,
          error: null,
          stale: false,
          busy: false,
          from: 1,
          total: categories.length,
          previous: undefined,
          next: undefined,
          reload: () => undefined,
        }}
        columns={columns}
        rowKey={({ name }) => name}
        empty={<></>}
      />
    </Stack>
  );
}
