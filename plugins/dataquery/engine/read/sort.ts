/** The order of rows in memory, where storage cannot give it. */
import type { Ordering } from '../plan/level.js';
import type { Stored, StoredRow } from '../values/stored.js';

/** Ties are broken by the order of insertion. */
export function compareRows(order: readonly Ordering[]): (a: StoredRow, b: StoredRow) => number {
  return (a, b) => {
    for (const ordering of order) {
      const { value } = ordering;
      const result = compareValues(ordering, value.read(a), value.read(b));
      if (result !== 0) return result;
    }
    return a._id < b._id ? -1 : a._id > b._id ? 1 : 0;
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
