/** The entries: create, read, update, delete, list. Every read hides what is archived or expired. */
import { isStorageError, newId, type Clock, type Collection, type Filter, type Update } from 'plugboard/sdk';
import { errors } from '../base/errors.js';
import type { EntryPatch, NewEntry } from './entry.js';
import { live, WITHOUT_VECTOR, type EntryDocument } from './document.js';
import { listFilter, type ListFilter } from './list-filter.js';
import { patchOf, upsertOf, type GivenDates, type KnownVector } from './write.js';

/** Learns of every write that this instance makes, before the writer's request is answered. */
export interface EntryObserver {
  stored(entry: EntryDocument): Promise<void>;
  /** Before the deletion: it must be remembered even if the server dies right after it. */
  removing(ids: readonly string[]): Promise<void>;
  removed(ids: readonly string[]): void;
}

/** An entry's place in the order of a list. */
export interface ListPlace {
  readonly at: Date;
  readonly id: string;
}

export interface ContentVectors {
  /** The vector of a content when it can be had without asking anyone, else null. Throws for the storage alone. */
  atOnce(content: string): Promise<KnownVector>;
}

/** Characters of the contents that are read together; an entry has 100,000 at most. */
const MOST_CHARACTERS = 6_000_000;

/** All that is found. Throws `page_too_large`. */
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

export class Entries {
  readonly documents: Collection<EntryDocument>;
  readonly #observer: EntryObserver;
  readonly #vectors: ContentVectors;
  readonly #clock: Clock;

  constructor(
    documents: Collection<EntryDocument>,
    observer: EntryObserver,
    vectors: ContentVectors,
    clock: Clock,
  ) {
    this.documents = documents;
    this.#observer = observer;
    this.#vectors = vectors;
    this.#clock = clock;
  }

