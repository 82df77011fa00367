/** The grid's filters, as form rows and as text. */
import { ActionIcon, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { Cross2Icon, PlusIcon } from '@radix-ui/react-icons';
import { useTexts } from 'plugboard/console';
import { useEffect, useState, type FormEvent, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import type { Table } from '../tables.js';
import { filterText, OPERATORS, parseFilters, type Filter } from './filter.js';

interface FilterBarProps {
  readonly table: Table;
  readonly text: string;
  onChange(text: string): void;
}

export function FilterBar({ table, text, onChange }: FilterBarProps): ReactNode {
  const t = useTexts(texts);
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  /** A new filter joins the query once it has a value. */
  const [begun, setBegun] = useState<Filter>();
  const filters = parseFilters(text);
  const change = (at: number, part: Partial<Filter>): void =>
    onChange(filterText(filters.map((one, each) => (each === at ? { ...one, ...part } : one))));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onChange(typed.trim().replace(/^\?/, ''));
  };
  return (
    <Stack gap="xs">
      {filters.map((filter, at) => (
        <FilterRow
          key={at}
          table={table}
          filter={filter}
          onChange={(part) => change(at, part)}
          onRemove={() => onChange(filterText(filters.filter((_one, each) => each !== at)))}
        />
      ))}
      {begun !== undefined && (
        <FilterRow
          table={table}
          filter={begun}
          onChange={(part) => {
            const next = { ...begun, ...part };
            setBegun(part.value === undefined ? next : undefined);
            if (part.value !== undefined) onChange(filterText([...filters, next]));
          }}
          onRemove={() => setBegun(undefined)}
        />
      )}
      <Group gap="xs" align="flex-end">
        <Button
          variant="default"
          leftSection={<PlusIcon />}
          disabled={begun !== undefined}
          onClick={() => setBegun({ column: table.columns[0]?.name ?? '', operator: 'eq', value: '' })}
        >
          {t.addFilter}
        </Button>
        <form onSubmit={submit} style={{ flex: '1 1 220px' }}>
          <TextInput
            aria-label={t.filterText}
            placeholder={t.filterTextHint}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            onBlur={submit}
            ff="monospace"
            spellCheck={false}
          />
        </form>
      </Group>
    </Stack>
  );
}

interface FilterRowProps {
  readonly table: Table;
  readonly filter: Filter;
  onChange(part: Partial<Filter>): void;
  onRemove(): void;
}

function FilterRow({
  table,
  filter: { column, operator, value },
  onChange,
  onRemove,
}: FilterRowProps): ReactNode {
  const t = useTexts(texts);
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const names = table.columns.map(({ name }) => name);
  const operators: string[] = OPERATORS.includes(operator as 'eq')
    ? [...OPERATORS]
    : [operator, ...OPERATORS];
  return (
    <Group gap="xs" wrap="wrap">
      <Select
        aria-label={t.column}
        data={names.includes(column) ? names : [column, ...names]}
        value={column}
        onChange={(next) => next !== null && onChange({ column: next })}
        searchable
        allowDeselect={false}
        w={170}
      />
      {operator !== '' && (
        <Select
          aria-label={t.operator}
          data={operators}
          value={operator}
          onChange={(next) => next !== null && onChange({ operator: next })}
          allowDeselect={false}
          w={100}
        />
      )}
      <TextInput
        aria-label={t.value}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={() => typed !== value && onChange({ value: typed })}
        onKeyDown={({ key }) => key === 'Enter' && onChange({ value: typed })}
        flex="1 1 140px"
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t.removeFilter(column)}
        onClick={onRemove}
      >
        <Cross2Icon />
      </ActionIcon>
    </Group>
  );
}
