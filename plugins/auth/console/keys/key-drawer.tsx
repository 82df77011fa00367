/** One key: its scopes, usage, cost and limits. */
import { Anchor, Badge, Code, Drawer, Progress, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { Ago, Failed, Loading, useConsole, useOpenApi, useRead, useTexts } from 'plugboard/console';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { globOf, monthStart, today, type Allowance, type Standing, type Usage } from './key-use.js';
import { STATE_COLOURS, stateOf, type Key } from './key.js';
import { ScopeList } from './scope-list.js';

/** `id`: empty for none. */
export function KeyDrawer({ id, onClose }: { id: string; onClose(): void }): ReactNode {
  const t = useTexts(texts);
  const { data, error, refetch } = useRead<Key>(
    id === '' ? undefined : { path: `/api/keys/${encodeURIComponent(id)}` },
  );
  const key = data?.id === id ? data : undefined;
  return (
    <Drawer
      opened={id !== ''}
      onClose={onClose}
      title={key?.name ?? t.key}
      closeButtonProps={{ 'aria-label': t.cancel }}
      styles={{ title: { overflowWrap: 'anywhere' } }}
    >
      {error !== null && key === undefined ? (
        <Failed error={error} retry={refetch} />
      ) : key === undefined ? (
        <Loading />
      ) : (
        <Stack gap="lg">
          <Members apiKey={key} />
          <Used apiKey={key} />
          <Limits apiKey={key} />
        </Stack>
      )}
    </Drawer>
  );
}

function Members({ apiKey }: { apiKey: Key }): ReactNode {
  const t = useTexts(texts);
  const members: readonly (readonly [string, ReactNode])[] = [
    [
      t.state,
      <Badge key="state" color={STATE_COLOURS[stateOf(apiKey)]}>
        {t[stateOf(apiKey)]}
      </Badge>,
    ],
    [t.key, <Code key="key">{apiKey.preview}</Code>],
    [t.keyId, <Code key="id">{apiKey.id}</Code>],
    [t.scopes, <ScopeList key="scopes" scopes={apiKey.scopes} />],
    [t.owner, apiKey.owner],
    [t.addresses, apiKey.addresses.length === 0 ? null : apiKey.addresses.join(', ')],
    [t.created, <Ago key="created" at={apiKey.createdAt} />],
    [t.expires, apiKey.expiresAt && <Ago key="expires" at={apiKey.expiresAt} />],
    [t.lastUsed, apiKey.lastUsedAt === null ? t.never : <Ago key="used" at={apiKey.lastUsedAt} />],
    [t.revoked, apiKey.revokedAt && <Ago key="revoked" at={apiKey.revokedAt} />],
  ];
  return (
    <Table variant="vertical" layout="fixed" withTableBorder>
      <Table.Tbody>
        {members
          .filter(([, value]) => value !== null)
          .map(([title, value]) => (
            <Table.Tr key={title}>
              <Table.Th scope="row" w="35%">
                {title}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}

/** Empty if no plugin counts model calls, or the person may not see them. */
function Used({ apiKey: { id } }: { apiKey: Key }): ReactNode {
  const t = useTexts(texts);
  const { navigate } = useConsole();
  const has = useOpenApi()?.paths['/api/usage'] !== undefined;
  const { data } = useRead<Usage>(
    has ? { path: '/api/usage', query: { group: 'model', key: id, from: monthStart() } } : undefined,
  );
  if (data === undefined) return null;
  const { total } = data;
  const figures = [
    { title: t.calls, value: total.calls.toLocaleString() },
    {
      title: t.tokensUsed,
      value: (total.tokensIn + total.tokensOut + total.estimatedIn + total.estimatedOut).toLocaleString(),
    },
    { title: t.cost, value: dollars(total.cost) },
  ];
  return (
    <Stack gap="xs">
      <Title order={2} size="h3">
        {t.usedThisMonth}
      </Title>
      <SimpleGrid cols={3} spacing="sm">
        {figures.map(({ title, value }) => (
          <div key={title}>
            <Text size="xs" c="dimmed">
              {title}
            </Text>
            <Text fw={600}>{value}</Text>
          </div>
        ))}
      </SimpleGrid>
      {total.calls > 0 && (
        <Anchor
          component="button"
          size="sm"
          w="fit-content"
          onClick={() =>
            navigate(`/router/router?view=usage&by=model&show=cost&key=${encodeURIComponent(id)}`)
          }
        >
          {t.showUsage}
        </Anchor>
      )}
    </Stack>
  );
}

/** Allowances and rate limits of the key. */
function Limits({ apiKey: { id, name } }: { apiKey: Key }): ReactNode {
  const t = useTexts(texts);
  const paths = useOpenApi()?.paths;
  const rules = useRead<{ allowances: Allowance[] }>(
    paths?.['/api/allowances'] && { path: '/api/allowances' },
  ).data?.allowances;
  const limits = useRead<{ callers: Standing[] }>(
    paths?.['/api/limits'] && { path: '/api/limits', query: { limit: 100 } },
  ).data?.callers;
  const held = rules?.filter((rule) => globOf(rule.key)([id, name])) ?? [];
  const near = limits?.filter((standing) => standing.id === `key:${id}`) ?? [];
  if (held.length + near.length === 0) return null;
  return (
    <Stack gap="xs">
      <Title order={2} size="h3">
        {t.limitsOfKey}
      </Title>
      {held.map((rule) => (
        <Allowed key={rule.name} rule={rule} id={id} />
      ))}
      {near.map(({ category, unit, used, limit }) => (
        <Bar
          key={`${category} ${unit}`}
          title={`${category}: ${t.units[unit]}`}
          used={used}
          limit={limit}
          words={`${used.toLocaleString()} / ${limit.toLocaleString()}`}
        />
      ))}
    </Stack>
  );
}

function Allowed({ rule: { name, models, limits, budget }, id }: { rule: Allowance; id: string }): ReactNode {
  const t = useTexts(texts);
  const from = budget?.per === 'day' ? today() : monthStart();
  const { data } = useRead<Usage>(budget && { path: '/api/usage', query: { group: 'model', key: id, from } });
  const words = limits.map(({ models: of, requests, tokens }) =>
    t.aMinute(
      [
        requests === undefined ? [] : `${requests.toLocaleString()} ${t.units.requests}`,
        tokens === undefined ? [] : `${tokens.toLocaleString()} ${t.units.tokens}`,
      ]
        .flat()
        .join(', '),
      of?.join(', ') ?? '*',
    ),
  );
  return (
    <Stack gap={2}>
      <Text size="sm" fw={500}>
        {name}
      </Text>
      {[models === undefined ? [] : t.onlyModels(models.join(', ')), ...words].flat().map((line) => (
        <Text key={line} size="xs" c="dimmed">
          {line}
        </Text>
      ))}
      {budget !== undefined && data !== undefined && (
        <Bar
          title={budget.per === 'day' ? t.budgetOfDay : t.budgetOfMonth}
          used={data.total.cost}
          limit={budget.usd}
          words={`${dollars(data.total.cost)} / ${dollars(budget.usd)}`}
        />
      )}
    </Stack>
  );
}

interface BarProps {
  readonly title: string;
  readonly used: number;
  readonly limit: number;
  readonly words: string;
}

function Bar({ title, used, limit, words }: BarProps): ReactNode {
  const part = limit === 0 ? 1 : used / limit;
  return (
    <Stack gap={2}>
      <Text size="xs">
        {title}: {words}
      </Text>
      <Progress
        value={Math.min(100, part * 100)}
        color={part >= 1 ? 'red' : part >= 0.8 ? 'yellow' : 'indigo'}
        aria-label={title}
      />
    </Stack>
  );
}

function dollars(value: number): string {
  const digits = value !== 0 && value < 1 ? 4 : 2;
  return `$${value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: digits })}`;
}
