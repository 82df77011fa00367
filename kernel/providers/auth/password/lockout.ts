/** Slows guessing down: too many failures within a window lock a login, or an address, for as long again. */
import { addressGroup } from '../../../sdk/address.js';
import type { Clock } from '../../../sdk/clock.js';
import { sha256 } from '../../../sdk/crypto.js';
import type { ServiceError } from '../../../sdk/errors.js';
import type { Collection, Document, Storage } from '../../../sdk/storage.js';
import { errors } from '../errors.js';
import type { Passwords, Verify } from './passwords.js';

export interface LockoutPolicy {
  /** The failure that locks. */
  readonly failures: number;
  /** The window in which they are counted, and how long the lock lasts. */
  readonly minutes: number;
}

interface FailuresDocument extends Document {
  /** The last failures, oldest first, as many as the policy counts. */
  readonly failures: readonly Date[];
  /** When the document no longer matters. */
  readonly expiresAt: Date;
}

/** Failures live in storage: a lock holds on every instance and over a restart. */
export class Lockout {
  readonly #failures: Collection<FailuresDocument>;
  readonly #policy: LockoutPolicy;
  readonly #passwords: Passwords;
  readonly #clock: Clock;

  /** Lockouts of different names do not count each other's failures. */
  constructor(storage: Storage, name: string, policy: LockoutPolicy, passwords: Passwords, clock: Clock) {
    this.#failures = storage.collection<FailuresDocument>({
      name: `${name}_failures`,
      indexes: [{ keys: { expiresAt: 1 }, expireAfterSeconds: 0 }],
    });
    this.#policy = policy;
    this.#passwords = passwords;
    this.#clock = clock;
  }

  /**
   * Runs one attempt to log in. `check` returns the refusal of a wrong guess, which is counted and thrown;
   * what it throws is not counted. Throws `too_many_attempts` without a check while the lock lasts.
   */
  async attempt(
    login: string,
    address: string,
    check: (verify: Verify) => Promise<ServiceError | undefined>,
  ): Promise<void> {
    await this.refuseLocked(login, address);
    await this.#passwords.queued(async (verify) => {
      // Again, as guesses sent in parallel have failed while this one waited.
      await this.refuseLocked(login, address);
      const refusal = await check(verify);
      if (refusal === undefined) return this.#forgive(login);
      await this.#recordFailure(login, address);
      throw refusal;
    });
  }

  async refuseLocked(login: string, address: string): Promise<void> {
    const found = await this.#failures.find({ _id: { $in: idsOf(login, address) } }).toArray();
    const end = Math.max(...found.map((each) => lockEnd(each.failures, this.#policy) ?? 0), 0);
    const seconds = Math.ceil((end - this.#clock.now()) / 1000);
    if (seconds <= 0) return;
    throw errors.too_many_attempts({
      values: { minutes: Math.ceil(seconds / 60) },
      headers: { 'retry-after': String(seconds) },
    });
  }

  async #recordFailure(login: string, address: string): Promise<void> {
    const now = this.#clock.now();
    const update = {
      $push: { failures: { $each: [new Date(now)], $slice: -this.#policy.failures } },
      $set: { expiresAt: new Date(now + 2 * windowOf(this.#policy)) },
    };
    await Promise.all(
      idsOf(login, address).map((_id) => this.#failures.updateOne({ _id }, update, { upsert: true })),
    );
  }

  /**
   * Forgets the failures of a login that got in. Those of the address stay: someone who knows one password
   * could otherwise guess others without end.
   */
  async #forgive(login: string): Promise<void> {
    await this.#failures.deleteOne({ _id: loginId(login) });
  }
}

function idsOf(login: string, address: string): string[] {
  return [loginId(login), `address ${addressGroup(address)}`];
}

/** Hashed: what was typed as a login may be a password, and may be of any length. */
function loginId(login: string): string {
  return `login ${sha256(login)}`;
}

/** When the lock that these failures make ends; undefined when they make none. */
export function lockEnd(failures: readonly Date[], policy: LockoutPolicy): number | undefined {
  const counted = failures.slice(-policy.failures);
  const first = counted.at(0)?.getTime();
  const last = counted.at(-1)?.getTime();
  if (first === undefined || last === undefined || counted.length < policy.failures) return undefined;
  return last - first < windowOf(policy) ? last + windowOf(policy) : undefined;
}

/** In milliseconds. */
function windowOf({ minutes }: LockoutPolicy): number {
  return minutes * 60_000;
}
