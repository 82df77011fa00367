/**
 * Slows guessing down without locking anybody out for others. Failures count for a login and an address together;
 * from the limit on, each further one doubles the wait, up to the window. An address that tries many logins, and a
 * login that is tried from many addresses, wait too, but from far more failures on, and never where that login has
 * been right from that address in the last 30 days.
 */
import {
  addressGroup,
  type Clock,
  type Collection,
  type Document,
  type ServiceError,
  sha256,
  type Storage,
} from 'plugboard/sdk';
import { errors } from '../errors.js';
import type { Passwords, Verify } from './passwords.js';

export interface LockoutPolicy {
  /** The failure after which one must wait. */
  readonly failures: number;
  /** The longest wait, and twice the time after which failures are forgotten. */
  readonly minutes: number;
}

interface FailuresDocument extends Document {
  readonly failures: number;
  readonly lastAt: Date;
  /** Of a login and an address that were right together: until when they are known. */
  readonly knownUntil?: Date;
  /** When the document no longer matters. */
  readonly expiresAt: Date;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const KNOWN_FOR = 30 * DAY;

/** Times the failures of the policy: an office may share an address. */
const OF_AN_ADDRESS = 10;
const OF_A_LOGIN = 20;

/** Failures live in storage: a wait holds on every instance and over a restart. */
export class Lockout {
  readonly #documents: Collection<FailuresDocument>;
  readonly #policy: LockoutPolicy;
  readonly #passwords: Passwords;
  readonly #clock: Clock;
  /** Is told of every refusal: its code, and the address. */
  readonly #refused: (reason: string, address: string) => void;

  /** Lockouts of different names do not count each other's failures. */
  constructor(
    storage: Storage,
    name: string,
    policy: LockoutPolicy,
    passwords: Passwords,
    clock: Clock,
    refused: (reason: string, address: string) => void = () => {},
  ) {
    this.#refused = refused;
    this.#documents = storage.collection<FailuresDocument>({
      name: `${name}_attempts`,
      indexes: [{ keys: { expiresAt: 1 }, expireAfterSeconds: 0 }],
    });
    this.#policy = policy;
    this.#passwords = passwords;
    this.#clock = clock;
  }

  /**
   * Runs one attempt to log in. `check` returns the refusal of a wrong guess, which is counted and thrown;
   * what it throws is not counted. Throws `too_many_attempts` without a check while one must wait.
   */
  async attempt(
    login: string,
    address: string,
    check: (verify: Verify) => Promise<ServiceError | undefined>,
  ): Promise<void> {
    await this.refuseEarly(login, address);
    await this.#passwords.queued(async (verify) => {
      // Again, as guesses sent in parallel have failed while this one waited.
      const pair = await this.refuseEarly(login, address);
      const refusal = await check(verify);
      if (refusal === undefined) return this.#recordSuccess(login, address, pair);
      await this.#recordFailure(login, address);
      this.#refused(refusal.code, address);
      throw refusal;
    });
  }

  /** What is known of the login and the address together. Throws `too_many_attempts` while one must wait. */
  async refuseEarly(login: string, address: string): Promise<FailuresDocument | undefined> {
    const now = this.#clock.now();
    const ids = idsOf(login, address);
    const found = await this.#documents.find({ _id: { $in: Object.values(ids) } }).toArray();
    const alive = new Map(
      found.filter((each) => each.expiresAt.getTime() > now).map((each) => [each._id, each]),
    );
    const pair = alive.get(ids.pair);
    const isKnown = (pair?.knownUntil?.getTime() ?? 0) > now;
    const until = Math.max(
      this.#waitUntil(pair, 1),
      isKnown ? 0 : this.#waitUntil(alive.get(ids.address), OF_AN_ADDRESS),
      isKnown ? 0 : this.#waitUntil(alive.get(ids.login), OF_A_LOGIN),
    );
    const seconds = Math.ceil((until - now) / 1000);
    if (seconds <= 0) return pair;
    this.#refused('too_many_attempts', address);
    throw errors.too_many_attempts({
      values: { minutes: Math.ceil(seconds / 60) },
      headers: { 'retry-after': String(seconds) },
    });
  }

  /** Ends waits: with the login, at the address, of both together, or all. Answers how many there were. */
  async unlock({ login, address }: { readonly login?: string; readonly address?: string }): Promise<number> {
    const failed = { failures: { $gt: 0 } };
    const found = await this.#documents.find(failed, { projection: { _id: 1 } }).toArray();
    const hashed = login === undefined ? undefined : sha256(login.toLowerCase());
    const group = address === undefined ? undefined : addressGroup(address);
    const ids = found.map(({ _id }) => _id).filter((_id) => concerns(_id, hashed, group));
    return this.#documents.deleteMany({ _id: { $in: ids } });
  }

  #waitUntil(document: FailuresDocument | undefined, times: number): number {
    if (document === undefined) return 0;
    const { failures, minutes } = this.#policy;
    return document.lastAt.getTime() + waitAfter(document.failures, { failures: failures * times, minutes });
  }

  async #recordFailure(login: string, address: string): Promise<void> {
    const now = this.#clock.now();
    const expiresAt = new Date(now + 2 * this.#policy.minutes * MINUTE);
    await Promise.all(
      Object.values(idsOf(login, address)).map(async (_id) => {
        // One that the store has not yet removed would go on counting.
        await this.#documents.deleteOne({ _id, expiresAt: { $lte: new Date(now) } });
        const update = { $inc: { failures: 1 }, $set: { lastAt: new Date(now) }, $max: { expiresAt } };
        await this.#documents.updateOne({ _id }, update, { upsert: true });
      }),
    );
  }

  /**
   * Those of the address stay: someone who knows one password could otherwise guess others without end. Written
   * once a day, as clients of Basic log in all the time.
   */
  async #recordSuccess(login: string, address: string, pair: FailuresDocument | undefined): Promise<void> {
    const now = this.#clock.now();
    const known = (pair?.knownUntil?.getTime() ?? 0) > now + KNOWN_FOR - DAY;
    if (known && pair?.failures === 0) return;
    const knownUntil = new Date(now + KNOWN_FOR);
    const fields = { failures: 0, lastAt: new Date(now), knownUntil, expiresAt: knownUntil };
    await this.#documents.updateOne({ _id: idsOf(login, address).pair }, { $set: fields }, { upsert: true });
  }
}

/** Milliseconds after the last failure: a minute at the limit, twice as long with each failure beyond it. */
export function waitAfter(count: number, { failures, minutes }: LockoutPolicy): number {
  if (count < failures) return 0;
  return Math.min(2 ** Math.min(count - failures, 30), minutes) * MINUTE;
}

/** Whether a wait is one of the login, of the address, or of both together; without either, any. */
function concerns(_id: string, login: string | undefined, address: string | undefined): boolean {
  const [kind, first = '', second = ''] = _id.split(' ');
  if (kind === 'login') return login === undefined ? address === undefined : login === first;
  if (kind === 'address') return address === undefined ? login === undefined : address === first;
  return (login ?? first) === first && (address ?? second) === second;
}

/** Hashed: what was typed as a login may be a password, and may be of any length. */
function idsOf(login: string, address: string): Readonly<Record<'pair' | 'login' | 'address', string>> {
  const [hashed, group] = [sha256(login), addressGroup(address)];
  return { pair: `pair ${hashed} ${group}`, login: `login ${hashed}`, address: `address ${group}` };
}
