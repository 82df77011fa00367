/** Several writes of entries that are stored together or not at all, and shown to the indexes once they are stored. */
import { isStorageError, type Collection, type Filter, type Storage, type Update } from 'plugboard/sdk';
import type { EntryDocument } from './document.js';

/** Learns of every write that this instance makes, before the writer's request is answered. */
export interface EntryObserver {
  stored(entry: EntryDocument): Promise<void>;
  /** Before the deletion: it must be remembered even if the server dies right after it. */
  removing(ids: readonly string[]): Promise<void>;
  removed(ids: readonly string[]): void;
}

export class Changes {
  readonly documents: Collection<EntryDocument>;
  readonly #observer: EntryObserver;
  readonly #stored: EntryDocument[] = [];
  readonly #removed: string[] = [];

  constructor(documents: Collection<EntryDocument>, observer: EntryObserver) {
    this.documents = documents;
    this.#observer = observer;
  }

  /** Null when the entry is gone or `filter` does not hold. */
  async change(filter: Filter<EntryDocument>, update: Update<EntryDocument>): Promise<EntryDocument | null> {
    return this.#keep(await this.documents.findOneAndUpdate(filter, update));
  }

  async upsert(filter: Filter<EntryDocument>, update: Update<EntryDocument>): Promise<EntryDocument> {
    const stored = this.#keep(await this.documents.findOneAndUpdate(filter, update, { upsert: true }));
    if (stored === null) throw new Error('an upsert that stored nothing');
    return stored;
  }

  /** Answers how many there were. */
  async remove(ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    await this.#observer.removing(ids);
    const count = await this.documents.deleteMany({ _id: { $in: ids } });
    this.#removed.push(...ids);
    return count;
  }

  async announce(): Promise<void> {
    for (const entry of this.#stored) await this.#observer.stored(entry);
    this.#observer.removed(this.#removed);
  }

  #keep(stored: EntryDocument | null): EntryDocument | null {
    if (stored !== null) this.#stored.push(stored);
    return stored;
  }
}

/** `work` may run again. On a server without transactions its writes are stored one after another. */
export async function together<T>(
  storage: Storage,
  documents: Collection<EntryDocument>,
  observer: EntryObserver,
  work: (changes: Changes) => Promise<T>,
): Promise<T> {
  let changes: Changes | undefined;
  let result: T;
  try {
    result = await storage.transaction((tx) => {
      changes = new Changes(documents.with(tx), observer);
      return work(changes);
    });
  } catch (error) {
    if (!isStorageError(error, 'unsupported')) throw error;
    changes = new Changes(documents, observer);
    try {
      return await work(changes);
    } finally {
      await changes.announce();
    }
  }
  await changes?.announce();
  return result;
}
