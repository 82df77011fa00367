/** A lease in storage: work that only one instance of a deployment may do at a time. */
import { newId } from '../crypto.js';
import type { Document } from '../storage/document.js';
import { isStorageError } from '../storage/errors.js';
import type { Collection } from '../storage/port.js';

export interface LeaseDocument extends Document {
  readonly holder: string;
  /** Incremented by every renewal. */
  readonly beat: number;
}

/**
 * One holder's view of the lease `name`. A contender watches the holder's beat, and takes the lease when that has not
 * changed for `duration` ms of the contender's own monotonic clock. Clock skew and clock changes do no harm. A live
 * holder renews well before, e.g. every third of it.
 */
export class Lease {
  readonly #holder = newId();
  readonly #collection: Collection<LeaseDocument>;
  readonly #name: string;
  readonly #duration: number;
  readonly #now: () => number;
  /** Another holder's last beat, and since when it is unchanged. */
  #seen: { readonly holder: string; readonly beat: number; readonly since: number } | undefined;

  /** `duration` in milliseconds; `now` is a monotonic clock. */
  constructor(
    collection: Collection<LeaseDocument>,
    name: string,
    duration: number,
    now: () => number = () => performance.now(),
  ) {
    this.#collection = collection;
    this.#name = name;
    this.#duration = duration;
    this.#now = now;
  }

  /** Takes or renews the lease. False while another holder has it. */
  async acquire(): Promise<boolean> {
    const mine = { _id: this.#name, holder: this.#holder };
    if ((await this.#collection.updateOne(mine, { $inc: { beat: 1 } })).matched === 1) return true;
    const found = await this.#collection.findOne({ _id: this.#name });
    if (found === null) return this.#make();
    if (!this.#standsStill(found)) return false;
    const { matched } = await this.#collection.updateOne(
      { _id: this.#name, holder: found.holder, beat: found.beat },
      { $set: { holder: this.#holder }, $inc: { beat: 1 } },
    );
    return matched === 1;
  }

  async #make(): Promise<boolean> {
    try {
      await this.#collection.insertOne({ _id: this.#name, holder: this.#holder, beat: 0 });
      return true;
    } catch (error) {
      // Another holder was first.
      if (isStorageError(error, 'duplicate_key')) return false;
      throw error;
    }
  }

  #standsStill({ holder, beat }: LeaseDocument): boolean {
    const now = this.#now();
    if (this.#seen?.holder !== holder || this.#seen.beat !== beat) this.#seen = { holder, beat, since: now };
    return now - this.#seen.since >= this.#duration;
  }

  /** Gives up the lease; does nothing if another holder has it. */
  async release(): Promise<void> {
    await this.#collection.deleteOne({ _id: this.#name, holder: this.#holder });
  }
}
