/** Sets and maps by the values of join columns. A key with a null is left out: null equals nothing. */
import type { Stored, StoredRow } from '../values/stored.js';

export type Key = Stored;

/** The key of a row: the value of a single member, or one text for several; undefined if one is null. */
export function keyOf(row: StoredRow, fields: readonly string[]): Key | undefined {
  if (fields.length === 1) {
    const value = row[fields[0]!];
    return value === null || value === undefined ? undefined : hashable(value);
  }
  return keyOfValues(fields.map((field) => row[field] ?? null));
}

/** The same from the values themselves. */
export function keyOfValues(values: readonly (Stored | null)[]): Key | undefined {
  if (values.length === 1) return values[0] === null ? undefined : hashable(values[0]!);
  const parts: string[] = [];
  for (const value of values) {
    if (value === null) return undefined;
    parts.push(`${typeof value}:${String(hashable(value))}`);
  }
  return JSON.stringify(parts);
}

/** Arrays and documents are equal by their text. */
function hashable(value: Stored): Key {
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

/** The distinct keys of some rows, with their values. */
export interface KeySet {
  readonly keys: ReadonlySet<Key>;
  /** One list of values per key, in the order of the join columns. */
  readonly tuples: readonly (readonly Stored[])[];
}

export function keySet(rows: Iterable<StoredRow>, fields: readonly string[]): KeySet {
  const keys = new Set<Key>();
  const tuples: Stored[][] = [];
  for (const row of rows) {
    const key = keyOf(row, fields);
    if (key === undefined || keys.has(key)) continue;
    keys.add(key);
    tuples.push(fields.map((field) => row[field]!));
  }
  return { keys, tuples };
}

export function groupByKey(rows: Iterable<StoredRow>, fields: readonly string[]): Map<Key, StoredRow[]> {
  const groups = new Map<Key, StoredRow[]>();
  for (const row of rows) {
    const key = keyOf(row, fields);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}
