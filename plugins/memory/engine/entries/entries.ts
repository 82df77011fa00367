/** Writes of entries: create, update, delete and restore. */
import {
  isStorageError,
  newId,
  type Clock,
  type Filter,
  type Update,
  type UpsertOptions,
} from 'plugboard/sdk';
import { errors } from '../base/errors.js';
import { together, type ChangeParts, type Changes } from './changes.js';
import { live, WITHOUT_VECTOR, type EntryDocument } from './document.js';
import type { EntryChange, NewEntry } from './entry.js';
import {
  bringBack,
  earlierStates,
  FOR_ITSELF,
  isExpired,
  originalsOf,
  saidBy,
  saidByPatch,
  saysTheSame,
  standsForOthers,
  unarchive,
  type BroughtBack,
  type Said,
} from './originals.js';
import { EntryReads } from './reads.js';
import {
  assertChangeable,
  bridge,
  bringBackSuperseded,
  end,
  freeKey,
  historyOf,
  isEnded,
  relink,
  type Named,
} from './supersession.js';
import { assertEndsAfter, validityOf } from './validity.js';
import { patchOf, upsertOf, type GivenDates, type KnownVector } from './write.js';

export interface ContentVectors {
  /** The vector of a content if no call is required, otherwise null. Throws only for storage errors. */
  atOnce(content: string): Promise<KnownVector>;
}

export interface EntriesParts extends ChangeParts {
  /** Throws if the owner's memories have reached the limit. */
  readonly assertRoom: (owner: string | null) => void;
  readonly vectors: ContentVectors;
  readonly clock: Clock;
}

const MAX_ATTEMPTS = 5;

export class Entries extends EntryReads {
  readonly #parts: EntriesParts;

  constructor(parts: EntriesParts) {
    super(parts.documents, parts.clock);
    this.#parts = parts;
  }

