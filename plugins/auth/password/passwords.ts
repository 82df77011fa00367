/** Hashes and checks passwords, a few at a time: equal work for unknown logins, none for a password just checked. */
import { createHmac, randomBytes } from 'node:crypto';
import { type Clock, Semaphore } from 'plugboard/sdk';
import { errors } from '../errors.js';
import { hashPassword, verifyPassword, type ScryptCost } from './hash.js';

/** Milliseconds for which a right password is not hashed again. */
const REMEMBERED_FOR = 5 * 60_000;
const REMEMBERED = 1_000;

/** scrypt fills one of libuv's four threads for 60 ms: two are left for files and name lookups. */
const AT_ONCE = 2;
const QUEUE = 200;

/** `hashed` is undefined for an unknown login: the answer is false, after the same time. */
export type Verify = (password: string, hashed: string | undefined) => Promise<boolean>;

export class Passwords {
  readonly #clock: Clock;
  readonly #cost: ScryptCost | undefined;
  readonly #semaphore = new Semaphore(AT_ONCE, {
    queue: QUEUE,
    full: () => errors.auth_busy({ headers: { 'retry-after': '1' } }),
  });
  /** Random per process, so remembered values are worthless outside it. */
  readonly #pepper = randomBytes(32);
  /** Expiry by HMAC of password and stored hash; changing the password invalidates it. */
  readonly #right = new Map<string, number>();

  /** `cost` of new hashes. */
  constructor(clock: Clock, cost?: ScryptCost) {
    this.#clock = clock;
    this.#cost = cost;
  }

  /** Every method that hashes throws `auth_busy` if too many are waiting. */
  hash(password: string): Promise<string> {
    return this.#semaphore.run(() => hashPassword(password, this.#cost));
  }

  verify(password: string, hashed: string | undefined): Promise<boolean> {
    return this.queued((verify) => verify(password, hashed));
  }

  /** Waits for a turn to hash, then runs `work`, which may first test whether the check is still needed. */
  queued<T>(work: (verify: Verify) => Promise<T>): Promise<T> {
    return this.#semaphore.run(() => work(this.#verify));
  }

  /** Whether this password was right a moment ago. Clients of Basic send it with every request. */
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
