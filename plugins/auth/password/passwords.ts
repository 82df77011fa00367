/** Hashes and checks passwords, a few at a time: the same work for a login that does not exist, none for one just found right. */
import { createHmac, randomBytes } from 'node:crypto';
import { type Clock, Semaphore } from 'plugboard/sdk';
import { errors } from '../errors.js';
import { hashPassword, verifyPassword, type ScryptCost } from './hash.js';

/** Milliseconds for which a password that was right need not be hashed again. */
const REMEMBERED_FOR = 5 * 60_000;
const REMEMBERED = 1_000;

/** scrypt fills one of libuv's four threads for 60 ms: two are left to files and name lookups. */
const AT_ONCE = 2;
const QUEUE = 200;

/** `hashed` is undefined for a login that does not exist: the answer is false, after as long a time. */
export type Verify = (password: string, hashed: string | undefined) => Promise<boolean>;

export class Passwords {
  readonly #clock: Clock;
  readonly #cost: ScryptCost | undefined;
  readonly #semaphore = new Semaphore(AT_ONCE, {
    queue: QUEUE,
    full: () => errors.auth_busy({ headers: { 'retry-after': '1' } }),
  });
  /** Random for each process: what is remembered is worthless outside of it. */
  readonly #pepper = randomBytes(32);
  /** Until when, by HMAC of password and stored hash; a changed password is thereby forgotten. */
  readonly #right = new Map<string, number>();

  /** `cost` of new hashes. */
  constructor(clock: Clock, cost?: ScryptCost) {
    this.#clock = clock;
    this.#cost = cost;
  }

  /** Every method that hashes throws `auth_busy` when too many wait. */
  hash(password: string): Promise<string> {
    return this.#semaphore.run(() => hashPassword(password, this.#cost));
  }

  verify(password: string, hashed: string | undefined): Promise<boolean> {
    return this.queued((verify) => verify(password, hashed));
  }

  /** Waits for a turn to hash, then runs `work`, which may look first whether the check is still due. */
  queued<T>(work: (verify: Verify) => Promise<T>): Promise<T> {
    return this.#semaphore.run(() => work(this.#verify));
  }

  /** Whether this password was found right a short while ago. Clients of Basic send it with every request. */
  wasRight(password: string, hashed: string): boolean {
    const until = this.#right.get(this.#digest(password, hashed));
    return until !== undefined && this.#clock.now() < until;
  }

  readonly #verify: Verify = async (password, hashed) => {
    if (hashed === undefined) {
      await hashPassword(password, this.#cost);
      return false;
    }
    const isRight = await verifyPassword(password, hashed);
    if (isRight) this.#remember(password, hashed);
    return isRight;
  };

  #remember(password: string, hashed: string): void {
    if (this.#right.size >= REMEMBERED) this.#right.clear();
    this.#right.set(this.#digest(password, hashed), this.#clock.now() + REMEMBERED_FOR);
  }

  #digest(password: string, hashed: string): string {
    return createHmac('sha256', this.#pepper).update(hashed).update('\0').update(password).digest('base64');
  }
}
