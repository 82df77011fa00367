/** Rows in columns, with all states of a list. */
import { Alert, Button, Group, Paper, Skeleton, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { ChevronLeftIcon, ChevronRightIcon } from '@radix-ui/react-icons';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { texts } from '../texts/index.js';
import type { List } from './list.js';
import { Failed, NoMatch } from './states.js';
import classes from './table.module.css';
import { useTexts } from './texts.js';

export interface Column<R> {
  readonly key: string;
  readonly title: string;
  /** `undefined` shows a dash. */
  cell(row: R): ReactNode;
  readonly align?: 'left' | 'right';
  readonly width?: number | string;
}

export interface ListTableProps<R> {
  /** What the rows are: the table's name. */
  readonly name: string;
  readonly list: List<R>;
  readonly columns: readonly Column<R>[];
  rowKey(row: R): string;
  /** Shown if there are no rows at all. */
  readonly empty: ReactNode;
  /** Whether a search or filter is set: then no rows means no match. */
  readonly filtered?: boolean;
  /** Opens a row by click or Enter. */
  onOpen?(row: R): void;
  /** `RowButton`s at the end of a row. */
  actions?(row: R): ReactNode;
}

export function ListTable<R>({
  name,
  list,
  columns,
  rowKey,
  empty,
  filtered = false,
  onOpen,
  actions,
}: ListTableProps<R>): ReactNode {
  const t = useTexts(texts);
  const { rows, error, stale } = list;
  if (error !== null && rows === undefined) return <Failed error={error} retry={list.reload} />;
  if (rows?.length === 0 && list.previous === undefined) return filtered ? <NoMatch /> : empty;
  return (
    <Stack gap="sm">
      {stale && (
        <Alert color="yellow" variant="light" role="status">
          {t.stale}
        </Alert>
      )}
      <Paper withBorder className={classes['frame']!} tabIndex={0} role="region" aria-label={name}>
        {/* Explicit roles: a style sheet that turns rows into cards removes them. */}
        <Table
          role="table"
          verticalSpacing="sm"
          horizontalSpacing="md"
          highlightOnHover={onOpen !== undefined}
          aria-label={name}
        >
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              {columns.map(({ key, title, align = 'left', width }) => (
                <Table.Th
                  key={key}
                  role="columnheader"
                  ta={align}
                  w={width}
                  scope="col"
                  className={classes['title']!}
                >
                  {title}
                </Table.Th>
              ))}
              {actions !== undefined && (
                <Table.Th role="columnheader" scope="col" className={classes['title']!}>
                  <VisuallyHidden>{t.actions}</VisuallyHidden>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup" aria-busy={rows === undefined}>
            {rows === undefined ? (
              <Bones columns={columns.length + (actions === undefined ? 0 : 1)} />
            ) : (
              rows.map((row) => (
                <Table.Tr key={rowKey(row)} role="row" {...(onOpen && opens(() => onOpen(row)))}>
                  {columns.map((column) => (
                    <Cell key={column.key} column={column} content={column.cell(row)} />
                  ))}
                  {actions !== undefined && <Actions buttons={actions(row)} />}
                </Table.Tr>
              ))
            )}
          </Table.Tbody>
        </Table>
      </Paper>
      <Pager list={list} />
    </Stack>
  );
}

function opens(open: () => void): object {
  return {
    className: classes['row'],
    tabIndex: 0,
    onClick: (event: MouseEvent) => {
      // A click on a button or link in the row, or a text selection, must not open it.
      const isOther =
        (event.target as Element).closest('a, button, input, [role="menu"], [role="dialog"]') !== null;
      if (!isOther && getSelection()?.isCollapsed !== false) open();
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter' && event.target === event.currentTarget) open();
    },
  };
}

function Cell<R>({
  column: { title, align = 'left' },
  content,
}: {
  column: Column<R>;
  content: ReactNode;
}): ReactNode {
  return (
    <Table.Td role="cell" ta={align} data-title={title} data-blank={content === undefined || undefined}>
      {/* One child, so that a card shows the whole value on its right. */}
      <div>{content ?? <Dash />}</div>
    </Table.Td>
  );
}

/** Blank, like a cell, if a row has no buttons. */
function Actions({ buttons }: { buttons: ReactNode }): ReactNode {
  const isBlank = buttons === undefined || buttons === null || buttons === false;
  return (
    <Table.Td role="cell" data-untitled data-blank={isBlank || undefined}>
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        {buttons}
      </Group>
    </Table.Td>
  );
}

function Dash(): ReactNode {
  return (
    <Text c="dimmed" component="span" aria-hidden>
      –
    </Text>
  );
}

function Bones({ columns }: { columns: number }): ReactNode {
  const t = useTexts(texts);
  return Array.from({ length: 5 }, (_row, at) => (
    <Table.Tr key={at}>
      {Array.from({ length: columns }, (_cell, column) => (
        <Table.Td key={column}>
          <Skeleton height={14} radius="sm" />
          {at === 0 && column === 0 && <VisuallyHidden role="status">{t.loading}</VisuallyHidden>}
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}

/** The position in the list. Empty for a single page of unknown length. */
function Pager<R>({ list: { rows, from, total, previous, next } }: { list: List<R> }): ReactNode {
  const t = useTexts(texts);
  if (rows === undefined) return null;
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed" role="status">
        {rows.length > 0 && t.rows(from, from + rows.length - 1, total)}
      </Text>
      {(previous ?? next) !== undefined && (
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            disabled={previous === undefined}
            onClick={previous}
            leftSection={<ChevronLeftIcon />}
          >
            {t.previous}
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={next === undefined}
            onClick={next}
            rightSection={<ChevronRightIcon />}
          >
            {t.next}
          </Button>
        </Group>
      )}
    </Group>
  );
}
