/**
 * The version of everything that feeds are made of: one counter in storage, raised by every write in its own
 * transaction. A page that was made at the current version is current.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Collection, Storage, Transaction } from 'plugboard/sdk';
import { VERSIONS, type VersionDocument } from './documents.js';

export interface Version {
  readonly count: number;
  /** Raised only by what may take events out of a feed. */
  readonly removals: number;
}

const ID = 'feeds';

export class Versions {
  readonly #collection: Collection<VersionDocument>;
  /** The next read, not started yet, and the running one. */
  #next: Promise<Version> | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(storage: Storage) {
    this.#collection = storage.collection<VersionDocument>(VERSIONS);
  }

  /** Makes the counter, so that no two first writers meet over it. */
  async prepare(): Promise<void> {
    await this.#collection.updateOne(
      { _id: ID },
      { $setOnInsert: { count: 0, removals: 0 } },
      { upsert: true },
    );
  }

  /**
   * The version now. Requests share a read that begins after all of them, so what was acknowledged before a request
   * came is in its version. One read runs at a time: those who come meanwhile share the next one.
   */
  current(): Promise<Version> {
    return (this.#next ??= this.#read(this.#running));
  }

  async raise(tx: Transaction, change: 'added' | 'removed'): Promise<void> {
    const $inc = change === 'removed' ? { count: 1, removals: 1 } : { count: 1 };
    await this.#collection.with(tx).updateOne({ _id: ID }, { $inc }, { upsert: true });
  }

  async #read(before: Promise<unknown>): Promise<Version> {
    await Promise.all([turn(), before]);
    this.#next = undefined;
    const found = this.#collection.findOne({ _id: ID }, { shared: true });
    this.#running = found.catch(() => undefined);
    return (await found) ?? { count: 0, removals: 0 };
  }
}
