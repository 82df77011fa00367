/** Is it healthy, what runs, and what to do first. */
import { Anchor, Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import {
  CopyButton,
  Failed,
  Loading,
  Page,
  RequestToCopy,
  useConsole,
  useRead,
  useTexts,
} from 'plugboard/console';
import type { ReactNode } from 'react';
import { en } from './texts/en.js';
import { ko } from './texts/ko.js';

interface Readiness {
  readonly status: string;
  readonly degraded?: readonly string[];
  readonly plugins?: Readonly<Record<string, { readonly ok: boolean; readonly error?: string }>>;
}

export function HomePage(): ReactNode {
  const t = useTexts({ en, ko });
  const { root } = useConsole();
  const { data, error, refetch } = useRead<Readiness>({ path: '/-/ready' }, { every: 15_000 });
  const address = `${location.origin}${root}`;
  return (
    <Page title={t.title} summary={t.summary}>
      <Paper withBorder p="lg">
        <Group justify="space-between">
          <Group gap="xs">
            <Title order={2}>{t.health}</Title>
            {data !== undefined && (
              <Badge color={data.status === 'ready' ? 'green' : 'red'}>
                {data.status === 'ready' ? t.ready : t.notReady}
              </Badge>
            )}
          </Group>
          <Group gap={4}>
            <Text size="sm" ff="monospace">
              {address}
            </Text>
            <CopyButton text={address} label={t.address} />
          </Group>
        </Group>
        {error !== null && data === undefined && <Failed error={error} retry={refetch} />}
        {data === undefined && error === null && <Loading />}
      </Paper>
      <Paper withBorder p="lg">
        <Stack>
          <Title order={2}>{t.firstRequest}</Title>
          <Text size="sm">{t.firstRequestHint}</Text>
          <RequestToCopy request={{ path: '/api/v1/voices' }} />
          <Anchor href={`${root}/-/docs/`} size="sm">
            {t.reference}
          </Anchor>
        </Stack>
      </Paper>
    </Page>
  );
}
