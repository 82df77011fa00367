/**
 * Slows down guessing without locking others out. Failures count per pair of login and address; from the limit on, each
 * further one doubles the wait, up to the window. An address that tries many logins, and a login tried from many
 * addresses, wait too, but after far more failures, and never if that login succeeded from that address in the last 30
 * days.
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
  /** The failure after which logins must wait. */
  readonly failures: number;
  /** The longest wait; failures are forgotten after twice this time. */
  readonly minutes: number;
}

interface FailuresDocument extends Document {
  readonly failures: number;
  readonly lastAt: Date;
  /** For a login and an address that succeeded together: until when the pair is known. */
  readonly knownUntil?: Date;
  /** When the document becomes irrelevant. */
  readonly expiresAt: Date;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const KNOWN_FOR = 30 * DAY;

/** Multiplies the policy's failures: an office may share an address. */
const OF_AN_ADDRESS = 10;
const OF_A_LOGIN = 20;

/** Failures are stored, so a wait holds on every instance and after a restart. */
export class Lockout {
  readonly #documents: Collection<FailuresDocument>;
  readonly #policy: LockoutPolicy;
  readonly #passwords: Passwords;
  readonly #clock: Clock;
  /** Called for every refusal with its code and the address. */
  readonly #refused: (reason: string, address: string) => void;

  /** Lockouts with different names count separately. */
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
   * Runs one login attempt. `check` returns the refusal of a wrong guess, which is counted and thrown; what it
   * throws is not counted. Throws `too_many_attempts` without a check during a wait.
   */
  async attempt(
    login: string,
    address: string,
    check: (verify: Verify) => Promise<ServiceError | undefined>,
  ): Promise<void> {
    await this.refuseEarly(login, address);
    await this.#passwords.queued(async (verify) => {
      // Again, as concurrent guesses may have failed while this one waited.
      const pair = await this.refuseEarly(login, address);
      const refusal = await check(verify);
      if (refusal === undefined) return this.#recordSuccess(login, address, pair);
      await this.#recordFailure(login, address);
      this.#refused(refusal.code, address);
      throw refusal;
    });
  }

  /** The record of login and address together. Throws `too_many_attempts` during a wait. */
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

  /** Ends waits: of the login, of the address, of the pair, or all. Returns how many there were. */
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
        // An expired document that the store has not removed yet would keep counting.
        await this.#documents.deleteOne({ _id, expiresAt: { $lte: new Date(now) } });
        const update = { $inc: { failures: 1 }, $set: { lastAt: new Date(now) }, $max: { expiresAt } };
        await this.#documents.updateOne({ _id }, update, { upsert: true });
      }),
    );
  }

  /**
   * The address keeps its failures: otherwise someone who knows one password could guess others without end. Written
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

/** Milliseconds after the last failure: a minute at the limit, doubled by each failure beyond it. */
export function waitAfter(count: number, { failures, minutes }: LockoutPolicy): number {
  if (count < failures) return 0;
  return Math.min(2 ** Math.min(count - failures, 30), minutes) * MINUTE;
}

/** Whether a wait belongs to the login, the address, or the pair; without either, any. */
function concerns(_id: string, login: string | undefined, address: string | undefined): boolean {
  const [kind, first = '', second = ''] = _id.split(' ');
  if (kind === 'login') return login === undefined ? address === undefined : login === first;
  if (kind === 'address') return address === undefined ? login === undefined : address === first;
  return (login ?? first) === first && (address ?? second) === second;
}

/** Hashed: the typed login may be a password, and may be of any length. */
function idsOf(login: string, address: string): Readonly<Record<'pair' | 'login' | 'address', string>> {
  const [hashed, group] = [sha256(login), addressGroup(address)];
  return { pair: `pair ${hashed} ${group}`, login: `login ${hashed}`, address: `address ${group}` };
}
