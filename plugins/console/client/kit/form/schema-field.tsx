/** The input for one member of a schema. */
import {
  JsonInput,
  MultiSelect,
  NumberInput,
  PasswordInput,
  type PasswordInputProps,
  Select,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/index.js';
import { useTexts } from '../texts.js';
import { choicesOf, withoutNull, type Schema } from '../schema.js';

export interface SchemaFieldProps {
  readonly label: string;
  readonly schema: Schema;
  readonly required: boolean;
  /** The text is masked. */
  readonly isPassword?: boolean;
  readonly value: unknown;
  readonly error?: string | undefined;
  onChange(value: unknown): void;
}

/** Texts longer than this get several lines. */
const LONG = 300;

export function SchemaField({
  label,
  schema,
  required,
  isPassword = false,
  value,
  error,
  onChange,
}: SchemaFieldProps): ReactNode {
  const plain = withoutNull(schema);
  const shared = { label, description: plain.description, required, error };
  const choices = choicesOf(plain);
  const text = typeof value === 'string' ? value : '';
  if (choices !== undefined)
    return (
      <Select
        {...shared}
        data={[...choices]}
        value={text === '' ? null : text}
        clearable={!required}
        onChange={(next) => onChange(next ?? undefined)}
      />
    );
  switch (plain.type) {
    case 'boolean':
      return (
        <Switch
          label={label}
          description={plain.description}
          error={error}
          checked={value === true || (value === undefined && plain.default === true)}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'integer':
    case 'number':
      return (
        <NumberInput
          {...shared}
          allowDecimal={plain.type === 'number'}
          {...(plain.minimum !== undefined && { min: plain.minimum })}
          {...(plain.maximum !== undefined && { max: plain.maximum })}
          placeholder={plain.default === undefined ? '' : String(plain.default)}
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => onChange(next === '' ? undefined : Number(next))}
        />
      );
    case 'array': {
      const items = choicesOf(plain.items ?? {});
      const list = Array.isArray(value) ? value.map(String) : [];
      if (items !== undefined)
        return <MultiSelect {...shared} data={[...items]} value={list} onChange={onChange} />;
      if (plain.items?.type === 'string') return <TagsInput {...shared} value={list} onChange={onChange} />;
      return <JsonField {...shared} value={value} onChange={onChange} />;
    }
    case 'string': {
      const props = {
        ...shared,
        value: text,
        ...(plain.maxLength !== undefined && { maxLength: plain.maxLength }),
        onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
      };
      if (isPassword) return <HiddenText {...props} />;
      if ((plain.maxLength ?? 0) > LONG && plain.format === undefined)
        return <Textarea {...props} autosize minRows={2} />;
      return <TextInput {...props} />;
    }
    default:
      return <JsonField {...shared} value={value} onChange={onChange} />;
  }
}

function HiddenText(props: PasswordInputProps): ReactNode {
  const t = useTexts(texts);
  const toggle = { 'aria-label': t.showPassword };
  return <PasswordInput {...props} autoComplete="new-password" visibilityToggleButtonProps={toggle} />;
}

/** Keeps the text until it is valid JSON. */
function JsonField({ value, onChange, ...shared }: Omit<SchemaFieldProps, 'schema'>): ReactNode {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  return (
    <JsonInput
      {...shared}
      value={text}
      validationError="JSON"
      formatOnBlur
      autosize
      minRows={3}
      onChange={(next) => {
        setText(next);
        try {
          onChange(next.trim() === '' ? undefined : (JSON.parse(next) as unknown));
        } catch {
          // The field reports it on blur.
        }
      }}
    />
  );
}
