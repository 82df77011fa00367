/** Primary keys and unique constraints: which row has a value already, and the error for it. */
import type { Collection, Filter, ServiceError } from 'plugboard/sdk';
import type { Column, Relation, UniqueConstraint } from '../catalog/model.js';
import type { Budget } from '../base/budget.js';
import { errors } from '../base/errors.js';
import type { Stored, StoredRow } from '../values/stored.js';
import type { RowValues } from './row-constraints.js';

/** The primary key first, under PostgreSQL's name for it. */
export function uniqueConstraints(table: Relation): UniqueConstraint[] {
  const primary =
    table.primaryKey.length === 0 ? [] : [{ name: `${table.name}_pkey`, columns: table.primaryKey }];
  return [...primary, ...table.unique];
}

export function columnsOf(table: Relation, names: readonly string[]): Column[] {
  return names.flatMap((name) => table.columns.get(name) ?? []);
}

/** The values of the columns, or undefined if one is null: such a row conflicts with none. */
export function keyOf(columns: readonly Column[], row: RowValues): readonly Stored[] | undefined {
  const values = columns.map(({ field }) => row[field] ?? null);
  return values.every((value) => value !== null) ? values : undefined;
}

/** One text per key, for maps. */
export function keyText(columns: readonly Column[], key: readonly Stored[]): string {
  return JSON.stringify(columns.map(({ type }, at) => type.toText(key[at] as Stored)));
}

/** Matches the rows that have one of the keys. */
export function keysFilter(
  columns: readonly Column[],
  keys: readonly (readonly Stored[])[],
): Filter<StoredRow> {
  const [single] = columns;
  const filter: Filter =
    columns.length === 1 && single !== undefined
      ? { [single.field]: { $in: keys.map(([value]) => value) } }
      : { $or: keys.map((key) => Object.fromEntries(columns.map(({ field }, at) => [field, key[at]]))) };
  return filter as Filter<StoredRow>;
}

/** Why storage refused the rows: finds the first that is repeated or exists already. */
export async function findDuplicate(
  collection: Collection<StoredRow>,
  table: Relation,
  rows: readonly RowValues[],
  budget: Budget,
): Promise<ServiceError> {
  for (const constraint of uniqueConstraints(table)) {
    const columns = columnsOf(table, constraint.columns);
    const seen = new Set<string>();
    for (const row of rows) {
      if (budget.isDue) await budget.pause();
      const key = keyOf(columns, row);
      if (key === undefined) continue;
      const text = keyText(columns, key);
      const others = await collection.find(keysFilter(columns, [key])).toArray();
      if (seen.has(text) || others.some(({ _id }) => _id !== row['_id']))
        return duplicate(constraint, columns, key);
      seen.add(text);
    }
  }
  // The conflicting row is gone by now.
  return errors['40001']();
}

function duplicate(
  constraint: UniqueConstraint,
  columns: readonly Column[],
  key: readonly Stored[],
): ServiceError {
  return errors['23505']({
    values: { constraint: constraint.name },
    details: `Key ${keyDetails(columns, key)} already exists.`,
  });
}

/** `(id, name)=(1, a)` */
export function keyDetails(columns: readonly Column[], key: readonly Stored[]): string {
  const names = columns.map(({ name }) => name).join(', ');
  const values = columns.map(({ type }, at) => type.toText(key[at] as Stored)).join(', ');
  return `(${names})=(${values})`;
}
