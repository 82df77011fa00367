/** The panel that creates or changes a row, one field per column. */
import { Alert, Badge, Button, Drawer, Group, Select, Stack, Textarea } from '@mantine/core';
import { describe, useTexts, useWrite } from 'plugboard/console';
import { useState, type FormEvent, type ReactNode } from 'react';
import { keyFilter } from '../query/filter.js';
import { texts } from '../texts/index.js';
import type { Row } from '../table/grid.js';
import type { Column, Table } from '../tables.js';
import { undoChange, undoInsert, unchanged } from './undo.js';
import type { OfferUndo } from './use-undo.js';
import { bodyOf, entryOf, shownText, type Draft, type Entry } from './draft.js';

interface RowFormProps {
  readonly table: Table;
  /** The table's path. */
  readonly path: string;
  /** As it was read; undefined for a new row. */
  readonly row: Row | undefined;
  /** The column whose field has the focus. */
  readonly column?: string | undefined;
  readonly offer: OfferUndo;
  onClose(): void;
}

export function RowForm({ table, path, row, column, offer, onClose }: RowFormProps): ReactNode {
  const t = useTexts(texts);
  const [draft, setDraft] = useState<Draft>({});
  const body = bodyOf(draft, table.columns);
  const changed = table.columns.filter(({ name }) => name in body);
  // Overwrites nobody's change of these columns, so that an undo restores what was there.
  const filter = row && unchanged(table, row, changed);
  const write = useWrite<Row[]>({
    changes: [path],
    quiet: true,
    done: ([written]) => {
      if (written === undefined) return undefined;
      return row === undefined
        ? offer(t.inserted, undoInsert(table, path, written))
        : offer(t.saved, filter === undefined ? undefined : undoChange(table, path, row, written, changed));
    },
  });
  const [missed, setMissed] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setMissed(false);
    const headers = { prefer: 'return=representation' };
    // By the key that the row was read with, even if the key itself changes.
    const request =
      row === undefined
        ? ({ method: 'POST', path, body, headers, exact: true } as const)
        : ({
            method: 'PATCH',
            path: `${path}?${filter ?? keyFilter(table.key, row)}`,
            body,
            headers,
            exact: true,
          } as const);
    write.mutate(request, { onSuccess: (rows) => (rows.length === 0 ? setMissed(true) : onClose()) });
  };
  const title = row === undefined ? t.newRow : t.editRow;
  const alert = write.error !== null ? describe(write.error) : missed ? t.nothingChanged : undefined;
  return (
    <Drawer
      opened
      onClose={onClose}
      title={`${title}: ${table.name}`}
      closeButtonProps={{ 'aria-label': t.cancel }}
    >
      <form onSubmit={submit}>
        <Stack>
          {alert !== undefined && (
            <Alert role="alert" color={missed ? 'yellow' : 'red'} variant="light">
              {alert}
            </Alert>
          )}
          {table.columns.map((one) => (
            <Field
              key={one.name}
              column={one}
              row={row}
              entry={entryOf(draft, one.name)}
              focused={one.name === column}
              onChange={(entry) => setDraft((before) => ({ ...before, [one.name]: entry }))}
            />
          ))}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.cancel}
            </Button>
            <Button
              type="submit"
              loading={write.isPending}
              disabled={row !== undefined && Object.keys(body).length === 0}
            >
              {row === undefined ? t.insert : t.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Drawer>
  );
}

interface FieldProps {
  readonly column: Column;
  readonly row: Row | undefined;
  readonly entry: Entry;
  readonly focused: boolean;
  onChange(entry: Entry): void;
}

function Field({ column, row, entry, focused, onChange }: FieldProps): ReactNode {
  const t = useTexts(texts);
  const { name, type, comment, isKey, required, generated, values } = column;
  const isNull =
    entry.kind === 'null' || (entry.kind === 'untouched' && row !== undefined && row[name] === null);
  const placeholder = isNull
    ? t.null
    : entry.kind === 'untouched' && row === undefined
      ? t.useDefault
      : t.emptyText;
  const shared = {
    label: name,
    description: [type, comment].filter((part) => part !== undefined).join(' · '),
    placeholder,
    disabled: generated,
    'data-autofocus': focused || undefined,
  };
  const text = shownText(entry, row, name);
  return (
    <Stack gap={4}>
      {values === undefined ? (
        <Textarea
          {...shared}
          autosize
          minRows={1}
          maxRows={12}
          value={text}
          onChange={({ currentTarget }) => onChange({ kind: 'text', text: currentTarget.value })}
        />
      ) : (
        <Select
          {...shared}
          data={[...values]}
          value={text === '' ? null : text}
          allowDeselect={false}
          onChange={(next) => next !== null && onChange({ kind: 'text', text: next })}
        />
      )}
      <Group gap="xs">
        {isKey && <Badge color="gray">{t.primaryKey}</Badge>}
        {!isKey && !required && !generated && (
          <Button
            size="compact-xs"
            variant={isNull ? 'filled' : 'default'}
            aria-label={t.setNull(name)}
            aria-pressed={isNull}
            onClick={() => onChange({ kind: 'null' })}
          >
            {t.null}
          </Button>
        )}
        {row === undefined && entry.kind !== 'untouched' && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t.setDefault(name)}
            onClick={() => onChange({ kind: 'untouched' })}
          >
            {t.useDefault}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
