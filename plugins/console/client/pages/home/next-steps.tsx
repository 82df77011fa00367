/** What is left to do on a new server, from the server's state. */
import { Button, Group, Paper, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core';
import { CheckIcon, CircleIcon } from '@radix-ui/react-icons';
import { CopyBlock, useRead, useTexts } from 'plugboard/console';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { texts } from './texts/index.js';

const UPSTREAM = `plugins:
  router:
    upstreams:
      - { name: ollama, baseUrl: http://127.0.0.1:11434/v1 }`;

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
    ...(hasKey === undefined ? [] : [{ id: 'key', done: hasKey }]),
    ...(models === undefined ? [] : [{ id: 'model', done: models.length > 0 }]),
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
            {id === 'key' ? (
              <Stack gap={6} flex={1}>
                <Heading title={t.keyStep} done={done} />
                {!done && (
                  <>
                    <Text size="sm" c="dimmed">
                      {t.keyStepHint}
                    </Text>
                    <Button component={Link} href="/auth/keys" variant="default" w="fit-content">
                      {t.createKey}
                    </Button>
                  </>
                )}
              </Stack>
            ) : (
              <Stack gap={6} flex={1} miw={0}>
                <Heading title={t.modelStep} done={done} />
                {!done && (
                  <>
                    <Text size="sm" c="dimmed">
                      {t.modelStepHint}
                    </Text>
                    <CopyBlock text={UPSTREAM} label={t.config} />
                  </>
                )}
              </Stack>
            )}
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
