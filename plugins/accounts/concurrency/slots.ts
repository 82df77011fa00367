/** Requests in flight, by what they are counted for: an account, or the platform that creates accounts. */
import { Refused } from '../errors/errors.js';

export interface Places {
  /** Throws when all places of `name` are taken. */
  use<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Those of this instance. */
export class Slots implements Places {
  readonly #taken = new Map<string, number>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  async use<T>(name: string, work: () => Promise<T>): Promise<T> {
    const taken = this.#taken.get(name) ?? 0;
    if (taken >= this.#limit) throw atLimit(name, this.#limit);
    this.#taken.set(name, taken + 1);
    try {
      return await work();
    } finally {
      const left = (this.#taken.get(name) ?? 1) - 1;
      if (left === 0) this.#taken.delete(name);
      else this.#taken.set(name, left);
    }
  }
}

export function atLimit(name: string, limit: number): Refused {
  return new Refused({
    code: 'account_rate_limit_exceeded',
    message: `${name} has ${limit} requests in flight, which is the limit: try again`,
  });
}
