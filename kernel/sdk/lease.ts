/** A lease in storage: work that only one instance of a deployment may do at a time. */
import type { Clock } from './clock.js';
import { newId } from './crypto.js';
import { isStorageError, type Collection, type Document } from './storage.js';

export interface LeaseDocument extends Document {
  readonly holder: string;
  /** When the lease ends unless it is renewed. */
  readonly until: Date;
}

/**
 * One holder's view of the lease `name`. A holder that dies loses the lease `duration` ms after its last
 * renewal; a holder that lives renews well before, e.g. every third of it.
 */
export class Lease {
  readonly #holder = newId();
  readonly #collection: Collection<LeaseDocument>;
  readonly #name: string;
  readonly #clock: Clock;
  readonly #duration: number;

  /** `duration` in milliseconds. */
  constructor(collection: Collection<LeaseDocument>, name: string, clock: Clock, duration: number) {
    this.#collection = collection;
    this.#name = name;
    this.#clock = clock;
    this.#duration = duration;
  }

  /** Takes or renews the lease. False while another holder has it. */
  async acquire(): Promise<boolean> {
    const now = this.#clock.now();
    const mine = { holder: this.#holder, until: new Date(now + this.#duration) };
    try {
      const result = await this.#collection.updateOne(
        { _id: this.#name, $or: [{ holder: this.#holder }, { until: { $lte: new Date(now) } }] },
        { $set: mine },
        { upsert: true },
      );
      return result.matched === 1 || result.upsertedId !== null;
    } catch (error) {
      // The upsert met the document of a living holder.
      if (isStorageError(error, 'duplicate_key')) return false;
      throw error;
    }
  }

  /** Gives the lease up; nothing happens when another holder has it. */
  async release(): Promise<void> {
    await this.#collection.deleteOne({ _id: this.#name, holder: this.#holder });
  }
}
