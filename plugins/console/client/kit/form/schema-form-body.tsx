/** The inputs, the error and the buttons of a form. */
import { Alert, Button, Group, Stack } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { texts } from '../../texts/index.js';
import { ApiError } from '../call.js';
import { describe } from '../queries.js';
import { SchemaField } from './schema-field.js';
import { isRequired, type ObjectSchema } from '../schema.js';
import { useTexts } from '../texts.js';

export interface SchemaFormProps {
  readonly schema: ObjectSchema;
  readonly initial?: Readonly<Record<string, unknown>>;
  /** The members to show, in order. Default: all. */
  readonly members?: readonly string[];
  /** Titles of members whose names are not clear enough: a page's texts will do. */
  readonly labels?: Readonly<Record<string, unknown>>;
  /** The verb on the button: `Create`. */
  readonly action: string;
  readonly busy?: boolean;
  /** The server's error for the last try, shown at its member if it names one. The input is kept. */
  readonly error?: Error | null;
  /** Called with the members that were filled in. */
  onSubmit(value: Record<string, unknown>): void;
  onCancel?(): void;
}

export default function SchemaFormBody(props: SchemaFormProps): ReactNode {
  const { schema, initial = {}, labels = {}, action, busy = false, error, onSubmit, onCancel } = props;
  const t = useTexts(texts);
  const members = props.members ?? Object.keys(schema.properties);
  const [value, setValue] = useState<Readonly<Record<string, unknown>>>(initial);
  const refused = error instanceof ApiError ? refusedMember(error, members) : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit(Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined && one !== '')));
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {error != null && refused === undefined && (
          <Alert color="red" variant="light" role="alert">
            {describe(error)}
          </Alert>
        )}
        {members.map((name) => (
          <SchemaField
            key={name}
            label={String(labels[name] ?? name)}
            schema={schema.properties[name] ?? {}}
            required={isRequired(schema, name)}
            isPassword={/password|secret|^apiKey$/i.test(name)}
            value={value[name]}
            error={refused === name ? error?.message : undefined}
            onChange={(next) => setValue((before) => ({ ...before, [name]: next }))}
          />
        ))}
        <Group justify="flex-end">
          {onCancel !== undefined && (
            <Button variant="default" onClick={onCancel}>
              {t.cancel}
            </Button>
          )}
          <Button type="submit" loading={busy}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Services write a member as `name`, `/name` or `body.name`. */
function refusedMember(error: ApiError, members: readonly string[]): string | undefined {
  const words = error.member?.split(/[/.[\]]/) ?? [];
  return members.find((name) => words.includes(name));
}
