/**
 * Writes in flight for each account, over all instances of a deployment: a place is taken by one atomic write and given
 * back by another. Places of an instance that died are free again after a minute.
 */
import {
  isStorageError,
  newId,
  type Clock,
  type Collection,
  type Document,
  type Storage,
} from 'plugboard/sdk';
import { atLimit, type Places } from './slots.js';

interface PlacesDocument extends Document {
  readonly count: number;
  /** Until when each holds its place, by its id. */
  readonly holders: Readonly<Record<string, Date>>;
  /** Of the newest holder. */
  readonly until: Date;
}

/** Milliseconds; no request takes as long. */
const HELD = 60_000;

export class SharedSlots implements Places {
  readonly #collection: Collection<PlacesDocument>;
  readonly #clock: Clock;
  readonly #limit: number;

  constructor(storage: Storage, clock: Clock, limit: number) {
    this.#collection = storage.collection<PlacesDocument>({
      name: 'places',
      indexes: [{ keys: { until: 1 }, expireAfterSeconds: 60 }],
    });
    this.#clock = clock;
    this.#limit = limit;
  }

  async run<T>(work: () => Promise<T>, { key: account }: { readonly key: string }): Promise<T> {
    const holder = await this.#take(account);
    try {
      return await work();
    } finally {
      // What cannot be given back now is free when its time is over.
      await this.#free(account, holder).catch(() => {});
    }
  }

  async #take(account: string): Promise<string> {
    const id = newId();
    if (this.#limit > 0) {
      if (await this.#add(account, id)) return id;
      await this.#freeExpired(account);
      if (await this.#add(account, id)) return id;
    }
    throw atLimit(account, this.#limit);
  }

  /** False when all places are taken. */
  async #add(account: string, id: string): Promise<boolean> {
    const until = new Date(this.#clock.now() + HELD);
    try {
      await this.#collection.updateOne(
        { _id: account, count: { $lt: this.#limit } },
        { $inc: { count: 1 }, $set: { [`holders.${id}`]: until, until } },
        { upsert: true },
      );
      return true;
    } catch (error) {
      // The account has a document, and its count is not below the limit; or another request made it just now.
      if (isStorageError(error, 'duplicate_key')) return false;
      throw error;
    }
  }

  async #freeExpired(account: string): Promise<void> {
    const now = this.#clock.now();
    const found = await this.#collection.findOne({ _id: account });
    for (const [id, until] of Object.entries(found?.holders ?? {}))
      if (until.getTime() < now) await this.#free(account, id);
  }

  /** Once, whoever does it: the count goes down with the holder. */
  async #free(account: string, id: string): Promise<void> {
    await this.#collection.updateOne(
      { _id: account, [`holders.${id}`]: { $exists: true } },
      { $unset: { [`holders.${id}`]: true }, $inc: { count: -1 } },
    );
  }
}
