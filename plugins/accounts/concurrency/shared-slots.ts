/**
 * Writes in flight per account, over all instances of a deployment: a slot is taken and released by one atomic write
 * each. Slots of an instance that died are free after a minute.
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
  /** When each slot expires, by holder id. */
  readonly holders: Readonly<Record<string, Date>>;
  /** Expiry of the newest holder. */
  readonly until: Date;
}

/** Milliseconds; longer than any request takes. */
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
      // A slot that cannot be released now expires.
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

  /** False if all slots are taken. */
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
      // The account's document exists and its count is at the limit; or a concurrent request has just created it.
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

  /** Idempotent: the count is decremented only with the holder. */
  async #free(account: string, id: string): Promise<void> {
    await this.#collection.updateOne(
      { _id: account, [`holders.${id}`]: { $exists: true } },
      { $unset: { [`holders.${id}`]: true }, $inc: { count: -1 } },
    );
  }
}
