/** Runs calls of the driver, inside a transaction or alone: retries where that is safe, and translates errors. */
import type { ClientSession } from 'mongodb';
import { type Document, type Filter, isStorageError } from 'plugboard/sdk';
import { storageError } from './errors.js';
import { followed } from './followed.js';
import type { OpenCollection } from './open-collection.js';
import type { Attempt } from './transaction.js';

/** An upsert that lost a race finds the winner's document when retried; losing twice in a row is rare. */
const ATTEMPTS = 4;

/** The options that put a call into its transaction. */
export interface Session {
  session?: ClientSession;
}

/** The documents that a write is about, for local change feeds. */
export interface Target<D extends Document> {
  readonly filter?: Filter<D>;
  readonly ids?: readonly string[];
  readonly upsert?: boolean;
  /** Whether it must not be retried. */
  readonly once?: boolean;
}

export class Calls {
  readonly #open: OpenCollection;
  readonly #attempt: Attempt | undefined;

  constructor(open: OpenCollection, attempt: Attempt | undefined) {
    this.#open = open;
    this.#attempt = attempt;
  }

  async run<T>(call: (session: Session) => Promise<T>): Promise<T> {
    if (this.#attempt !== undefined)
      return this.#attempt.run((session) => call({ session }), this.#open.fullName);
    await this.#open.usable();
    try {
      return await call({});
    } catch (error) {
      throw storageError(error, this.#open.fullName);
    }
  }

  /** Runs a write, and retries it if only an expired document or a lost race of two upserts refused it. */
  async write<D extends Document, T>(target: Target<D>, call: (session: Session) => Promise<T>): Promise<T> {
    if (this.#attempt !== undefined) {
      if (this.#open.expiry.applies) this.#attempt.makeRoom = () => this.#open.sweep();
      return this.run(call);
    }
    for (let attempt = 1; ; attempt++) {
      try {
        return await followed(this.#open, target, () => this.run(call));
      } catch (error) {
        if (!isStorageError(error, 'duplicate_key') || attempt === ATTEMPTS || target.once === true)
          throw error;
        const madeRoom = await this.#open.sweep();
        if (!madeRoom && target.upsert !== true) throw error;
      }
    }
  }
}
