/** A new version starts from the newest one, and never changes afterwards. */
import { Alert, Button, Group, Modal, Select, Stack, Textarea } from '@mantine/core';
import { describe, useTexts, useWrite } from 'plugboard/console';
import { useState, type FormEvent, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import type { Preset, Version } from './api.js';

interface NewVersionProps {
  /** Of the preset. */
  readonly path: string;
  readonly preset: Preset;
  readonly newest: Version | undefined;
  readonly models: readonly string[];
  onClose(): void;
}

export function NewVersion({ path, preset, newest, models, onClose }: NewVersionProps): ReactNode {
  const t = useTexts(texts);
  const [system, setSystem] = useState((newest ?? preset).system ?? '');
  const [prompt, setPrompt] = useState(newest?.prompt ?? '{{input}}');
  const [model, setModel] = useState((newest ?? preset).model);
  const save = useWrite<Version>({
    changes: [`${path}/versions`],
    done: ({ version }) => t.versionKept(version),
    quiet: true,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const body = { system: system === '' ? null : system, prompt, model };
    save.mutate({ method: 'POST', path: `${path}/versions`, body }, { onSuccess: onClose });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.newVersion}
      size="lg"
      closeButtonProps={{ 'aria-label': t.cancel }}
    >
      <form onSubmit={submit}>
        <Stack>
          <Textarea
            label={t.system}
            autosize
            minRows={2}
            maxRows={12}
            maxLength={50_000}
            value={system}
            onChange={({ currentTarget }) => setSystem(currentTarget.value)}
          />
          <Textarea
            label={t.prompt}
            description={t.promptHint}
            required
            autosize
            minRows={3}
            maxRows={12}
            maxLength={50_000}
            value={prompt}
            onChange={({ currentTarget }) => setPrompt(currentTarget.value)}
            data-autofocus
          />
          <Select
            label={t.model}
            data={[...new Set([...models, model])]}
            value={model}
            onChange={(next) => setModel(next ?? model)}
            searchable
            allowDeselect={false}
          />
          {save.error !== null && (
            <Alert role="alert" color="red" variant="light">
              {describe(save.error)}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.cancel}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t.keepVersion}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
