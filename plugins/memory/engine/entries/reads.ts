/** Reads of live entries: nothing here returns archived or expired entries. */
import type { Clock, Collection, Filter } from 'plugboard/sdk';
import { errors } from '../base/errors.js';
import { live, TO_LOOK_AT, type EntryDocument } from './document.js';
import { listFilter, type ListFilter } from './list-filter.js';
import { holding } from './validity.js';

/** The position of an entry in a list. */
export interface ListPlace {
  readonly at: Date;
  readonly id: string;
}

/** Characters of the contents per page; an entry has at most 100,000. */
const MOST_CHARACTERS = 6_000_000;

/** Everything found. Throws `page_too_large`. */
async function page(found: AsyncIterable<EntryDocument>): Promise<EntryDocument[]> {
  const entries: EntryDocument[] = [];
  let characters = 0;
  for await (const entry of found) {
    characters += entry.content.length;
    if (characters > MOST_CHARACTERS)
      throw errors.page_too_large({ values: { most: MOST_CHARACTERS }, param: 'limit' });
    entries.push(entry);
  }
  return entries;
}

export class EntryReads {
  readonly documents: Collection<EntryDocument>;
  readonly #clock: Clock;

  constructor(documents: Collection<EntryDocument>, clock: Clock) {
    this.documents = documents;
    this.#clock = clock;
  }

  async get(id: string): Promise<EntryDocument> {
    const entry = await this.documents.findOne({ _id: id, ...live(this.#clock.now()) }, TO_LOOK_AT);
    if (entry === null) throw errors.memory_not_found({ values: { id } });
    return entry;
  }

  /** Newest first; entries of one instant by id. */
  list(filter: ListFilter, { skip, limit }: { skip: number; limit: number }): Promise<EntryDocument[]> {
    return this.#newestOf(this.#wanted(filter), { skip, limit });
  }

  /** The entries after this one in the order of `list`; earlier ones are not read. */
  async after({ at, id }: ListPlace, filter: ListFilter, limit: number): Promise<EntryDocument[]> {
    const wanted = this.#wanted(filter);
    const sameInstant = await page(
      this.documents.find(
        { ...wanted, createdAt: at, _id: { $gt: id } },
        { sort: { _id: 1 }, limit, ...TO_LOOK_AT },
      ),
    );
    if (sameInstant.length === limit) return sameInstant;
    const earlier = await this.#newestOf(
      { ...wanted, createdAt: { $lt: at } },
      { limit: limit - sameInstant.length },
    );
    return [...sameInstant, ...earlier];
  }

  /** Count and tokens of the live entries that match, from the storage: for filters that no in-memory index covers. */
  async sums(filter: ListFilter): Promise<{ count: number; tokens: number }> {
    let count = 0;
    let tokens = 0;
    const found = this.documents.find(this.#wanted(filter), { projection: { tokens: 1 } });
    for await (const entry of found) {
      count += 1;
      tokens += entry.tokens;
    }
    return { count, tokens };
  }

  /** Which of the entries match. */
  async among(ids: readonly string[], filter: ListFilter): Promise<Set<string>> {
    const found = await this.documents
      .find({ ...listFilter(filter), _id: { $in: ids } }, { projection: { _id: 1 } })
      .toArray();
    return new Set(found.map(({ _id }) => _id));
  }

  /** The newest entries of an owner that an end user may see, newest first. */
  newest(owner: string | null, user: string | null, limit: number): Promise<EntryDocument[]> {
    const users = user === null ? null : { $in: [null, user] };
    const now = this.#clock.now();
    return this.#newestOf({ apiKeyId: owner, userId: users, ...live(now), ...holding(now) }, { limit });
  }

  #wanted(filter: ListFilter): Filter<EntryDocument> {
    const now = this.#clock.now();
    return { ...listFilter(filter), ...live(now), ...holding(filter.asOf ?? now) };
  }

  #newestOf(
    filter: Filter<EntryDocument>,
    bounds: { readonly skip?: number; readonly limit: number },
  ): Promise<EntryDocument[]> {
    return page(
      this.documents.find(filter, {
        sort: { createdAt: -1, _id: 1 },
        ...bounds,
        ...TO_LOOK_AT,
      }),
    );
  }

  /** Including archived and expired ones, in no order. */
  stored(ids: readonly string[]): Promise<EntryDocument[]> {
    return page(this.documents.find({ _id: { $in: ids } }, TO_LOOK_AT));
  }

  /** The live ones among `ids`, in that order. */
  async byIds(ids: readonly string[]): Promise<EntryDocument[]> {
    if (ids.length === 0) return [];
    const found = await page(
      this.documents.find({ _id: { $in: ids }, ...live(this.#clock.now()) }, TO_LOOK_AT),
    );
    const byId = new Map(found.map((entry) => [entry._id, entry]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }
}
