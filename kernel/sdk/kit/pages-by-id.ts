/** Goes through all documents of a collection in pages: one long read keeps what is overwritten meanwhile on disk. */
import type { Document } from '../storage/document.js';
import type { Collection } from '../storage/port.js';
import type { FindOptions } from '../storage/read.js';
import { nextTurn } from './turns.js';

export interface PagesOptions extends Pick<FindOptions, 'projection' | 'shared'> {
  /** The id before the first. */
  readonly after?: string | undefined;
  /** Documents of a page. */
  readonly size?: number;
}

/**
 * In the order of ids, and with a turn of the event loop behind each page. What is written meanwhile is in them or not, as
 * its id is behind the page that is read.
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
