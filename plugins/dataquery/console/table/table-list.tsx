/** The tables to the left of the grid, with a filter; on a narrow screen a select. */
import { NavLink, ScrollArea, Select, Stack, Text, TextInput } from '@mantine/core';
import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { useTexts } from 'plugboard/console';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import type { Table } from '../tables.js';
import { texts } from '../texts/index.js';
import classes from './table-list.module.css';

interface TableListProps {
  readonly tables: readonly Table[];
  /** Name of the shown table. */
  readonly shown: string;
  onOpen(name: string): void;
}

export function TableList({ tables, shown, onOpen }: TableListProps): ReactNode {
  const t = useTexts(texts);
  const [typed, setTyped] = useState('');
  const names = tables.map(({ name }) => name);
  const words = typed.toLowerCase().split(/\s+/);
  const found = names.filter((name) => words.every((word) => name.toLowerCase().includes(word)));
  const open = (name: string): void => {
    setTyped('');
    onOpen(name);
  };
  return (
    <>
      <Select
        hiddenFrom="md"
        label={t.table}
        data={names}
        value={shown}
        onChange={(next) => next !== null && onOpen(next)}
        searchable
        allowDeselect={false}
      />
      <Stack gap="xs" visibleFrom="md" className={classes['list']!} onKeyDown={moveFocus}>
        <TextInput
          type="search"
          aria-label={t.findTable}
          placeholder={t.findTable}
          leftSection={<MagnifyingGlassIcon />}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={({ key }) => {
            if (key === 'Enter' && found[0] !== undefined) open(found[0]);
            if (key === 'Escape') setTyped('');
          }}
        />
        <ScrollArea.Autosize mah="65vh" type="hover" scrollbarSize={6} role="group" aria-label={t.tables}>
          {found.map((name) => (
            <NavLink
              key={name}
              component="button"
              label={name}
              title={name}
              active={name === shown}
              aria-current={name === shown}
              onClick={() => open(name)}
              className={classes['entry']!}
              noWrap
            />
          ))}
          {found.length === 0 && (
            <Text size="sm" c="dimmed" px="xs" role="status">
              {t.noTableFound}
            </Text>
          )}
        </ScrollArea.Autosize>
      </Stack>
    </>
  );
}

/** Arrow keys move from the filter through the tables and back. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')];
  stops[stops.indexOf(event.target as HTMLElement) + step]?.focus();
  event.preventDefault();
}
