/** Requests in flight, by what they are counted for: an account, or the platform that creates accounts. */
import { Semaphore } from 'plugboard/sdk';
import { Refused } from '../errors/errors.js';

export interface Places {
  /** Throws when all places of `key` are taken. */
  run<T>(work: () => Promise<T>, entry: { readonly key: string }): Promise<T>;
}

/** Those of this instance. */
export function slots(limit: number): Places {
  return new Semaphore(limit, { queue: 0, full: (key) => atLimit(key, limit) });
}

export function atLimit(name: string, limit: number): Refused {
  return new Refused({
    code: 'account_rate_limit_exceeded',
    message: `${name} has ${limit} requests in flight, which is the limit: try again`,
  });
}
