/** Device codes (RFC 8628): the device polls with one, the user enters another. Only their hashes are stored. */
import { randomBytes, randomInt } from 'node:crypto';
import {
  insertWithin,
  isStorageError,
  sha256,
  type Clock,
  type Collection,
  type Document,
  type Storage,
} from 'plugboard/sdk';

export const EXPIRES_IN = 900;
/** Seconds between two polls. */
export const INTERVAL = 5;
/** Live codes of one application: starting a login needs no secret. */
const MOST_ISSUED = 1_000;
/** Wrong codes that a user may enter in fifteen minutes; a code has 20^8 forms (RFC 8628 5.1). */
const MOST_WRONG = 20;
const WINDOW = EXPIRES_IN * 1_000;
/** Consonants only: they form no words, and no two look alike (RFC 8628 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

/** `_id`: the hash of the device code. */
export interface DeviceGrant extends Document {
  readonly userCode: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly state: 'waiting' | 'allowed' | 'denied';
  /** Who allowed it. */
  readonly userId: number | null;
  readonly interval: number;
  readonly polledAt: Date;
  readonly expireAt: Date;
}

interface WrongCodes extends Document {
  readonly wrong: number;
  readonly expireAt: Date;
}

export class DeviceCodes {
  readonly #documents: Collection<DeviceGrant>;
  readonly #wrong: Collection<WrongCodes>;
  readonly #clock: Clock;

  constructor(storage: Storage, clock: Clock) {
    // For one more hour, a device is told that its code has expired.
    const expiry = { keys: { expireAt: 1 }, expireAfterSeconds: 3_600 } as const;
    this.#documents = storage.collection<DeviceGrant>({
      name: 'device_codes',
      indexes: [{ keys: { userCode: 1 }, unique: true }, { keys: { clientId: 1, expireAt: 1 } }, expiry],
    });
    this.#wrong = storage.collection<WrongCodes>({ name: 'wrong_device_codes', indexes: [expiry] });
    this.#clock = clock;
  }

  /** Undefined if too many of the application live. */
  async issue(
    clientId: string,
    scopes: readonly string[],
  ): Promise<{ readonly deviceCode: string; readonly userCode: string } | undefined> {
    const now = this.#clock.now();
    const living = { clientId, expireAt: { $gt: new Date(now) } };
    const expireAt = new Date(now + EXPIRES_IN * 1_000);
    for (;;) {
      const deviceCode = randomBytes(20).toString('hex');
      const letters = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
      const grant: DeviceGrant = {
        _id: sha256(deviceCode),
        userCode: sha256(letters),
        clientId,
        scopes,
        state: 'waiting',
        userId: null,
        interval: INTERVAL,
        polledAt: new Date(0),
        expireAt,
      };
      try {
        if (!(await insertWithin(this.#documents, grant, living, MOST_ISSUED))) return undefined;
        return { deviceCode, userCode: `${letters.slice(0, 4)}-${letters.slice(4)}` };
      } catch (error) {
        // The same letters twice in an hour: draw others.
        if (!isStorageError(error, 'duplicate_key')) throw error;
      }
    }
  }

  /** Null for a code that does not exist. */
  async find(deviceCode: string): Promise<DeviceGrant | null> {
    return this.#documents.findOne({ _id: sha256(deviceCode) });
  }

  isOver({ expireAt }: DeviceGrant): boolean {
    return expireAt.getTime() <= this.#clock.now();
  }

  /** The grant of a user code, whatever its case, dashes and blanks. */
  async entered(typed: string, userId: number): Promise<DeviceGrant | 'wrong' | 'tooManyWrong'> {
    const now = this.#clock.now();
    const _id = `${userId} ${Math.floor(now / WINDOW)}`;
    const expireAt = new Date(now + 2 * WINDOW);
    // Counted before it is checked, as guesses may be concurrent; a right one is uncounted.
    const tries = await this.#wrong.findOneAndUpdate(
      { _id },
      { $inc: { wrong: 1 }, $set: { expireAt } },
      { upsert: true },
    );
    if ((tries?.wrong ?? 0) > MOST_WRONG) return 'tooManyWrong';
    const userCode = sha256(typed.toUpperCase().replace(/[^A-Z]/g, ''));
    const grant = await this.#documents.findOne({ userCode, state: 'waiting' });
    if (grant === null || this.isOver(grant)) return 'wrong';
    await this.#wrong.updateOne({ _id }, { $inc: { wrong: -1 } });
    return grant;
  }

  /** False if somebody else has decided meanwhile. */
  async decide({ _id }: DeviceGrant, userId: number, state: 'allowed' | 'denied'): Promise<boolean> {
    const decided = await this.#documents.findOneAndUpdate(
      { _id, state: 'waiting' },
      { $set: { state, userId } },
    );
    return decided !== null;
  }

  /** Records a poll. One that comes too soon makes the interval five seconds longer (RFC 8628 3.5). */
  async poll({ _id, interval, polledAt }: DeviceGrant): Promise<{ tooSoon: boolean; interval: number }> {
    const now = this.#clock.now();
    const tooSoon = now - polledAt.getTime() < interval * 1_000;
    const next = tooSoon ? interval + 5 : interval;
    await this.#documents.updateOne({ _id }, { $set: { polledAt: new Date(now), interval: next } });
    return { tooSoon, interval: next };
  }

  /** True for exactly one caller, who makes the token. */
  async take({ _id }: DeviceGrant): Promise<boolean> {
    return (await this.#documents.deleteOne({ _id })) > 0;
  }
}
