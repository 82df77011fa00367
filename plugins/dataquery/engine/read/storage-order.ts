/** The order of rows as far as storage can give it: by stored members, nulls first. */
import type { Sort } from 'plugboard/sdk';
import { oncePer } from '../base/once-per.js';
import type { Ordering } from '../plan/level.js';

export type StorageOrder =
  | { readonly kind: 'sorted'; readonly sort: Sort }
  /** The first member's nulls belong at the other end: rows with and without a value are two ranges. */
  | {
      readonly kind: 'nulls-apart';
      readonly field: string;
      readonly nullsFirst: boolean;
      readonly values: Sort;
      readonly nulls: Sort;
    }
  /** Sorted here, from all rows. */
  | { readonly kind: 'memory' };

export const storageOrder = oncePer((order: readonly Ordering[]): StorageOrder => {
  // Without an order rows come in insertion order: ids grow.
  if (order.length === 0) return { kind: 'sorted', sort: { _id: 1 } };
  if (!order.every(({ value }) => value.plain && value.type.ordered)) return { kind: 'memory' };
  const apart = order.filter(
    ({ value, nullsFirst, descending }) => value.nullable && nullsFirst === descending,
  );
  if (apart.length === 0) return { kind: 'sorted', sort: sortBy(order) };
  const [first, ...rest] = order;
  if (apart.length > 1 || apart[0] !== first || first === undefined) return { kind: 'memory' };
  return {
    kind: 'nulls-apart',
    field: first.value.field,
    nullsFirst: first.nullsFirst,
    values: sortBy(order),
    nulls: rest.length === 0 ? { _id: 1 } : sortBy(rest),
  };
});

/** If a member is named twice the first counts. */
function sortBy(order: readonly Ordering[]): Sort {
  const sort: Record<string, 1 | -1> = {};
  for (const { value, descending } of order) sort[value.field] ??= descending ? -1 : 1;
  return sort;
}
