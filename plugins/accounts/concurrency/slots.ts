/** Requests in flight, counted per account, or per platform that creates accounts. */
import { Semaphore } from 'plugboard/sdk';
import { Refused } from '../errors/errors.js';

export interface Places {
  /** Throws if all slots of `key` are taken. */
  run<T>(work: () => Promise<T>, entry: { readonly key: string }): Promise<T>;
}

/** Slots of this instance. */
export function slots(limit: number): Places {
  return new Semaphore(limit, { queue: 0, full: (key) => atLimit(key, limit) });
}

export function atLimit(name: string, limit: number): Refused {
  return new Refused({
    code: 'account_rate_limit_exceeded',
    message: `${name} has ${limit} requests in flight, which is the limit: try again`,
  });
}
