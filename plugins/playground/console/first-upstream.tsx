/** If there is no model yet: a form to add an upstream, or the Ollama found on this machine. */
import { Alert, Button, Paper, Stack, Text } from '@mantine/core';
import { SchemaForm, useRead, useTexts, useWrite, type ObjectSchema } from 'plugboard/console';
import type { ReactNode } from 'react';
import { texts } from './texts/index.js';

const PATH = '/api/upstreams';
const SCHEMA: ObjectSchema = {
  properties: {
    name: { type: 'string', maxLength: 100 },
    dialect: { enum: ['openai', 'anthropic', 'gemini', 'azure'] },
    baseUrl: { type: 'string' },
    apiKey: { type: 'string' },
  },
  required: ['name', 'dialect'],
};
const OPENAI = { name: 'openai', dialect: 'openai', baseUrl: 'https://api.openai.com/v1' };

interface Found {
  readonly found: readonly {
    readonly name: string;
    readonly baseUrl: string;
    readonly models: readonly string[];
  }[];
}

export function FirstUpstream(): ReactNode {
  const t = useTexts(texts);
  const found = useRead<Found>({ path: `${PATH}/found` }).data?.found ?? [];
  const save = useWrite<{ name: string }>({
    changes: [PATH, '/v1/models'],
    done: ({ name }) => t.upstreamAdded(name),
    quiet: true,
  });
  const add = ({ name, ...body }: Record<string, unknown>): void =>
    save.mutate({ method: 'PUT', path: `${PATH}/${encodeURIComponent(String(name))}`, body });
  return (
    <Stack maw={520} mx="auto" w="100%">
      <Text>{t.firstUpstream}</Text>
      {found.map(({ name, baseUrl, models }) => (
        <Alert key={name} color="green" title={t.foundHere(baseUrl)}>
          <Stack gap="xs" align="flex-start">
            <Text size="sm">{models.join(', ') || t.noLocalModels}</Text>
            <Button loading={save.isPending} onClick={() => add({ name, baseUrl })}>
              {t.useIt}
            </Button>
          </Stack>
        </Alert>
      ))}
      <Paper withBorder p="md">
        <SchemaForm
          schema={SCHEMA}
          initial={OPENAI}
          labels={t.upstreamLabels}
          action={t.addUpstream}
          busy={save.isPending}
          error={save.error}
          onSubmit={add}
        />
      </Paper>
    </Stack>
  );
}
