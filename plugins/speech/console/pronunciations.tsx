/** How words are read for the person who is logged in, before all rules. */
import { Button, Group, Paper, Stack, Table, Text, TextInput } from '@mantine/core';
import { describe, RowButton, useRead, useTexts, useWrite } from 'plugboard/console';
import { useState, type FormEvent, type ReactNode } from 'react';
import { texts } from './texts/index.js';

const PATH = '/api/v1/pronunciations';
/** Reads that depend on the entries. */
const CHANGES = [PATH, '/api/v1/audio/speech/explain'];

interface Pronunciation {
  readonly written: string;
  readonly spoken: string;
}

/** `onHear` speaks a word. */
export function Pronunciations({ onHear }: { onHear(word: string): void }): ReactNode {
  const t = useTexts(texts);
  const own = useRead<{ pronunciations: Pronunciation[] }>({ path: PATH });
  const [{ written, spoken }, setEntry] = useState<Pronunciation>({ written: '', spoken: '' });
  const set = useWrite({ changes: CHANGES, done: () => t.pronunciationSet, quiet: true });
  if (own.data === undefined) return null;
  const save = (event: FormEvent): void => {
    event.preventDefault();
    set.mutate(
      {
        method: 'PUT',
        path: `${PATH}/${encodeURIComponent(written.trim())}`,
        body: { spoken: spoken.trim() },
      },
      { onSuccess: () => setEntry({ written: '', spoken: '' }) },
    );
  };
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="speech-pronunciations">
      <Stack gap="sm">
        <Text fw={600} component="h2" size="md" id="speech-pronunciations">
          {t.pronunciations}
        </Text>
        <Text size="sm" c="dimmed">
          {t.pronunciationsHint}
        </Text>
        {own.data.pronunciations.length > 0 && (
          <Table aria-label={t.pronunciations}>
            <Table.Tbody>
              {own.data.pronunciations.map((entry) => (
                <Row key={entry.written} entry={entry} onHear={onHear} onEdit={setEntry} />
              ))}
            </Table.Tbody>
          </Table>
        )}
        <form onSubmit={save}>
          <Group align="flex-end" gap="sm">
            <TextInput
              label={t.written}
              lang="ko"
              maxLength={50}
              value={written}
              onChange={({ currentTarget: { value } }) => setEntry({ written: value, spoken })}
            />
            <TextInput
              label={t.readAs}
              lang="ko"
              maxLength={100}
              placeholder="플러그보드"
              value={spoken}
              onChange={({ currentTarget: { value } }) => setEntry({ written, spoken: value })}
            />
            <Button
              type="submit"
              variant="default"
              loading={set.isPending}
              disabled={written.trim() === '' || spoken.trim() === ''}
            >
              {t.setPlan}
            </Button>
          </Group>
        </form>
        {set.error !== null && (
          <Text size="sm" c="red" role="alert">
            {describe(set.error)}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

interface RowProps {
  readonly entry: Pronunciation;
  onHear(word: string): void;
  onEdit(entry: Pronunciation): void;
}

function Row({ entry, onHear, onEdit }: RowProps): ReactNode {
  const t = useTexts(texts);
  const { written, spoken } = entry;
  const path = `${PATH}/${encodeURIComponent(written)}`;
  const putBack = useWrite({ changes: CHANGES, done: () => t.pronunciationSet });
  const undo = (): void => putBack.mutate({ method: 'PUT', path, body: { spoken } });
  const remove = useWrite({ changes: CHANGES, done: () => ({ message: t.pronunciationRemoved, undo }) });
  const actions = [
    { name: t.hear, label: t.hearWord(written), act: () => onHear(written) },
    { name: t.edit, label: t.editWord(written), act: () => onEdit(entry) },
    {
      name: t.reset,
      label: t.removeWord(written),
      act: () => remove.mutate({ method: 'DELETE', path }),
    },
  ];
  return (
    <Table.Tr>
      <Table.Td lang="ko">
        {written} → {spoken}
      </Table.Td>
      <Table.Td>
        <Group gap={6} justify="flex-end">
          {actions.map(({ name, label, act }) => (
            <RowButton key={name} label={label} onClick={act}>
              {name}
            </RowButton>
          ))}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
