/** What is left to do on a new server, from the server's state. */
import { Button, Group, Paper, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core';
import { CheckIcon, CircleIcon } from '@radix-ui/react-icons';
import { useRead, useTexts } from 'plugboard/console';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { texts } from './texts/index.js';

/** Where each step is done. */
const PAGES = { key: '/auth/keys', model: '/router/router' };

interface Key {
  readonly scopes: readonly string[];
}

/** Empty when all is done, or while that is unknown. */
export function NextSteps(): ReactNode {
  const t = useTexts(texts);
  const keys = useRead<{ keys: Key[] }>({ path: '/api/keys', query: { state: 'active' } }).data?.keys;
  const models = useRead<{ data: unknown[] }>({ path: '/v1/models' }).data?.data;
  const hasKey = keys?.some(({ scopes }) => !scopes.includes('*'));
  const steps = [
    ...(hasKey === undefined ? [] : [{ id: 'key' as const, done: hasKey }]),
    ...(models === undefined ? [] : [{ id: 'model' as const, done: models.length > 0 }]),
  ];
  if (steps.every(({ done }) => done)) return null;
  return (
    <Paper withBorder p="lg" component="section" aria-label={t.nextSteps}>
      <Stack>
        <Title order={2}>{t.nextSteps}</Title>
        {steps.map(({ id, done }) => (
          <Group key={id} wrap="nowrap" align="flex-start">
            <ThemeIcon variant={done ? 'filled' : 'default'} radius="xl" size="sm">
              {done ? <CheckIcon /> : <CircleIcon />}
            </ThemeIcon>
            <Stack gap={6} flex={1}>
              <Heading title={t.steps[id].title} done={done} />
              {!done && (
                <>
                  <Text size="sm" c="dimmed">
                    {t.steps[id].hint}
                  </Text>
                  <Button component={Link} href={PAGES[id]} variant="default" w="fit-content">
                    {t.steps[id].action}
                  </Button>
                </>
              )}
            </Stack>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}

function Heading({ title, done }: { title: string; done: boolean }): ReactNode {
  const t = useTexts(texts);
  return (
    <Text size="sm" fw={600}>
      {title}
      <VisuallyHidden>: {done ? t.done : t.open}</VisuallyHidden>
    </Text>
  );
}
