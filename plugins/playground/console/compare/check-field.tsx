/** One check of an example. */
import { ActionIcon, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { Cross2Icon } from '@radix-ui/react-icons';
import { useTexts } from 'plugboard/console';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import type { Check } from './api.js';

interface CheckFieldProps {
  readonly check: Check;
  readonly models: readonly string[];
  onChange(check: Check): void;
  onRemove(): void;
}

export function CheckField({ check, models, onChange, onRemove }: CheckFieldProps): ReactNode {
  const t = useTexts(texts);
  const choose = (kind: string | null): void => {
    if (kind === 'json_schema') onChange({ kind, schema: { type: 'object' } });
    else if (kind === 'judge') onChange({ kind, model: models[0] ?? '', question: '' });
    else onChange({ kind: 'contains', text: '' });
  };
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <Select
        label={t.check}
        data={[
          { value: 'contains', label: t.contains },
          { value: 'json_schema', label: t.fitsSchema },
          { value: 'judge', label: t.judged },
        ]}
        value={check.kind}
        onChange={choose}
        allowDeselect={false}
        w={170}
      />
      <Stack gap="xs" flex={1}>
        {check.kind === 'contains' && (
          <TextInput
            label={t.containsWhat}
            required
            maxLength={1_000}
            value={check.text}
            onChange={({ currentTarget: { value } }) => onChange({ ...check, text: value })}
          />
        )}
        {check.kind === 'json_schema' && (
          <SchemaField schema={check.schema} onChange={(schema) => onChange({ ...check, schema })} />
        )}
        {check.kind === 'judge' && (
          <Group gap="xs" align="flex-end">
            <Select
              label={t.judgeModel}
              data={[...new Set([...models, check.model])]}
              value={check.model}
              onChange={(model) => onChange({ ...check, model: model ?? check.model })}
              searchable
              allowDeselect={false}
              w={200}
            />
            <TextInput
              label={t.judgeQuestion}
              required
              maxLength={2_000}
              value={check.question}
              onChange={({ currentTarget: { value } }) => onChange({ ...check, question: value })}
              flex={1}
            />
          </Group>
        )}
      </Stack>
      <ActionIcon variant="subtle" color="gray" size={36} aria-label={t.removeCheck} onClick={onRemove}>
        <Cross2Icon />
      </ActionIcon>
    </Group>
  );
}

/** Text that is not valid JSON yet stays in the field. */
function SchemaField({ schema, onChange }: { schema: object; onChange(schema: object): void }): ReactNode {
  const t = useTexts(texts);
  const [text, setText] = useState(() => JSON.stringify(schema));
  const parsed = objectIn(text);
  return (
    <Textarea
      label={t.schema}
      required
      autosize
      minRows={1}
      maxRows={8}
      value={text}
      error={parsed === undefined ? t.notJson : undefined}
      ref={(field) => field?.setCustomValidity(parsed === undefined ? t.notJson : '')}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        const next = objectIn(value);
        if (next !== undefined) onChange(next);
      }}
    />
  );
}

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