  /** Creates the entry, or replaces the one that its owner has under the same key. One atomic write. */
  async put(
    entry: NewEntry,
    given: GivenDates & { readonly id?: string } = {},
  ): Promise<{ entry: EntryDocument; created: boolean }> {
    const id = given.id ?? newId();
    const known = await this.#vectors.atOnce(entry.content);
    const owner = entry.apiKeyId ?? null;
    const now = this.#clock.now();
    const update = upsertOf(entry, known, new Date(now), id, given);
    const named = { apiKeyId: owner, userId: entry.userId ?? null, key: entry.key };
    const stored = await this.#writeOverExpired(named, () =>
      this.documents.findOneAndUpdate({ ...named, ...live(now) }, update, { upsert: true }),
    );
    if (stored === null) throw errors.duplicate_memory_key({ values: { key: entry.key }, param: 'key' });
    await this.#observer.stored(stored);
    return { entry: stored, created: stored._id === id };
  }

  async get(id: string): Promise<EntryDocument> {
    const entry = await this.documents.findOne(
      { _id: id, ...live(this.#clock.now()) },
      { projection: WITHOUT_VECTOR },
    );
    if (entry === null) throw errors.memory_not_found({ values: { id } });
    return entry;
  }

  async update(id: string, patch: EntryPatch): Promise<EntryDocument> {
    const known = patch.content === undefined ? null : await this.#vectors.atOnce(patch.content);
    const now = this.#clock.now();
    const { apiKeyId, userId = null } = await this.get(id);
    const stored = await this.#writeOverExpired({ apiKeyId, userId, key: patch.key ?? '' }, () =>
      this.documents.findOneAndUpdate({ _id: id, ...live(now) }, patchOf(patch, known, new Date(now))),
    );
    if (stored === null) throw errors.memory_not_found({ values: { id } });
    await this.#observer.stored(stored);
    return stored;
  }

  async remove(id: string): Promise<void> {
    await this.get(id);
    await this.#observer.removing([id]);
    const removed = await this.documents.findOneAndDelete({ _id: id, ...live(this.#clock.now()) });
    if (removed === null) throw errors.memory_not_found({ values: { id } });
    this.#observer.removed([id]);
    if (removed.summaryOf !== null || removed.folds) await this.#purgeOriginals(id);
  }

  /** Writes one entry that may not be there yet. */
  async upsert(filter: Filter<EntryDocument>, update: Update<EntryDocument>): Promise<EntryDocument> {
    const write = () => this.documents.findOneAndUpdate(filter, update, { upsert: true });
    const stored = await write().catch((error: unknown) => {
      // Another one has just inserted it: now it is there.
      if (isStorageError(error, 'duplicate_key')) return write();
      throw error;
    });
    if (stored === null) throw new Error('an upsert that stored nothing');
    await this.#observer.stored(stored);
    return stored;
  }

  /** Changes one entry in the background; null when it is gone or `filter` no longer holds. */
  async change(filter: Filter<EntryDocument>, update: Update<EntryDocument>): Promise<EntryDocument | null> {
    const stored = await this.documents.findOneAndUpdate(filter, update);
    if (stored !== null) await this.#observer.stored(stored);
    return stored;
  }

  /** Deletes for good, whether live or not. Answers how many there were. */
  async purge(ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    await this.#observer.removing(ids);
    const count = await this.documents.deleteMany({ _id: { $in: ids } });
    this.#observer.removed(ids);
    return count;
  }

  /** Newest first; entries of one instant by id. */
  list(filter: ListFilter, { skip, limit }: { skip: number; limit: number }): Promise<EntryDocument[]> {
    return this.#newestOf({ ...listFilter(filter), ...live(this.#clock.now()) }, { skip, limit });
  }

  /** The entries behind one in the order of `list`: what stands before it is not read. */
  async after({ at, id }: ListPlace, filter: ListFilter, limit: number): Promise<EntryDocument[]> {
    const wanted = { ...listFilter(filter), ...live(this.#clock.now()) };
    const sameInstant = await page(
      this.documents.find(
        { ...wanted, createdAt: at, _id: { $gt: id } },
        { sort: { _id: 1 }, limit, projection: WITHOUT_VECTOR },
      ),
    );
    if (sameInstant.length === limit) return sameInstant;
    const earlier = await this.#newestOf(
      { ...wanted, createdAt: { $lt: at } },
      { limit: limit - sameInstant.length },
    );
    return [...sameInstant, ...earlier];
  }

  /** How many live entries pass, and what they cost, asked of the storage: for what no index in memory knows. */
  async sums(filter: ListFilter): Promise<{ count: number; tokens: number }> {
    let count = 0;
    let tokens = 0;
    const found = this.documents.find(
      { ...listFilter(filter), ...live(this.#clock.now()) },
      { projection: { tokens: 1 } },
    );
    for await (const entry of found) {
      count += 1;
      tokens += entry.tokens;
    }
    return { count, tokens };
  }

  /** Which of the entries pass. */
  async among(ids: readonly string[], filter: ListFilter): Promise<Set<string>> {
    const found = await this.documents
      .find({ ...listFilter(filter), _id: { $in: ids } }, { projection: { _id: 1 } })
      .toArray();
    return new Set(found.map(({ _id }) => _id));
  }

  /** The live entries of one owner that have these members in their metadata. */
  async having(owner: string | null, metadata: Readonly<Record<string, string>>): Promise<Set<string>> {
    const ids = new Set<string>();
    const found = this.documents.find(
      { ...listFilter({ metadata }), apiKeyId: owner, ...live(this.#clock.now()) },
      { projection: { _id: 1 } },
    );
    for await (const { _id } of found) ids.add(_id);
    return ids;
  }

  /** The newest of one owner that an end user may see, newest first. */
  newest(owner: string | null, user: string | null, limit: number): Promise<EntryDocument[]> {
    const users = user === null ? null : { $in: [null, user] };
    return this.#newestOf({ apiKeyId: owner, userId: users, ...live(this.#clock.now()) }, { limit });
  }

  #newestOf(
    filter: Filter<EntryDocument>,
    bounds: { readonly skip?: number; readonly limit: number },
  ): Promise<EntryDocument[]> {
    return page(
      this.documents.find(filter, {
        sort: { createdAt: -1, _id: 1 },
        ...bounds,
        projection: WITHOUT_VECTOR,
      }),
    );
  }

  /** The live ones among `ids`, in that order. */
  async byIds(ids: readonly string[]): Promise<EntryDocument[]> {
    if (ids.length === 0) return [];
    const found = await page(
      this.documents.find({ _id: { $in: ids }, ...live(this.#clock.now()) }, { projection: WITHOUT_VECTOR }),
    );
    const byId = new Map(found.map((entry) => [entry._id, entry]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** What a summary stands for goes with it: nobody could see it again, nor bring it back. */
  async #purgeOriginals(summaryId: string): Promise<void> {
    const originals = await this.documents
      .find({ supersededBy: summaryId, archived: true }, { projection: { _id: 1 } })
      .toArray();
    await this.purge(originals.map(({ _id }) => _id));
  }

  /**
   * An expired entry still holds its key until it is purged. A write that meets one removes it and tries again;
   * a write that meets another new entry of the same instant tries again and finds it.
   */
  async #writeOverExpired(
    named: { apiKeyId: string | null; userId: string | null; key: string },
    write: () => Promise<EntryDocument | null>,
  ): Promise<EntryDocument | null> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await write();
      } catch (error) {
        if (!isStorageError(error, 'duplicate_key')) throw error;
        const holder = await this.documents.findOne(
          { ...named, archived: false },
          { projection: WITHOUT_VECTOR },
        );
        const expired =
          holder !== null && holder.expiresAt !== null && holder.expiresAt.getTime() <= this.#clock.now();
        if (expired) await this.purge([holder._id]);
        else if (attempt === MAX_ATTEMPTS)
          throw errors.duplicate_memory_key({ values: { key: named.key }, param: 'key' });
      }
    }
  }
}

const MAX_ATTEMPTS = 5;
