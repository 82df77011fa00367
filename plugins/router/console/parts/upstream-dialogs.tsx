/** An upstream added, given another key, tried and removed. */
import { Alert, Button, Group, Modal, Stack, Table, Text, TextInput } from '@mantine/core';
import { Confirm, describe, SchemaForm, useTexts, useWrite } from 'plugboard/console';
import { useState, type FormEvent, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { KEY, NEW, PATH, type Trial, type Upstream } from './upstream.js';

export function NewUpstream({ onClose }: { onClose(): void }): ReactNode {
  const t = useTexts(texts);
  const save = useWrite<Upstream>({
    changes: [PATH, '/v1/models'],
    done: ({ name }) => t.upstreamAdded(name),
    quiet: true,
  });
  return (
    <Modal opened onClose={onClose} title={t.addUpstream} closeButtonProps={{ 'aria-label': t.cancel }}>
      <SchemaForm
        schema={NEW}
        initial={{ dialect: 'openai' }}
        labels={t.upstreamLabels}
        action={t.addUpstream}
        busy={save.isPending}
        error={save.error}
        onCancel={onClose}
        onSubmit={({ name, models, ...body }) => {
          const listed = Array.isArray(models) && models.length > 0 ? { models } : {};
          const request = {
            method: 'PUT',
            path: `${PATH}/${encodeURIComponent(String(name))}`,
            body: { ...body, ...listed },
          } as const;
          save.mutate(request, { onSuccess: onClose });
        }}
      />
    </Modal>
  );
}

export function NewKey({ upstream: { name }, onClose }: { upstream: Upstream; onClose(): void }): ReactNode {
  const t = useTexts(texts);
  const save = useWrite({ changes: [PATH], done: () => t.keyChanged(name), quiet: true });
  return (
    <Modal opened onClose={onClose} title={t.newKeyOf(name)} closeButtonProps={{ 'aria-label': t.cancel }}>
      <SchemaForm
        schema={KEY}
        labels={t.upstreamLabels}
        action={t.newKey}
        busy={save.isPending}
        error={save.error}
        onCancel={onClose}
        onSubmit={({ apiKey }) =>
          save.mutate(
            { method: 'PUT', path: `${PATH}/${name}/keys`, body: { apiKeys: [apiKey] } },
            { onSuccess: onClose },
          )
        }
      />
    </Modal>
  );
}

export function Remove({ upstream: { name }, onClose }: { upstream: Upstream; onClose(): void }): ReactNode {
  const t = useTexts(texts);
  return (
    <Confirm
      title={t.removeQuestion(name)}
      action={t.remove}
      request={{ method: 'DELETE', path: `${PATH}/${name}` }}
      changes={[PATH, '/v1/models']}
      done={() => t.upstreamRemoved(name)}
      onClose={onClose}
    >
      {t.removeHint}
    </Confirm>
  );
}

export function Try({ upstream: { name }, onClose }: { upstream: Upstream; onClose(): void }): ReactNode {
  const t = useTexts(texts);
  const [model, setModel] = useState('');
  const trial = useWrite<Trial>({ quiet: true });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    trial.mutate({ method: 'POST', path: `${PATH}/${name}/try`, body: { model } });
  };
  return (
    <Modal opened onClose={onClose} title={t.tryOf(name)} closeButtonProps={{ 'aria-label': t.cancel }}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{t.tryHint}</Text>
          <TextInput
            label={t.model}
            required
            value={model}
            onChange={({ currentTarget }) => setModel(currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button type="submit" loading={trial.isPending}>
              {t.ask}
            </Button>
          </Group>
          {trial.error !== null && <Alert color="red">{describe(trial.error)}</Alert>}
          {trial.data !== undefined && <Outcome trial={trial.data} />}
        </Stack>
      </form>
    </Modal>
  );
}

function Outcome({ trial: { fault, refusedKeys, answer } }: { trial: Trial }): ReactNode {
  const t = useTexts(texts);
  if (answer === null) return <Alert color="red">{fault}</Alert>;
  const { streams, tools, said, tokens, total, cost } = answer;
  const rows: [string, string][] = [
    [t.answer, said],
    [t.latency, `${total} ms`],
    [t.streams, streams ? t.yes : t.no],
    [t.tools, tools === 'called' ? t.yes : tools === 'refused' ? t.no : t.notUsed],
    [t.tokens, tokens.tokensIn === null ? t.notReported : `${tokens.tokensIn} / ${tokens.tokensOut ?? 0}`],
    [t.cost, cost === null ? t.unknown : `$${cost.toFixed(6)}`],
  ];
  if (refusedKeys.length > 0) rows.push([t.keysRefused, refusedKeys.join(', ')]);
  return (
    <Alert color="green" title={t.works}>
      <Table aria-label={t.works} layout="fixed" withRowBorders={false} verticalSpacing={2}>
        <Table.Tbody>
          {rows.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th w="40%">{name}</Table.Th>
              <Table.Td>
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {value}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Alert>
  );
}
