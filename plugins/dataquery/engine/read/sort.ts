/** Sorts rows in memory, if storage cannot. */
import { mapPaced, sortPaced, type Budget } from '../base/budget.js';
import type { Ordering } from '../plan/level.js';
import type { Stored, StoredRow } from '../values/stored.js';

/** Ties are in insertion order. A derived value, such as a step into a document, is computed once. */
export async function sortRows(
  budget: Budget,
  rows: readonly StoredRow[],
  order: readonly Ordering[],
): Promise<StoredRow[]> {
  if (order.every(({ value }) => value.plain)) {
    const isLong = await someLongIn(budget, rows, order);
    return sortPaced(budget, rows, comparingPlain(order), isLong);
  }
  let long = false;
  const keyed = await mapPaced(budget, rows, (row) => {
    const values = order.map(({ value }) => value.read(row));
    long ||= values.some(isLong);
    return { row, values };
  });
  const sorted = await sortPaced(
    budget,
    keyed,
    comparing(
      order,
      ({ values }, at) => values[at]!,
      (a, b) => byInsertion(a.row, b.row),
    ),
    long,
  );
  return sorted.map(({ row }) => row);
}

/** This many short values are sorted in microseconds. */
const FEW = 32;

/** The same at once; undefined if that may take long. */
export function sortedFew(rows: readonly StoredRow[], order: readonly Ordering[]): StoredRow[] | undefined {
  if (rows.length > FEW) return undefined;
  for (const { value } of order) {
    if (!value.plain || rows.some((row) => isLong(value.read(row)))) return undefined;
  }
  return rows.toSorted(comparingPlain(order));
}

/** Of texts; two with the same beginning are compared to where they differ, or both parsed as JSON. */
const LONG = 4_096;

/** Whether some values are so long that one comparison may take milliseconds. */
export async function someLong(budget: Budget, values: readonly (Stored | null)[]): Promise<boolean> {
  for (const value of values) {
    if (budget.isDue) await budget.pause();
    if (isLong(value)) return true;
  }
  return false;
}

async function someLongIn(
  budget: Budget,
  rows: readonly StoredRow[],
  order: readonly Ordering[],
): Promise<boolean> {
  for (const { value } of order) {
    for (const row of rows) {
      if (budget.isDue) await budget.pause();
      if (isLong(value.read(row))) return true;
    }
  }
  return false;
}

function isLong(value: Stored | null): boolean {
  return typeof value === 'string' ? value.length > LONG : typeof value === 'object' && value !== null;
}

function byInsertion(a: StoredRow, b: StoredRow): number {
  return a._id < b._id ? -1 : a._id > b._id ? 1 : 0;
}

function comparingPlain(order: readonly Ordering[]): (a: StoredRow, b: StoredRow) => number {
  return comparing(order, (row, at) => order[at]!.value.read(row), byInsertion);
}

function comparing<T>(
  order: readonly Ordering[],
  valueOf: (item: T, at: number) => Stored | null,
  last: (a: T, b: T) => number,
): (a: T, b: T) => number {
  return (a, b) => {
    for (let at = 0; at < order.length; at++) {
      const result = compareValues(order[at]!, valueOf(a, at), valueOf(b, at));
      if (result !== 0) return result;
    }
    return last(a, b);
  };
}

export function compareValues(
  { value, descending, nullsFirst }: Ordering,
  a: Stored | null,
  b: Stored | null,
): number {
  if (a === null || b === null) {
    if (a === b) return 0;
    return (a === null) === nullsFirst ? -1 : 1;
  }
  return descending ? value.type.compare(b, a) : value.type.compare(a, b);
}
