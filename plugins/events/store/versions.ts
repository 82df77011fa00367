/**
 * The version of everything that feeds are made of: one counter in storage, raised by every write in its own
 * transaction. A page that was made at the current version is current.
 */
import { SharedReads, type Collection, type Storage, type Transaction } from 'plugboard/sdk';
import { VERSIONS, type VersionDocument } from './documents.js';

export interface Version {
  readonly count: number;
  /** Raised only by what may take events out of a feed. */
  readonly removals: number;
}

const ID = 'feeds';
const NONE: Version = { count: 0, removals: 0 };

export class Versions {
  readonly #collection: Collection<VersionDocument>;
  readonly #reads: SharedReads<string, Version>;

  constructor(storage: Storage) {
    this.#collection = storage.collection<VersionDocument>(VERSIONS);
    this.#reads = new SharedReads(async () => {
      const found = await this.#collection.findOne({ _id: ID }, { shared: true });
      return new Map([[ID, found ?? NONE]]);
    }, storage);
  }

  /** Makes the counter, so that no two first writers meet over it. */
  async prepare(): Promise<void> {
    await this.#collection.updateOne(
      { _id: ID },
      { $setOnInsert: { count: 0, removals: 0 } },
      { upsert: true },
    );
  }

  /** The version now: what was acknowledged before the call is in it. */
  current(): Version | Promise<Version> {
    return this.#reads.kept(ID) ?? (this.#reads.get(ID) as Promise<Version>);
  }

  async raise(tx: Transaction, change: 'added' | 'removed'): Promise<void> {
    const $inc = change === 'removed' ? { count: 1, removals: 1 } : { count: 1 };
    await this.#collection.with(tx).updateOne({ _id: ID }, { $inc }, { upsert: true });
  }
}
