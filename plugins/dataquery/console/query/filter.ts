/** Filters as form rows and as text. The text is the only state: a query string, as the API takes it. */
import { textOf } from '../values.js';

export interface Filter {
  readonly column: string;
  /** Empty: the value is whole, as in `or=(...)`. */
  readonly operator: string;
  readonly value: string;
}

export const OPERATORS = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'ilike',
  'in',
  'is',
  'cs',
  'not.is',
] as const;

const OPERATOR = /^((?:not\.)?[a-z]+)\.([^]*)$/;

export function parseFilters(text: string): Filter[] {
  return Array.from(new URLSearchParams(text), ([column, whole]) => {
    const [, operator, value] = OPERATOR.exec(whole) ?? [];
    return operator === undefined || value === undefined
      ? { column, operator: '', value: whole }
      : { column, operator, value };
  });
}

/** Readable: escapes only what it must. */
export function filterText(filters: readonly Filter[]): string {
  return filters
    .map(
      ({ column, operator, value }) =>
        `${escaped(column)}=${escaped(operator === '' ? value : `${operator}.${value}`)}`,
    )
    .join('&');
}

function escaped(text: string): string {
  return encodeURIComponent(text).replaceAll(/%(?:2C|28|29|3A|2A|40)/g, decodeURIComponent);
}

/** The filter that finds a row by the key it was read with. */
export function keyFilter(key: readonly string[], row: Readonly<Record<string, unknown>>): string {
  return filterText(key.map((column) => ({ column, operator: 'eq', value: textOf(row[column]) })));
}
