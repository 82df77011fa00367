/**
 * Combines filters on stored rows. A row's index signature hides the logical operators from its type, hence the casts.
 */
import type { Filter } from 'plugboard/sdk';
import type { StoredRow } from '../values/stored.js';

export type RowFilter = Filter<StoredRow>;

/** No row passes. */
export const NOTHING = { $nor: [{}] } as unknown as RowFilter;

export function onField(field: string, condition: unknown): RowFilter {
  return { [field]: condition } as RowFilter;
}

export function allOf(filters: readonly RowFilter[]): RowFilter {
  if (filters.length > 1) return { $and: filters } as unknown as RowFilter;
  return filters[0] ?? {};
}

export function anyOf(filters: readonly RowFilter[]): RowFilter {
  if (filters.length > 1) return { $or: filters } as unknown as RowFilter;
  return filters[0] ?? NOTHING;
}

export function noneOf(filters: readonly RowFilter[]): RowFilter {
  return filters.length === 0 ? {} : ({ $nor: filters } as unknown as RowFilter);
}
