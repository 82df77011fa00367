/** Readiness, with the reason for each failing part. */
import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { ApiError, CopyButton, Failed, Loading, useConsole, useRead, useTexts } from 'plugboard/console';
import type { ReactNode } from 'react';
import { texts } from './texts/index.js';

interface Readiness {
  readonly status: string;
  /** For operators: plugins that were left out, or whose check fails. */
  readonly degraded?: readonly string[];
  readonly plugins?: Readonly<Record<string, { readonly ok: boolean; readonly error?: string }>>;
}

/** Milliseconds between two polls. */
const EVERY = 15_000;

export function Health(): ReactNode {
  const t = useTexts(texts);
  const { root } = useConsole();
  const { data, error, refetch } = useRead<Readiness>({ path: '/-/ready' }, { every: EVERY });
  const address = `${location.origin}${root}`;
  // A server that is not ready answers 503.
  const notReady = error instanceof ApiError && error.status === 503;
  const degraded = data?.degraded ?? [];
  const checks = Object.entries(data?.plugins ?? {});
  const leftOut = degraded.filter((id) => data?.plugins?.[id] === undefined);
  return (
    <Paper withBorder p="lg" component="section" aria-label={t.health}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Title order={2}>{t.health}</Title>
          {notReady ? (
            <Badge color="red">{t.notReady}</Badge>
          ) : (
            data !== undefined && (
              <Badge color={degraded.length === 0 ? 'green' : 'yellow'}>
                {degraded.length === 0 ? t.ready : t.degraded}
              </Badge>
            )
          )}
        </Group>
        <Group gap={4} wrap="nowrap">
          <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {address}
          </Text>
          <CopyButton text={address} label={t.address} />
        </Group>
      </Group>
      {data === undefined && error === null && <Loading />}
      {error !== null && !notReady && <Failed error={error} retry={refetch} />}
      {checks.length + leftOut.length > 0 && (
        <Stack gap={6} mt="md">
          {checks.map(([id, { ok, error: code }]) => (
            <Part
              key={id}
              id={id}
              state={ok ? t.working : `${t.failing}${code === undefined ? '' : `: ${code}`}`}
              ok={ok}
            />
          ))}
          {leftOut.map((id) => (
            <Part key={id} id={id} state={t.leftOut} ok={false} />
          ))}
        </Stack>
      )}
    </Paper>
  );
}

function Part({ id, state, ok }: { id: string; state: string; ok: boolean }): ReactNode {
  return (
    <Group gap="sm">
      <Text size="sm" miw={120}>
        {id}
      </Text>
      <Badge color={ok ? 'green' : 'red'}>{state}</Badge>
    </Group>
  );
}
