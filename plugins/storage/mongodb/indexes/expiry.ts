/** Exact expiry: MongoDB sweeps once a minute, the port hides a document at once. */
import type { Document as DriverDocument } from 'mongodb';
import type { Clock, IndexSpec } from 'plugboard/sdk';
import { toFilter } from '../translate/filter.js';

export class Expiry {
  readonly #rules: readonly IndexSpec[];
  readonly #clock: Clock;

  constructor(indexes: readonly IndexSpec[], clock: Clock) {
    this.#rules = indexes.filter((index) => index.expireAfterSeconds !== undefined);
    this.#clock = clock;
  }

  /** Whether documents of the collection can expire. */
  get applies(): boolean {
    return this.#rules.length > 0;
  }

  /** `filter`, and not expired. */
  alive(filter: DriverDocument): DriverDocument {
    return this.applies ? { $and: [filter, { $nor: this.#expired() }] } : filter;
  }

  /** Matches expired documents. */
  expired(): DriverDocument {
    return { $or: this.#expired() };
  }

  #expired(): DriverDocument[] {
    const now = this.#clock.now();
    return this.#rules.map(({ keys, expireAfterSeconds = 0, partial }) => {
      const [path = ''] = Object.keys(keys);
      const due = { [path]: { $lte: new Date(now - expireAfterSeconds * 1000) } };
      return partial === undefined ? due : { $and: [due, toFilter(partial)] };
    });
  }
}
