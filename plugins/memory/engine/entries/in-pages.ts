/** Goes through many entries page by page: one read of them all would keep what is overwritten meanwhile on disk. */
import { nextTurn, type Collection, type Filter } from 'plugboard/sdk';
import type { EntryDocument } from './document.js';

const PAGE = 250;

type Projection = Readonly<Record<string, 0 | 1>>;

/** All entries behind an id, in the order of ids. */
export async function* byId(
  documents: Collection<EntryDocument>,
  projection: Projection,
  after: string,
): AsyncGenerator<EntryDocument[], void> {
  for (let last = after; ;) {
    const filter = { _id: { $gt: last } };
    const page = await documents.find(filter, { sort: { _id: 1 }, limit: PAGE, projection }).toArray();
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    last = page.at(-1)!._id;
    // Whatever is asked meanwhile comes first.
    await nextTurn();
  }
}

/** Those that pass and were created before, newest first, in the order of an index. */
export async function* newestFirst(
  documents: Collection<EntryDocument>,
  filter: Filter<EntryDocument>,
  before: Date,
  projection: Projection,
): AsyncGenerator<EntryDocument[], void> {
  const sort = { createdAt: -1, _id: 1 } as const;
  let place: { createdAt: Date | { $lt: Date }; _id?: { $gt: string } } = { createdAt: { $lt: before } };
  for (;;) {
    const page = await documents.find({ ...filter, ...place }, { sort, limit: PAGE, projection }).toArray();
    if (page.length > 0) yield page;
    const last = page.at(-1);
    // First what is left of an instant, then what is earlier.
    if (last !== undefined && page.length === PAGE)
      place = { createdAt: last.createdAt, _id: { $gt: last._id } };
    else if (place.createdAt instanceof Date) place = { createdAt: { $lt: place.createdAt } };
    else return;
    await nextTurn();
  }
}
