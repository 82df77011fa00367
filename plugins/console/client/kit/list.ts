/** Lists from the server: one page at a time, with search and position in the URL. */
import { useState } from 'react';
import type { ApiRequest } from './call.js';
import { useRead } from './queries.js';
import { useUrlState, type UrlValues } from './url-state.js';

/** The route's paging: by `limit` and `offset`; by `limit` and a cursor in `after`; or all rows at once. */
export type Paging = 'offset' | 'cursor' | 'all';

export interface ListOptions<A, R> {
  readonly path: string;
  /** Filters for the server. */
  readonly query?: ApiRequest['query'];
  readonly paging: Paging;
  /** Rows per page. */
  readonly size?: number;
  /** Whether the route takes a `limit`; if not, `size` is its page size. Default: true. */
  readonly sized?: boolean;
  /** The query parameter of the cursor. Default: `after`. */
  readonly cursor?: string;
  rows(answer: A): readonly R[];
  total?(answer: A): number | undefined;
  /** The cursor of the next page. */
  next?(answer: A): string | null | undefined;
  /** With `all`: whether the search keeps a row. */
  matches?(row: R): boolean;
}

export interface List<R> {
  readonly rows: readonly R[] | undefined;
  readonly error: Error | null;
  /** The last read failed, and `rows` are from an earlier one. */
  readonly stale: boolean;
  readonly busy: boolean;
  /** Counted from 1. */
  readonly from: number;
  readonly total: number | undefined;
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
  reload(): void;
}

const PLACE = { at: '' } satisfies UrlValues;
/** Joins a cursor and the number of rows before the page, which servers do not return for cursors. */
const SEPARATOR = '~';

/**
 * The position is in the URL as `at`. A change of a filter must reset it in the same change:
 * `setState({ search, at: '' })`.
 */
export function useList<A, R>(options: ListOptions<A, R>): List<R> {
  const { path, query, paging, size = 50, sized = true, cursor = 'after' } = options;
  const [{ at }, move] = useUrlState(PLACE);
  /** Cursors of the previous pages: servers name only the next one. */
  const [trail, setTrail] = useState<readonly string[]>([]);
  const offset = Math.max(0, Number.parseInt(at, 10) || 0);
  const after = paging === 'cursor' ? at.slice(at.indexOf(SEPARATOR) + 1) : '';
  const limit = sized ? size : undefined;
  const place =
    paging === 'offset' ? { limit, offset } : paging === 'cursor' ? { limit, [cursor]: after } : {};
  const read = useRead<A>({ path, query: { ...query, ...place } });
  const { data } = read;

  const whole = data === undefined ? undefined : options.rows(data);
  const matching = paging === 'all' && options.matches !== undefined ? whole?.filter(options.matches) : whole;
  const rows = paging === 'all' ? matching?.slice(offset, offset + size) : matching;
  const total = data === undefined ? undefined : paging === 'all' ? matching?.length : options.total?.(data);
  const next = data === undefined ? undefined : options.next?.(data);

  const goTo = (to: number): void => move({ at: to === 0 ? '' : String(to) });
  const hasNext =
    paging === 'cursor'
      ? next != null
      : total !== undefined
        ? offset + size < total
        : (rows?.length ?? 0) === size;
  const hasPrevious = paging === 'cursor' ? at !== '' : offset > 0;
  const forward = (): void => {
    if (paging !== 'cursor') goTo(offset + size);
    else {
      setTrail([...trail, at]);
      move({ at: `${offset + size}${SEPARATOR}${next}` });
    }
  };
  const back = (): void => {
    if (paging !== 'cursor') goTo(Math.max(0, offset - size));
    else {
      // A page opened by its URL can only go back to the first page.
      setTrail(trail.slice(0, -1));
      move({ at: trail.at(-1) ?? '' });
    }
  };
  return {
    rows,
    error: read.error,
    stale: read.error !== null && data !== undefined,
    busy: read.isFetching,
    from: offset + 1,
    total,
    previous: hasPrevious ? back : undefined,
    next: hasNext ? forward : undefined,
    reload: () => void read.refetch(),
  };
}
