/** Reads a whole collection in pages. A single long read would keep all overwritten versions on disk until it ends. */
import type { Document } from '../storage/document.js';
import type { Collection } from '../storage/port.js';
import type { FindOptions } from '../storage/read.js';
import { nextTurn } from './turns.js';

export interface PagesOptions extends Pick<FindOptions, 'projection' | 'shared'> {
  /** Start after this id. */
  readonly after?: string | undefined;
  /** Documents per page. */
  readonly size?: number;
}

/**
 * Pages in order of id, with a turn of the event loop after each. Documents written meanwhile are included only if
 * their ids come after the current page.
 */
export async function* pagesById<D extends Document>(
  collection: Collection<D>,
  { after, size = 500, ...options }: PagesOptions = {},
): AsyncGenerator<D[], void> {
  const whole = collection as unknown as Collection<Document>;
  for (let last = after; ;) {
    const filter = last === undefined ? {} : { _id: { $gt: last } };
    const page = await whole.find(filter, { ...options, sort: { _id: 1 }, limit: size }).toArray();
    if (page.length > 0) yield page as D[];
    if (page.length < size) return;
    last = page.at(-1)!._id;
    await nextTurn();
  }
}
