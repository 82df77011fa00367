/** Requests in flight for each account, bounded by this instance's share of the limit. */
import { Refused } from '../errors/errors.js';

export class Slots {
  readonly #taken = new Map<string, number>();
  readonly #limit: number;
  readonly #instances: () => number;

  /** `limit` is that of all instances together; each gives out its part of it. */
  constructor(limit: number, instances: () => number) {
    this.#limit = limit;
    this.#instances = instances;
  }

  /** Takes a slot and answers its release. Throws when the account has none left. */
  take(account: string): () => void {
    const taken = this.#taken.get(account) ?? 0;
    if (taken >= this.#share())
      throw new Refused({
        code: 'account_rate_limit_exceeded',
        message: `${account} has ${this.#limit} requests in flight, which is the limit: try again`,
      });
    this.#taken.set(account, taken + 1);
    return () => {
      const left = (this.#taken.get(account) ?? 1) - 1;
      if (left === 0) this.#taken.delete(account);
      else this.#taken.set(account, left);
    };
  }

  async use<T>(account: string, work: () => Promise<T>): Promise<T> {
    const release = this.take(account);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Rounded down, so that the sum keeps the limit; one at least, as long as anything is allowed. */
  #share(): number {
    return this.#limit === 0 ? 0 : Math.max(1, Math.floor(this.#limit / this.#instances()));
  }
}
