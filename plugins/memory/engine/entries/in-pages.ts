/** Reads many entries page by page: one long read would keep everything overwritten meanwhile on disk. */
import { nextTurn, type Collection, type Filter } from 'plugboard/sdk';
import type { EntryDocument } from './document.js';

const PAGE = 250;

type Projection = Readonly<Record<string, 0 | 1>>;

/** Matching entries created before, newest first, in index order. */
export function newestFirst(
  documents: Collection<EntryDocument>,
  filter: Filter<EntryDocument>,
  before: Date,
  projection: Projection,
): AsyncGenerator<EntryDocument[], void> {
  const sort = { createdAt: -1, _id: 1 } as const;
  return byDate(documents, filter, projection, {
    sort,
    start: { createdAt: { $lt: before } },
    within: ({ createdAt, _id }) => ({ createdAt, _id: { $gt: _id } }),
    beyond: (createdAt) => ({ createdAt: { $lt: createdAt } }),
  });
}

/** Matching entries, oldest first, in the reverse order of the same index. */
export function oldestFirst(
  documents: Collection<EntryDocument>,
  filter: Filter<EntryDocument>,
  projection: Projection,
): AsyncGenerator<EntryDocument[], void> {
  return byDate(documents, filter, projection, {
    sort: { createdAt: 1, _id: -1 },
    start: {},
    within: ({ createdAt, _id }) => ({ createdAt, _id: { $lt: _id } }),
    beyond: (createdAt) => ({ createdAt: { $gt: createdAt } }),
  });
}

interface Order {
  readonly sort: Readonly<Record<string, 1 | -1>>;
  readonly start: Filter<EntryDocument>;
  /** After an entry, within its instant. */
  within(entry: EntryDocument): Filter<EntryDocument>;
  /** After all entries of an instant. */
  beyond(createdAt: Date): Filter<EntryDocument>;
}

async function* byDate(
  documents: Collection<EntryDocument>,
  filter: Filter<EntryDocument>,
  projection: Projection,
  { sort, start, within, beyond }: Order,
): AsyncGenerator<EntryDocument[], void> {
  let place = start;
  /** The instant being read; undefined: several. */
  let instant: Date | undefined;
  for (;;) {
    const page = await documents.find({ ...filter, ...place }, { sort, limit: PAGE, projection }).toArray();
    if (page.length > 0) yield page;
    const last = page.at(-1);
    // First the rest of the instant, then what follows it.
    if (last !== undefined && page.length === PAGE) {
      instant = last.createdAt;
      place = within(last);
    } else if (instant !== undefined) {
      place = beyond(instant);
      instant = undefined;
    } else return;
    await nextTurn();
  }
}
