/** States of a page without content: loading, empty, no match, failed. */
import { Alert, Button, Center, Code, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { ExclamationTriangleIcon, LockClosedIcon } from '@radix-ui/react-icons';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { ApiError } from './call.js';
import { useTexts } from './texts.js';

export function Loading(): ReactNode {
  const t = useTexts(texts);
  return (
    <Center mih={160} role="status" aria-label={t.loading}>
      <Loader size="sm" />
    </Center>
  );
}

export interface EmptyProps {
  /** One sentence: what would be here. */
  readonly title: string;
  readonly children?: ReactNode;
  /** The button that creates the first. */
  readonly action?: ReactNode;
}

export function Empty({ title, children, action }: EmptyProps): ReactNode {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="sm" ta="center" py="md">
        <Title order={2} size="h3">
          {title}
        </Title>
        {children !== undefined && (
          <Text c="dimmed" size="sm" component="div" maw={520}>
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Paper>
  );
}

/** No row matches the filters. */
export function NoMatch(): ReactNode {
  const t = useTexts(texts);
  return <Empty title={t.noMatch}>{t.noMatchHint}</Empty>;
}

/** An error with the server's message and the id of the request, to search the log for. */
export function Failed({ error, retry }: { error: unknown; retry?: () => unknown }): ReactNode {
  const t = useTexts(texts);
  const status = error instanceof ApiError ? error.status : undefined;
  const id = error instanceof ApiError ? error.requestId : undefined;
  const forbidden = status === 403;
  return (
    <Alert
      role="alert"
      variant="light"
      color={forbidden ? 'gray' : 'red'}
      icon={forbidden ? <LockClosedIcon /> : <ExclamationTriangleIcon />}
      title={forbidden ? t.forbidden : error instanceof TypeError ? t.unavailable : t.failed}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{error instanceof Error ? error.message : String(error)}</Text>
        {id !== undefined && (
          <Text size="xs" c="var(--mantine-color-text)">
            {t.requestId} <Code>{id}</Code>
          </Text>
        )}
        {retry !== undefined && !forbidden && (
          <Button variant="default" size="xs" onClick={() => void retry()}>
            {t.reload}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
