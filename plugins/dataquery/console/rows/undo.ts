/** The request that undoes a write, if the rows are still as the write left them. */
import type { ApiRequest } from 'plugboard/console';
import { filterText, keyFilter } from '../query/filter.js';
import { textOf } from '../values.js';
import type { Row } from '../table/grid.js';
import type { Column, Table } from '../tables.js';

const headers = { prefer: 'return=representation' };
/** Characters. Proxies refuse addresses of more than 8,000. */
const LONGEST = 6000;

/** The row with the key and these values in the columns; without the values if they cannot be filtered by. */
export function unchanged(table: Table, row: Row, columns: readonly Column[]): string | undefined {
  // PostgreSQL has no equality of json, and an unreadable column has an unknown value.
  if (columns.some(({ name, type }) => type === 'json' || row[name] === undefined)) return undefined;
  const values = columns.map(({ name, type }) => {
    const value = row[name];
    if (value === null) return { column: name, operator: 'is', value: 'null' };
    return { column: name, operator: 'eq', value: type.endsWith('[]') ? arrayText(value) : textOf(value) };
  });
  const key = keyFilter(table.key, row);
  const filter = values.length === 0 ? key : `${key}&${filterText(values)}`;
  return filter.length > LONGEST ? undefined : filter;
}

/** `before`: the row before the change. */
export function undoChange(
  table: Table,
  path: string,
  before: Row,
  after: Row,
  changed: readonly Column[],
): ApiRequest | undefined {
  const filter = unchanged(table, after, changed);
  if (filter === undefined) return undefined;
  const body = Object.fromEntries(changed.map(({ name }) => [name, before[name]]));
  return { method: 'PATCH', path: `${path}?${filter}`, body, headers };
}

export function undoInsert(table: Table, path: string, row: Row): ApiRequest | undefined {
  const filter = unchanged(
    table,
    row,
    table.columns.filter(({ isKey }) => !isKey),
  );
  return filter === undefined ? undefined : { method: 'DELETE', path: `${path}?${filter}`, headers };
}

/** A key that is taken again is a conflict. Values that only the server generates would differ. */
export function undoDelete(table: Table, path: string, rows: readonly Row[]): ApiRequest | undefined {
  const isWhole = (row: Row): boolean =>
    table.columns.every(({ name, generated }) => row[name] !== undefined && !generated);
  if (!rows.every(isWhole)) return undefined;
  return { method: 'POST', path, body: rows, headers };
}

/** `{a,"b c",NULL}` */
function arrayText(value: unknown): string {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return `{${value.map(arrayText).join(',')}}`;
  return typeof value === 'string' || typeof value === 'object'
    ? `"${textOf(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`
    : String(value);
}
