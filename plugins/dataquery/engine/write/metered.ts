/** Writes of rows that count what they cost, and are made in parts: one call of a store is done in one go. */
import type { Relation } from '../catalog/model.js';
import { eachPaced, type Budget } from '../base/budget.js';
import type { CollectionOf } from '../rows/row-store.js';
import type { StoredRow } from '../values/stored.js';

export interface Metered {
  readonly collection: CollectionOf;
  readonly budget: Budget;
}

/** Rows that one call of a store is given. */
export const PART = 250;

/** Counts rows that are about to be stored or removed. Throws SVC129. */
export async function spend(budget: Budget, rows: readonly StoredRow[]): Promise<void> {
  budget.spendWrites(rows.length, 0);
  await eachPaced(budget, rows, (row) => budget.spendWrites(0, charactersOf(row)));
}

/** Puts rows in the place of those that have their ids. Throws SVC129. */
export async function replaceRows(
  { collection, budget }: Metered,
  table: Relation,
  rows: readonly StoredRow[],
): Promise<void> {
  await spend(budget, rows);
  await collection(table).bulkWrite(
    rows.map((after) => ({ replaceOne: { filter: { _id: after._id }, replacement: after } })),
  );
}

/** Throws SVC129: a store reads what it removes, and keeps a record of it. */
export async function removeRows(
  { collection, budget }: Metered,
  table: Relation,
  rows: readonly StoredRow[],
): Promise<void> {
  await spend(budget, rows);
  for (const part of inParts(rows))
    await collection(table).deleteMany({ _id: { $in: part.map(({ _id }) => _id) } });
}

export function* inParts<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += PART) yield items.slice(at, at + PART);
}

/** What a number, a moment or a name takes is said roughly. */
const SMALL = 8;

function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + charactersOf(item), SMALL);
  if (typeof value !== 'object' || value === null || value instanceof Date) return SMALL;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  return Object.values(value).reduce((sum: number, item) => sum + SMALL + charactersOf(item), SMALL);
}
