/** The examples of a preset: their variables, and the checks of an answer. */
import {
  ActionIcon,
  Alert,
  Button,
  Group,
  Modal,
  Paper,
  Stack,
  Text,
  Textarea,
  Tooltip,
} from '@mantine/core';
import { TrashIcon } from '@radix-ui/react-icons';
import { describe, useTexts, useWrite } from 'plugboard/console';
import { useState, type FormEvent, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import type { Check, Example } from './api.js';
import { CheckField } from './check-field.js';

interface ExamplesProps {
  /** Of the preset. */
  readonly path: string;
  readonly kept: readonly Example[];
  /** The variables of all versions. */
  readonly names: readonly string[];
  readonly models: readonly string[];
  onClose(): void;
}

export function Examples({ path, kept, names, models, onClose }: ExamplesProps): ReactNode {
  const t = useTexts(texts);
  const [examples, setExamples] = useState(kept);
  const save = useWrite({
    changes: [`${path}/examples`],
    done: () => t.examplesKept(examples.length),
    quiet: true,
  });
  const change = (at: number, part: Partial<Example>): void =>
    setExamples(examples.map((one, of) => (of === at ? { ...one, ...part } : one)));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate({ method: 'PUT', path: `${path}/examples`, body: { examples } }, { onSuccess: onClose });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.examples}
      size="xl"
      closeButtonProps={{ 'aria-label': t.cancel }}
    >
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm" c="dimmed">
            {t.examplesHint}
          </Text>
          {examples.map(({ variables, checks }, at) => (
            <Paper key={at} withBorder p="sm" component="fieldset" aria-label={t.example(at + 1)}>
              <Stack gap="xs">
                <Group justify="space-between">
                  <Text size="sm" fw={500}>
                    {t.example(at + 1)}
                  </Text>
                  <Tooltip label={t.removeExample(at + 1)}>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={t.removeExample(at + 1)}
                      onClick={() => setExamples(examples.filter((_, of) => of !== at))}
                    >
                      <TrashIcon />
                    </ActionIcon>
                  </Tooltip>
                </Group>
                {/* Variables that no version has any more stay in the example. */}
                {[...new Set([...names, ...Object.keys(variables)])].map((name) => (
                  <Textarea
                    key={name}
                    label={name}
                    autosize
                    minRows={1}
                    maxRows={6}
                    maxLength={50_000}
                    value={variables[name] ?? ''}
                    onChange={({ currentTarget: { value } }) =>
                      change(at, { variables: { ...variables, [name]: value } })
                    }
                  />
                ))}
                <Checks checks={checks} models={models} onChange={(next) => change(at, { checks: next })} />
              </Stack>
            </Paper>
          ))}
          <Group>
            <Button variant="default" onClick={() => setExamples([...examples, newExample(names, examples)])}>
              {t.addExample}
            </Button>
          </Group>
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
              {t.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface ChecksProps {
  readonly checks: readonly Check[];
  readonly models: readonly string[];
  onChange(checks: readonly Check[]): void;
}

function Checks({ checks, models, onChange }: ChecksProps): ReactNode {
  const t = useTexts(texts);
  return (
    <>
      {checks.map((check, at) => (
        <CheckField
          key={at}
          check={check}
          models={models}
          onChange={(next) => onChange(checks.map((one, of) => (of === at ? next : one)))}
          onRemove={() => onChange(checks.filter((_, of) => of !== at))}
        />
      ))}
      {checks.length < 5 && (
        <Group>
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => onChange([...checks, { kind: 'contains', text: '' }])}
          >
            {t.addCheck}
          </Button>
        </Group>
      )}
    </>
  );
}

/** All names are set, so that an empty field is an empty text; the checks are of the last example's kinds. */
function newExample(names: readonly string[], before: readonly Example[]): Example {
  const checks = before.at(-1)?.checks.map((one) => (one.kind === 'contains' ? { ...one, text: '' } : one));
  return {
    variables: Object.fromEntries(names.map((name) => [name, ''])),
    checks: checks ?? [{ kind: 'contains', text: '' }],
  };
}
