/** What works and what does not, with the reason; upstreams, and the lag of the server. */
import { Badge, Group, Paper, SimpleGrid, Table, Text, Title } from '@mantine/core';
import { CopyRequest, Failed, Loading, Page, reactPage, useRead, useTexts } from 'plugboard/console';
import type { ReactNode } from 'react';
import { gauge, parseMetrics } from './parts/prometheus.js';
import { bytes, span } from './parts/figures.js';
import { texts } from './texts/index.js';

export const mount = reactPage(HealthPage);

/** Milliseconds between two polls. */
const EVERY = 5000;
const READY = { path: '/-/ready' };

interface Readiness {
  readonly status: string;
  readonly degraded?: readonly string[];
  readonly plugins?: Readonly<Record<string, Check>>;
}

interface Check {
  readonly ok: boolean;
  readonly error?: string;
  readonly message?: string;
  readonly detail?: unknown;
}

interface Upstream {
  readonly name: string;
  readonly circuit: string;
  readonly inFlight: number;
  readonly failures: number;
}

function HealthPage(): ReactNode {
  const t = useTexts(texts);
  const ready = useRead<Readiness>(READY, { every: EVERY });
  const metrics = useRead<string>({ path: '/-/metrics' }, { every: EVERY });
  // Absent without a router.
  const upstreams = useRead<{ upstreams: Upstream[] }>({ path: '/api/upstreams' }, { every: EVERY });
  const samples = parseMetrics(metrics.data ?? '');
  const figures = [
    [t.uptime, span(gauge(samples, 'process_uptime_seconds'))],
    [t.lag, milliseconds(gauge(samples, 'plugboard_event_loop_lag_seconds'))],
    [t.memory, bytes(gauge(samples, 'process_resident_memory_bytes'))],
  ] as const;
  return (
    <Page title={t.health} summary={t.healthSummary} actions={<CopyRequest request={READY} />}>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {figures.map(([name, value]) => (
          <Paper key={name} withBorder p="md">
            <Text size="sm" c="dimmed">
              {name}
            </Text>
            <Text fw={600} size="xl">
              {value ?? '–'}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
      {ready.error !== null ? (
        <Failed error={ready.error} retry={ready.refetch} />
      ) : ready.data === undefined ? (
        <Loading />
      ) : (
        <Checks readiness={ready.data} />
      )}
      {upstreams.data !== undefined && upstreams.data.upstreams.length > 0 && (
        <Panel title={t.upstreams}>
          {upstreams.data.upstreams.map(({ name, circuit, inFlight, failures }) => (
            <Row
              key={name}
              name={name}
              ok={circuit === 'closed'}
              state={circuit === 'closed' ? t.works : t.notCalled}
              reason={t.upstreamFigures(inFlight, failures)}
            />
          ))}
        </Panel>
      )}
    </Page>
  );
}

function Checks({ readiness: { degraded = [], plugins = {} } }: { readiness: Readiness }): ReactNode {
  const t = useTexts(texts);
  const leftOut = degraded.filter((id) => plugins[id] === undefined);
  return (
    <Panel title={t.plugins}>
      {Object.entries(plugins).map(([id, { ok, error, message, detail }]) => (
        <Row
          key={id}
          name={id}
          ok={ok}
          state={ok ? t.works : t.fails}
          reason={message ?? error ?? wordsOf(detail)}
        />
      ))}
      {leftOut.map((id) => (
        <Row key={id} name={id} ok={false} state={t.leftOut} reason={t.leftOutHint} />
      ))}
    </Panel>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      <Table aria-label={title}>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Paper>
  );
}

interface RowProps {
  readonly name: string;
  readonly ok: boolean;
  readonly state: string;
  readonly reason: string;
}

function Row({ name, ok, state, reason }: RowProps): ReactNode {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500} w="30%">
        {name}
      </Table.Th>
      <Table.Td>
        <Group gap="sm">
          <Badge color={ok ? 'green' : 'red'}>{state}</Badge>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {reason}
          </Text>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

/** A plugin's details: `{ indexed: 3 }` is `indexed 3`. */
function wordsOf(detail: unknown): string {
  if (typeof detail !== 'object' || detail === null) return '';
  return Object.entries(detail)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

function milliseconds(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : `${(seconds * 1000).toFixed(1)} ms`;
}