  /** Creates the entry, or replaces the one that its owner has under the same key. One atomic write. */
  async put(
    entry: NewEntry,
    given: GivenDates & { readonly id?: string } = {},
  ): Promise<{ entry: EntryDocument; created: boolean }> {
    const { clock, vectors } = this.#parts;
    const named = { apiKeyId: entry.apiKeyId ?? null, userId: entry.userId ?? null, key: entry.key };
    this.#parts.assertRoom(named.apiKeyId);
    const id = given.id === undefined ? newId() : await this.#idFor(given.id, named);
    const known = await vectors.atOnce(entry.content);
    const now = clock.now();
    const update = upsertOf(entry, known, new Date(now), id, given);
    const filter = { ...named, ...live(now) };
    const stored = await this.#overHolder(
      { ...named, id: given.id },
      () => this.#write({ ...filter, ...FOR_ITSELF, supersededBy: null }, update, { upsert: true }),
      () => this.#changeStanding(filter, update, (before) => saidBy(entry, before)),
    );
    if (stored === null) throw errors.duplicate_memory_key({ values: { key: entry.key }, param: 'key' });
    return { entry: stored, created: stored._id === id };
  }

  /** Creates an entry that supersedes another one of the same owner and end user. */
  async supersede(entry: NewEntry & { readonly supersedes: string }): Promise<EntryDocument> {
    const { clock, vectors } = this.#parts;
    const named = { apiKeyId: entry.apiKeyId ?? null, userId: entry.userId ?? null };
    this.#parts.assertRoom(named.apiKeyId);
    const known = await vectors.atOnce(entry.content);
    const now = clock.now();
    const update = upsertOf(entry, known, new Date(now));
    return this.together(async (changes) => {
      const wanted = { _id: entry.supersedes, ...named, ...live(now) };
      const older = await changes.documents.findOne(wanted, { projection: WITHOUT_VECTOR });
      if (older === null)
        throw errors.memory_not_found({ values: { id: entry.supersedes }, param: 'supersedes' });
      await freeKey(changes, { ...named, key: entry.key });
      const holder = await changes.documents.findOne({ ...named, key: entry.key, archived: false });
      if (holder !== null) throw errors.duplicate_memory_key({ values: { key: entry.key }, param: 'key' });
      const stored = await changes.upsert({ ...named, key: entry.key, archived: false }, update);
      if (validityOf(stored).validFrom < validityOf(older).validFrom)
        throw errors.ends_before_it_begins({ param: 'validFrom' });
      await end(changes, older, stored);
      return stored;
    });
  }

  async update(id: string, patch: EntryChange): Promise<EntryDocument> {
    const { clock, vectors } = this.#parts;
    const known = patch.content === undefined ? null : await vectors.atOnce(patch.content);
    const now = clock.now();
    const before = await this.get(id);
    if ((patch.content?.length ?? 0) > before.content.length) this.#parts.assertRoom(before.apiKeyId);
    assertChangeable(before, patch);
    assertEndsAfter(before, patch);
    const { apiKeyId, userId = null } = before;
    const update = patchOf(patch, known, new Date(now));
    const filter = { _id: id, ...live(now), supersededBy: before.supersededBy };
    const stored = await this.#overHolder(
      { apiKeyId, userId, key: patch.key ?? '', id },
      async () =>
        (await this.#write({ ...filter, ...FOR_ITSELF }, update)) ??
        this.#changeStanding(filter, update, () => saidByPatch(patch)),
    );
    // It was deleted, ended or restored meanwhile.
    if (stored === null) return this.update(id, patch);
    if (stored.key !== before.key) await this.purge(await earlierStates(this.documents, before));
    return stored;
  }

  /** Also deletes its originals and its earlier states: nobody could see or restore them any more. */
  async remove(id: string): Promise<void> {
    const { observer, clock, teller } = this.#parts;
    const before = await this.get(id);
    await observer.removing([id]);
    const filter = { _id: id, ...live(clock.now()) };
    const isMore = teller.tells('deleted') || Boolean(before.supersedes ?? before.supersededBy);
    const alone = isMore ? null : await this.documents.findOneAndDelete({ ...filter, ...FOR_ITSELF });
    if (alone !== null) {
      observer.removed([id]);
      await this.purge(await earlierStates(this.documents, before));
      return;
    }
    const removed = await this.together(async (changes) => {
      const entry = await changes.documents.findOne(filter, { projection: WITHOUT_VECTOR });
      if (entry === null) return 0;
      await bridge(changes, entry);
      const earlier = await earlierStates(changes.documents, before);
      return changes.remove([...(await originalsOf(changes.documents, id)), ...earlier, id]);
    });
    if (removed === 0) throw errors.memory_not_found({ values: { id } });
  }

  /**
   * Restores the originals of an entry, and the entry that it superseded. A summary is deleted once all its originals
   * are back; an entry into which near-duplicates were folded stays. Originals whose key is taken stay archived.
   */
  async restore(id: string): Promise<BroughtBack> {
    await this.get(id);
    return this.together(async (changes) => {
      const now = this.#parts.clock.now();
      const entry = await changes.documents.findOne(
        { _id: id, ...live(now) },
        { projection: WITHOUT_VECTOR },
      );
      if (entry === null) throw errors.memory_not_found({ values: { id } });
      const superseded = await bringBackSuperseded(changes, entry);
      const back = await this.#bringBack(changes, id, now);
      const { summaryOf } = entry;
      // If the originals are past their recovery time, only the summary has the content.
      if (summaryOf === null) {
        if (entry.folds) await changes.change({ _id: id }, { $set: { folds: back.kept || null } });
      } else if (back.restored === summaryOf) await changes.remove([id]);
      else await changes.change({ _id: id }, { $set: { summaryOf: summaryOf - back.restored } });
      return { ...back, restored: back.restored + superseded };
    });
  }

  /** The entry with those that superseded it and those that it superseded, newest first. */
  async history(id: string): Promise<EntryDocument[]> {
    return historyOf(this.documents, await this.get(id));
  }

  /** Links a stored entry to the one that it supersedes; null: to none. */
  async relink(newer: string, older: string | null): Promise<void> {
    await this.together((changes) => relink(changes, newer, older));
  }

  /** Writes in one transaction. `work` may run again. */
  together<T>(work: (changes: Changes) => Promise<T>): Promise<T> {
    return together(this.#parts, work);
  }

  /** Changes one entry and notifies only the indexes; null if it is gone or no longer matches `filter`. */
  async change(
    filter: Filter<EntryDocument>,
    update: Update<EntryDocument>,
    options: UpsertOptions = {},
  ): Promise<EntryDocument | null> {
    const stored = await this.documents.findOneAndUpdate(filter, update, options);
    if (stored !== null) await this.#parts.observer.stored(stored);
    return stored;
  }

  /** Deletes permanently, live or not. Returns the number of deleted entries. `erases`: see `EntryTeller.tell`. */
  async purge(ids: readonly string[], { erases = false } = {}): Promise<number> {
    if (ids.length === 0) return 0;
    const { observer, teller } = this.#parts;
    if (teller.tells('deleted') || (erases && teller.isOn))
      return this.together((changes) => changes.remove(ids, erases));
    await observer.removing(ids);
    const count = await this.documents.deleteMany({ _id: { $in: ids } });
    observer.removed(ids);
    return count;
  }

  /** In a transaction if the change is announced. */
  #write(
    filter: Filter<EntryDocument>,
    update: Update<EntryDocument>,
    options: UpsertOptions = {},
  ): Promise<EntryDocument | null> {
    if (!this.#parts.teller.tells('created', 'updated')) return this.change(filter, update, options);
    return this.together((changes) =>
      options.upsert === true ? changes.upsert(filter, update) : changes.change(filter, update),
    );
  }

  /** Changes an entry that may stand for others: originals that it no longer covers are restored first. */
  #changeStanding(
    filter: Filter<EntryDocument>,
    update: Update<EntryDocument>,
    saidAfter: (before: EntryDocument) => Said,
  ): Promise<EntryDocument | null> {
    return this.together(async (changes) => {
      const before = await changes.documents.findOne(filter, { projection: WITHOUT_VECTOR });
      if (before === null) return null;
      let { summaryOf, folds = null } = before;
      if (standsForOthers(before) && !saysTheSame(before, saidAfter(before))) {
        const { kept } = await this.#bringBack(changes, before._id, this.#parts.clock.now());
        [summaryOf, folds] = [null, kept || null];
      }
      return changes.change({ _id: before._id }, { ...update, $set: { ...update.$set, summaryOf, folds } });
    });
  }

  #bringBack(changes: Changes, id: string, now: number): Promise<BroughtBack> {
    return bringBack(changes, id, now, (content) => this.#parts.vectors.atOnce(content));
  }

  /**
   * The id for an imported entry: a new one if its id names a different entry, live or archived. If the entry itself is
   * archived, it is restored with its originals.
   */
  async #idFor(id: string, { apiKeyId, userId, key }: Named): Promise<string> {
    const entry = await this.documents.findOne({ _id: id }, { projection: WITHOUT_VECTOR });
    if (entry === null) return id;
    const isItself = entry.apiKeyId === apiKeyId && (entry.userId ?? null) === userId && entry.key === key;
    if (!isItself || !entry.archived) return newId();
    await this.together(async (changes) => {
      const now = this.#parts.clock.now();
      await this.#bringBack(changes, id, now);
      await unarchive(changes, entry, now, (content) => this.#parts.vectors.atOnce(content));
      await changes.change({ _id: id }, { $set: FOR_ITSELF });
    });
    return id;
  }

  /**
   * Handles a write that finds another entry under its key. An expired holder keeps the key until it is purged: it is
   * removed, and the write is retried, as after a concurrent insert. An ended holder gives up the key. A holder that
   * stands for others, or is the entry `id` itself, is left to `standing`, where the write may change it.
   */
  async #overHolder(
    { id, ...named }: Named & { readonly id: string | undefined },
    write: () => Promise<EntryDocument | null>,
    standing?: () => Promise<EntryDocument | null>,
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
        if (holder !== null && isExpired(holder, this.#parts.clock.now())) await this.purge([holder._id]);
        else if (attempt === MAX_ATTEMPTS)
          throw errors.duplicate_memory_key({ values: { key: named.key }, param: 'key' });
        else if (holder !== null && isEnded(holder) && holder._id !== id)
          await this.together((changes) => freeKey(changes, named));
        else if (holder !== null && standing !== undefined && (standsForOthers(holder) || isEnded(holder))) {
          const stored = await standing();
          if (stored !== null) return stored;
        }
      }
    }
  }
}
