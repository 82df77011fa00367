/**
 * What is true of every row, said so that storage may answer from the index of a key alone: such an index lacks the rows
 * with a null in it, which no row has.
 */
import type { Column, Relation } from '../catalog/model.js';
import { keysOf } from './key-order.js';
import { allOf, onField, type RowFilter } from './row-filter.js';

/** The filter, with conditions that pass every row, where one key has all that is read and the filter asks for. */
export function overKey(stored: Relation, filter: RowFilter, read: readonly string[]): RowFilter {
  if (stored.kind !== 'table') return filter;
  const asked = new Set<string>();
  collectMembers(filter, asked);
  const key = keysOf(stored).find((fields) => [...read, ...asked].every((member) => fields.includes(member)));
  const lacking = (key ?? []).filter((field) => !asked.has(field));
  if (lacking.length === 0) return filter;
  const conditions = lacking.map((field) => everyValue(stored, field));
  if (conditions.includes(undefined)) return filter;
  return allOf([filter, ...conditions.filter((condition) => condition !== undefined)]);
}

function collectMembers(filter: object, members: Set<string>): void {
  for (const [name, value] of Object.entries(filter)) {
    if (!name.startsWith('$')) members.add(name);
    else if (Array.isArray(value)) for (const part of value as object[]) collectMembers(part, members);
  }
}

/** A range, which unlike `$exists` is decided by the keys of an index in every store. */
function everyValue(stored: Relation, field: string): RowFilter | undefined {
  const column = [...stored.columns.values()].find((one) => one.field === field);
  const least = column === undefined ? undefined : leastOf(column);
  return least === undefined ? undefined : onField(field, { $gte: least });
}

function leastOf({ type: { family } }: Column): string | number | undefined {
  if (family === 'integer') return -Infinity;
  return family === 'text' ? '' : undefined;
}
