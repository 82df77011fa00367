/** The person's presets: model, system prompt and parameters under a name. */
import { ActionIcon, Button, Group, Modal, Select, Stack, TextInput, Tooltip } from '@mantine/core';
import { TrashIcon } from '@radix-ui/react-icons';
import { Confirm, useRead, useTexts, useWrite } from 'plugboard/console';
import { useState, type FormEvent, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import type { Settings } from '../chat/use-conversation.js';

const PATH = '/api/playground/presets';

interface Preset {
  readonly id: string;
  readonly name: string;
  readonly model: string;
  readonly system: string | null;
  readonly params: Readonly<Record<string, unknown>>;
}

export function Presets({
  settings,
  onChoose,
}: {
  settings: Settings;
  onChoose(settings: Settings): void;
}): ReactNode {
  const t = useTexts(texts);
  const [chosen, setChosen] = useState<string | null>(null);
  const [naming, setNaming] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const [name, setName] = useState('');
  const presets = useRead<{ presets: Preset[] }>({ path: PATH }).data?.presets ?? [];
  const preset = presets.find(({ id }) => id === chosen);
  const save = useWrite<Preset>({ changes: [PATH], done: (made) => t.presetSaved(made.name) });

  const choose = (id: string | null): void => {
    setChosen(id);
    const one = presets.find((each) => each.id === id);
    if (one !== undefined)
      onChoose({ model: one.model, system: one.system ?? '', parameters: numbersOf(one.params) });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { model, system, parameters } = settings;
    const body = { name, endpoint: 'chat.completions', model, system, params: parameters };
    save.mutate(
      { method: 'POST', path: PATH, body },
      {
        onSuccess: ({ id }) => {
          setNaming(false);
          setChosen(id);
        },
      },
    );
  };
  return (
    <>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <Select
          label={t.preset}
          placeholder={t.noPreset}
          data={presets.map(({ id, name: label }) => ({ value: id, label }))}
          value={chosen}
          onChange={choose}
          clearable
          clearButtonProps={{ 'aria-label': t.noPreset }}
          flex={1}
        />
        {preset !== undefined && (
          <Tooltip label={t.deletePreset}>
            <ActionIcon
              variant="default"
              size={36}
              aria-label={t.deletePreset}
              onClick={() => setDeleting(true)}
            >
              <TrashIcon />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
      <Button
        variant="default"
        size="xs"
        disabled={settings.model === ''}
        onClick={() => {
          setName('');
          setNaming(true);
        }}
      >
        {t.savePreset}
      </Button>
      <Modal
        opened={naming}
        onClose={() => setNaming(false)}
        title={t.savePreset}
        closeButtonProps={{ 'aria-label': t.cancel }}
      >
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label={t.presetName}
              required
              maxLength={100}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              data-autofocus
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setNaming(false)}>
                {t.cancel}
              </Button>
              <Button type="submit" loading={save.isPending}>
                {t.save}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      <Confirm
        title={t.deleteQuestion(preset?.name ?? '')}
        action={t.deletePreset}
        request={deleting ? { method: 'DELETE', path: `${PATH}/${chosen}` } : undefined}
        changes={[PATH]}
        done={() => t.presetDeleted(preset?.name ?? '')}
        onDone={() => setChosen(null)}
        onClose={() => setDeleting(false)}
      >
        {t.deleteHint}
      </Confirm>
    </>
  );
}

/** The parameters with fields on the page. */
function numbersOf(params: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(params).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
