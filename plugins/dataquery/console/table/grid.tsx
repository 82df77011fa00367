/** Rows of a table, with what their foreign keys reference. A cell opens the row at its column. */
import { Anchor, Checkbox, Group, Paper, Table as MantineTable, UnstyledButton } from '@mantine/core';
import { ArrowRightIcon, CaretDownIcon, CaretUpIcon } from '@radix-ui/react-icons';
import { useTexts } from 'plugboard/console';
import type { ReactNode } from 'react';
import { keyFilter } from '../query/filter.js';
import { relatedName } from '../query/request.js';
import { texts } from '../texts/index.js';
import { textOf } from '../values.js';
import { Cell } from './cell.js';
import classes from './grid.module.css';
import type { Column, Table } from '../tables.js';

export type Row = Readonly<Record<string, unknown>>;

interface GridProps {
  readonly table: Table;
  readonly rows: readonly Row[];
  readonly order: string;
  /** Keys of rows, as filters. */
  readonly selected: ReadonlySet<string>;
  onOrder(order: string): void;
  onSelect(selected: ReadonlySet<string>): void;
  onEdit(row: Row, column: string): void;
  /** Shows the rows of another table that a filter finds. */
  onFollow(table: string, filter: string): void;
}

export function Grid({ table, rows, order, selected, ...on }: GridProps): ReactNode {
  const t = useTexts(texts);
  const keyed = table.key.length > 0;
  const keys = rows.map((row) => keyFilter(table.key, row));
  const all = keys.length > 0 && keys.every((key) => selected.has(key));
  const toggle = (key: string): void => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    on.onSelect(next);
  };
  return (
    <Paper withBorder className={classes['frame']!} tabIndex={0} role="region" aria-label={table.name}>
      <MantineTable aria-label={table.name} highlightOnHover verticalSpacing={6}>
        <MantineTable.Thead className={classes['head']!}>
          <MantineTable.Tr>
            {keyed && (
              <MantineTable.Th w={36}>
                <Checkbox
                  size="xs"
                  aria-label={t.selectAll}
                  checked={all}
                  indeterminate={!all && selected.size > 0}
                  onChange={() => on.onSelect(new Set(all ? [] : keys))}
                />
              </MantineTable.Th>
            )}
            {table.columns.map((column) => (
              <Heading key={column.name} column={column} order={order} onOrder={on.onOrder} />
            ))}
          </MantineTable.Tr>
        </MantineTable.Thead>
        <MantineTable.Tbody>
          {rows.map((row, at) => {
            const key = keys[at] ?? '';
            return (
              <MantineTable.Tr
                key={keyed ? key : at}
                className={keyed && selected.has(key) ? classes['selected']! : ''}
              >
                {keyed && (
                  <MantineTable.Td>
                    <Checkbox
                      size="xs"
                      aria-label={t.select(key)}
                      checked={selected.has(key)}
                      onChange={() => toggle(key)}
                    />
                  </MantineTable.Td>
                )}
                {table.columns.map((column) => (
                  <MantineTable.Td key={column.name}>
                    <Value
                      column={column}
                      row={row}
                      keyed={keyed}
                      onEdit={on.onEdit}
                      onFollow={on.onFollow}
                    />
                  </MantineTable.Td>
                ))}
              </MantineTable.Tr>
            );
          })}
        </MantineTable.Tbody>
      </MantineTable>
    </Paper>
  );
}

interface HeadingProps {
  readonly column: Column;
  readonly order: string;
  onOrder(order: string): void;
}

/** Ascending, then descending, then by the key again. */
function Heading({ column: { name, type, kind, references }, order, onOrder }: HeadingProps): ReactNode {
  const t = useTexts(texts);
  const direction = order === `${name}.asc` ? 'ascending' : order === `${name}.desc` ? 'descending' : 'none';
  const next = direction === 'none' ? `${name}.asc` : direction === 'ascending' ? `${name}.desc` : '';
  return (
    <MantineTable.Th
      scope="col"
      aria-sort={direction}
      ta={kind === 'number' && references === undefined ? 'right' : 'left'}
    >
      <UnstyledButton title={t.order(name)} onClick={() => onOrder(next)} fz="sm">
        <Group gap={4} wrap="nowrap" align="flex-start">
          <span className={classes['column']}>
            {name}
            <span className={classes['type']}>{type}</span>
          </span>
          {direction === 'ascending' && <CaretUpIcon />}
          {direction === 'descending' && <CaretDownIcon />}
        </Group>
      </UnstyledButton>
    </MantineTable.Th>
  );
}

interface ValueProps extends Pick<GridProps, 'onEdit' | 'onFollow'> {
  readonly column: Column;
  readonly row: Row;
  readonly keyed: boolean;
}

function Value({ column: { name, kind, references }, row, keyed, onEdit, onFollow }: ValueProps): ReactNode {
  const t = useTexts(texts);
  const value = row[name];
  const classNames = `${classes['cell']} ${kind === 'number' && references === undefined ? classes['number'] : ''}`;
  const shown = keyed ? (
    <UnstyledButton className={classNames} title={t.edit(name)} onClick={() => onEdit(row, name)}>
      <Cell value={value} />
    </UnstyledButton>
  ) : (
    <span className={classNames}>
      <Cell value={value} />
    </span>
  );
  if (references === undefined || value === null || value === undefined) return shown;
  const label = Object.values((row[relatedName(name)] ?? {}) as Row)[0];
  const related = label === undefined || label === null ? '' : textOf(label);
  const { table, column } = references;
  return (
    <Group gap={6} wrap="nowrap">
      {shown}
      <Anchor
        component="button"
        size="sm"
        aria-label={`${related} ${t.related(table)}`.trim()}
        onClick={() => onFollow(table, keyFilter([column], { [column]: value }))}
      >
        <Group gap={4} wrap="nowrap" className={classes['related']!}>
          {related}
          <ArrowRightIcon />
        </Group>
      </Anchor>
    </Group>
  );
}
