/** One collection of the database as this process holds it: its handle, its indexes, its expiry, its local feed. */
import type { Collection as DriverCollection, Document as DriverDocument } from 'mongodb';
import type { Clock, CollectionSpec, Document, IndexSpec, Logger } from '../../../sdk/index.js';
import type { Connection } from './connection.js';
import { storageError } from './errors.js';
import { Expiry } from './expiry.js';
import { ensureIndexes } from './indexes.js';
import { insertSender } from './insert-together.js';
import { LocalChanges } from './local-changes.js';
import { readSender } from './read-together.js';
import { SharedMessage } from './shared-message.js';

/** In the store the ids are strings; the driver's default type says ObjectId. */
export type Stored = DriverDocument & { _id: string };

export class OpenCollection {
  readonly fullName: string;
  readonly raw: DriverCollection<Stored>;
  readonly log: Logger;
  /** On a standalone server, the feed of this process's writes. */
  readonly localChanges: LocalChanges<Document> | undefined;
  /** Of calls outside of transactions. */
  readonly inserts: SharedMessage<Stored, void>;
  readonly readsById: SharedMessage<string, Document | null>;
  readonly #clock: Clock;
  readonly #indexes: IndexSpec[] = [];
  #expiry: Expiry;
  #ready: Promise<void> | undefined;

  constructor(options: { fullName: string; connection: Connection; clock: Clock; log: Logger }) {
    this.fullName = options.fullName;
    this.raw = options.connection.db.collection<Stored>(options.fullName);
    this.log = options.log;
    this.localChanges = options.connection.deployment === 'standalone' ? new LocalChanges() : undefined;
    this.#clock = options.clock;
    this.#expiry = new Expiry([], options.clock);
    this.inserts = new SharedMessage(insertSender(this.raw));
    const bytes = this.raw as unknown as DriverCollection<Uint8Array>;
    this.readsById = new SharedMessage(readSender(bytes, (filter) => this.#expiry.alive(filter)));
  }

  get name(): string {
    return this.fullName.slice(this.fullName.lastIndexOf('.') + 1);
  }

  get expiry(): Expiry {
    return this.#expiry;
  }

  /** A collection may be asked for twice; its indexes add up. */
  declare({ indexes = [] }: CollectionSpec): void {
    const known = new Set(this.#indexes.map((index) => JSON.stringify(index)));
    const added = indexes.filter((index) => !known.has(JSON.stringify(index)));
    if (added.length === 0) return;
    this.#indexes.push(...added);
    this.#expiry = new Expiry(this.#indexes, this.#clock);
    this.#ready = undefined;
  }

  /** The indexes are made once; after a failure the next call tries again. */
  ready(): Promise<void> {
    this.#ready ??= ensureIndexes(this.raw as unknown as DriverCollection, this.#indexes, this.log).catch(
      (error: unknown) => {
        this.#ready = undefined;
        // A plain error is ours and says what to do.
        throw error instanceof Error && error.constructor === Error
          ? error
          : storageError(error, this.fullName);
      },
    );
    return this.#ready;
  }

  /** Removes what has expired; whether that made room for anything. */
  async sweep(): Promise<boolean> {
    if (!this.#expiry.applies) return false;
    const { deletedCount } = await this.raw.deleteMany(this.#expiry.expired());
    return deletedCount > 0;
  }
}
