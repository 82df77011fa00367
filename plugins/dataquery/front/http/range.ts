/** `Range` with the unit `items`, and `Content-Range`. */
import { errors } from '../../engine/base/errors.js';

export interface RowRange {
  readonly offset: number;
  /** Undefined: to the end. */
  readonly limit: number | undefined;
}

/** The rows of a `Range` header; undefined without one, or for another unit. Throws SVC103. */
export function parseRange(header: string | undefined, unit: string | undefined): RowRange | undefined {
  if (header === undefined || (unit !== undefined && unit !== 'items')) return undefined;
  const match = /^\s*(?:items=)?(\d{1,15})-(\d{1,15})?\s*$/.exec(header);
  if (match === null) return undefined;
  const first = Number(match[1]);
  if (match[2] === undefined) return { offset: first, limit: undefined };
  const last = Number(match[2]);
  if (last < first) {
    throw errors.SVC103({
      details: 'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    });
  }
  return { offset: first, limit: last - first + 1 };
}

/** The intersection of a range and of `limit` and `offset`. Throws SVC103 for a negative limit. */
export function intersect(
  a: RowRange | undefined,
  limit: number | undefined,
  offset: number | undefined,
): RowRange {
  if (limit !== undefined && limit < 0) {
    throw errors.SVC103({ details: 'Limit should be greater than or equal to zero.' });
  }
  const from = Math.max(0, offset ?? 0);
  if (a === undefined) return { offset: from, limit };
  const start = Math.max(a.offset, from);
  const ends = [
    a.limit === undefined ? Infinity : a.offset + a.limit,
    limit === undefined ? Infinity : from + limit,
  ];
  const end = Math.min(...ends);
  return { offset: start, limit: end === Infinity ? undefined : Math.max(0, end - start) };
}

/** `0-14/15`; `*` for an empty range or an unknown total. */
export function contentRange(offset: number, rows: number, total: number | undefined): string {
  return `${rows === 0 ? '*' : `${offset}-${offset + rows - 1}`}/${total ?? '*'}`;
}

/** 200, 206 for a part of the whole; throws SVC103 for an offset beyond the end. */
export function rangeStatus(offset: number, rows: number, total: number | undefined): 200 | 206 {
  if (total === undefined) return 200;
  if (offset > total) {
    throw errors.SVC103({
      details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
      headers: { 'content-range': `*/${total}` },
    });
  }
  return rows < total ? 206 : 200;
}
