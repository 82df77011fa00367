/** The equality conditions of a filter, which an upsert without a match inserts. */
import { isPlainObject, type Values } from './bson/value.js';
import { equal } from './order.js';

export interface Equality {
  /** Dotted, as in the filter. */
  readonly path: string;
  readonly value: unknown;
}

/** In filter order; a repeated path occurs twice. Never throws: reads what it can of an invalid filter. */
export function equalities(filter: object): Equality[] {
  return Object.entries(filter).flatMap(([key, value]: [string, unknown]) => {
    if (key === '$and' || (key === '$or' && Array.isArray(value) && value.length === 1)) return inAll(value);
    if (key.startsWith('$')) return [];
    if (!isPlainObject(value) || !Object.keys(value).some((name) => name.startsWith('$')))
      return [{ path: key, value }];
    return equalValues(value).map((one) => ({ path: key, value: one }));
  });
}

function inAll(filters: unknown): Equality[] {
  return Array.isArray(filters) ? filters.filter(isPlainObject).flatMap(equalities) : [];
}

/** MongoDB treats `$in` with one value as an equality. */
function equalValues({ $eq, $in }: Values): unknown[] {
  const values = $eq === undefined ? [] : [$eq];
  if (Array.isArray($in) && $in.length > 0 && $in.every((value) => equal(value, $in[0]))) values.push($in[0]);
  return values;
}
