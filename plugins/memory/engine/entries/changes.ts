/** Several writes of entries in one transaction; the indexes see them after the commit. */
import {
  isStorageError,
  type Collection,
  type Filter,
  type Storage,
  type Transaction,
  type Update,
} from 'plugboard/sdk';
import type { EntryDocument } from './document.js';
import { TOLD, type EntryTeller } from './told.js';

/** Is notified of every write of this instance, before the writer's request is answered. */
export interface EntryObserver {
  stored(entry: EntryDocument): Promise<void>;
  /** Before the deletion: it must be recorded even if the server crashes right after it. */
  removing(ids: readonly string[]): Promise<void>;
  removed(ids: readonly string[]): void;
}

export interface ChangeParts {
  readonly storage: Storage;
  readonly documents: Collection<EntryDocument>;
  readonly observer: EntryObserver;
  readonly teller: EntryTeller;
}

export class Changes {
  readonly documents: Collection<EntryDocument>;
  readonly #observer: EntryObserver;
  readonly #teller: EntryTeller;
  readonly #tx: Transaction | undefined;
  readonly #stored: EntryDocument[] = [];
  readonly #removed: string[] = [];

  /** Without a transaction on servers that have none. */
  constructor({ documents, observer, teller }: ChangeParts, tx?: Transaction) {
    this.documents = tx === undefined ? documents : documents.with(tx);
    this.#observer = observer;
    this.#teller = teller;
    this.#tx = tx;
  }

  /** Null if the entry is gone or no longer matches `filter`. */
  async change(filter: Filter<EntryDocument>, update: Update<EntryDocument>): Promise<EntryDocument | null> {
    return this.#keep(await this.documents.findOneAndUpdate(filter, update));
  }

  async upsert(filter: Filter<EntryDocument>, update: Update<EntryDocument>): Promise<EntryDocument> {
    const stored = await this.#keep(await this.documents.findOneAndUpdate(filter, update, { upsert: true }));
    if (stored === null) throw new Error('an upsert that stored nothing');
    return stored;
  }

  /** Returns the number of deleted entries. `erases`: see `EntryTeller.tell`. */
  async remove(ids: readonly string[], erases = false): Promise<number> {
    if (ids.length === 0) return 0;
    await this.#observer.removing(ids);
    if (erases || this.#teller.tells('deleted')) {
      const removed = await this.documents.find({ _id: { $in: ids } }, { projection: TOLD }).toArray();
      await this.#teller.tell(this.#tx, 'deleted', removed, erases);
    }
    const count = await this.documents.deleteMany({ _id: { $in: ids } });
    this.#removed.push(...ids);
    return count;
  }

  async announce(): Promise<void> {
    for (const entry of this.#stored) await this.#observer.stored(entry);
    this.#observer.removed(this.#removed);
  }

  async #keep(stored: EntryDocument | null): Promise<EntryDocument | null> {
    if (stored === null) return null;
    this.#stored.push(stored);
    await this.#teller.tell(this.#tx, stored.revision === 1 ? 'created' : 'updated', [stored]);
    return stored;
  }
}

/** `work` may run again. On a server without transactions its writes are stored one by one. */
export async function together<T>(parts: ChangeParts, work: (changes: Changes) => Promise<T>): Promise<T> {
  let changes: Changes | undefined;
  let result: T;
  try {
    result = await parts.storage.transaction((tx) => {
      changes = new Changes(parts, tx);
      return work(changes);
    });
  } catch (error) {
    if (!isStorageError(error, 'unsupported')) throw error;
    changes = new Changes(parts);
    try {
      return await work(changes);
    } finally {
      await changes.announce();
    }
  }
  await changes?.announce();
  return result;
}
