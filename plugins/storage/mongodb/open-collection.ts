/** A collection as this process holds it: handle, indexes, expiry, local change feed. */
import type { Collection as DriverCollection } from 'mongodb';
import {
  type Batcher,
  type Clock,
  type CollectionSpec,
  type Document,
  type IndexSpec,
  isStorageError,
  type Logger,
  type StorageError,
} from 'plugboard/sdk';
import type { Connection } from './connection.js';
import { storageError } from './errors.js';
import { Expiry } from './indexes/expiry.js';
import { ensureIndexes, removeIndexes } from './indexes/indexes.js';
import { insertsTogether } from './sharing/insert-together.js';
import { LocalChanges } from './changes/local-changes.js';
import { readsTogether } from './sharing/read-together.js';
import type { Stored } from './translate/values.js';

export class OpenCollection {
  readonly fullName: string;
  readonly raw: DriverCollection<Stored>;
  readonly log: Logger;
  /** On a standalone server, the feed of this process's writes. */
  readonly localChanges: LocalChanges<Document> | undefined;
  /** For calls outside of transactions. */
  readonly inserts: Batcher<Stored, void>;
  readonly readsById: Batcher<string, Document | null>;
  readonly #clock: Clock;
  readonly #indexes: IndexSpec[] = [];
  /** Declared after the first ones were created, and not created yet. */
  readonly #added: IndexSpec[] = [];
  /** Withdrawn and not dropped yet. */
  readonly #withdrawn: IndexSpec[] = [];
  #expiry: Expiry;
  #made: Promise<void> | undefined;
  #adding: Promise<void> | undefined;
  #refused: StorageError | undefined;

  constructor(options: { fullName: string; connection: Connection; clock: Clock; log: Logger }) {
    this.fullName = options.fullName;
    this.raw = options.connection.db.collection<Stored>(options.fullName);
    this.log = options.log;
    this.localChanges = options.connection.deployment === 'standalone' ? new LocalChanges() : undefined;
    this.#clock = options.clock;
    this.#expiry = new Expiry([], options.clock);
    this.inserts = insertsTogether(this.raw);
    const bytes = this.raw as unknown as DriverCollection<Uint8Array>;
    this.readsById = readsTogether(bytes, (filter) => this.#expiry.alive(filter));
  }

  get name(): string {
    return this.fullName.slice(this.fullName.lastIndexOf('.') + 1);
  }

  get expiry(): Expiry {
    return this.#expiry;
  }

  /** A collection may be asked for twice; its indexes add up. */
  declare({ indexes = [], withdrawn = [] }: CollectionSpec): void {
    this.#withdraw(withdrawn);
    const known = new Set([...this.#indexes, ...this.#added].map((index) => JSON.stringify(index)));
    const added = indexes.filter((index) => !known.has(JSON.stringify(index)));
    if (added.length === 0) return;
    if (this.#made === undefined) this.#indexes.push(...added);
    else this.#added.push(...added);
    this.#expiry = new Expiry([...this.#indexes, ...this.#added], this.#clock);
  }

  #withdraw(withdrawn: readonly IndexSpec[]): void {
    if (withdrawn.length === 0) return;
    const gone = new Set(withdrawn.map((index) => JSON.stringify(index)));
    for (const list of [this.#indexes, this.#added])
      list.splice(0, Infinity, ...list.filter((index) => !gone.has(JSON.stringify(index))));
    this.#withdrawn.push(...withdrawn);
  }

  /** Resolves when the declared indexes exist; rejects once if one that was declared later cannot be created. */
  async ready(): Promise<void> {
    await this.usable();
    const refused = this.#refused;
    this.#refused = undefined;
    if (refused !== undefined) throw refused;
  }

  /** For calls: creates the indexes once; after a failure the next call retries. */
  usable(): Promise<void> {
    if (this.#added.length + this.#withdrawn.length > 0) {
      this.#adding ??= this.#add().finally(() => (this.#adding = undefined));
      return this.#adding;
    }
    this.#made ??= this.#ensureFirst();
    return this.#made;
  }

  #ensureFirst(): Promise<void> {
    return this.#ensure(this.#indexes).catch((error: unknown) => {
      this.#made = undefined;
      throw error;
    });
  }

  /** An index that stored documents violate is given up, so that calls can still reach and repair those documents. */
  async #add(): Promise<void> {
    await (this.#made ??= this.#ensureFirst());
    await removeIndexes(
      this.raw as unknown as DriverCollection,
      this.#withdrawn.splice(0),
      this.#indexes,
    ).catch((error: unknown) => {
      throw storageError(error, this.fullName);
    });
    for (let index = this.#added[0]; index !== undefined; index = this.#added[0]) {
      try {
        await this.#ensure([...this.#indexes, index]);
        this.#indexes.push(index);
      } catch (error) {
        if (!isStorageError(error, 'duplicate_key')) throw error;
        this.#refused = error;
      }
      this.#added.shift();
    }
    this.#expiry = new Expiry(this.#indexes, this.#clock);
  }

  async #ensure(indexes: readonly IndexSpec[]): Promise<void> {
    try {
      await ensureIndexes(this.raw as unknown as DriverCollection, indexes, this.log);
    } catch (error) {
      // A plain error is our own and says what to do.
      throw error instanceof Error && error.constructor === Error
        ? error
        : storageError(error, this.fullName);
    }
  }

  /** Deletes expired documents. Returns whether there were any. */
  async sweep(): Promise<boolean> {
    if (!this.#expiry.applies) return false;
    const { deletedCount } = await this.raw.deleteMany(this.#expiry.expired());
    return deletedCount > 0;
  }
}
