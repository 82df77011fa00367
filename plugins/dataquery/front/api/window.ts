/** The requested part of the root's rows: by `limit` and `offset`, and by the `Range` header. */
import type { Incoming } from '../http/exchange.js';
import { intersect, parseRange, type RowRange } from '../http/range.js';
import type { Query } from '../../engine/query/query.js';

/** From the query string; a limit may still be negative. */
export interface AskedWindow {
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

/** Takes `limit` and `offset` of the root out of the query: a range may narrow them. */
export function rootWindow(query: Query): { readonly window: AskedWindow; readonly rest: Query } {
  const isRoot = ({ path }: { path: readonly string[] }): boolean => path.length === 0;
  return {
    window: {
      limit: query.limits.findLast(isRoot)?.value,
      offset: query.offsets.findLast(isRoot)?.value,
    },
    rest: {
      ...query,
      limits: query.limits.filter((limit) => !isRoot(limit)),
      offsets: query.offsets.filter((offset) => !isRoot(offset)),
    },
  };
}

/** `Range` counts for GET alone (RFC 9110, 14.2). Throws SVC103. */
export function requestedRange({ method, header }: Incoming, { limit, offset }: AskedWindow): RowRange {
  const range = method === 'GET' ? parseRange(header('range'), header('range-unit')) : undefined;
  return intersect(range, limit, offset);
}
