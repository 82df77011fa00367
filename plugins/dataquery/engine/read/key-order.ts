/**
 * Orders by a key: the key's index lacks rows with a null. No row has one, and with a filter that says so storage may
 * use the index.
 */
import type { Sort } from 'plugboard/sdk';
import type { Relation } from '../catalog/model.js';
import { onField, type RowFilter } from './row-filter.js';

/** True of every row; lets an index serve the sort. */
export function keyConditions(stored: Relation, sort: Sort, filter: RowFilter): RowFilter[] {
  if (stored.kind !== 'table') return [];
  const [first] = Object.keys(sort);
  if (first === undefined || first === '_id') return [];
  const key = keysOf(stored).find((fields) => fields[0] === first);
  return (key ?? []).filter((field) => !mentions(filter, field)).map((field) => onField(field, THERE));
}

const THERE = { $exists: true };

/** The members of the keys whose columns are never null. */
export function keysOf(table: Relation): string[][] {
  const unique = table.unique
    .map(({ columns }) => columns)
    .filter((columns) => columns.every((name) => table.columns.get(name)?.required === true));
  return [table.primaryKey, ...unique].map((columns) =>
    columns.flatMap((name) => table.columns.get(name)?.field ?? []),
  );
}

function mentions(filter: RowFilter, field: string): boolean {
  const { $and: parts } = filter as { readonly $and?: readonly RowFilter[] };
  return Object.hasOwn(filter, field) || (parts?.some((part) => mentions(part, field)) ?? false);
}
