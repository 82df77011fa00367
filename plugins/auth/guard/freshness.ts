/**
 * Whether this instance can know what was revoked elsewhere.
 *
 * Its memory and its reads are current only while a majority of the store acknowledges its writes: an open change
 * stream is no proof, and a deposed primary answers reads for a while. A credential revoked elsewhere is accepted for
 * `lag` at most; a partitioned instance refuses instead of guessing.
 */
import { newId, type Collection, type Document, type Storage } from 'plugboard/sdk';
import { errors } from '../errors.js';

interface ConfirmationDocument extends Document {
  readonly at: Date;
}

/** Milliseconds after which the document of a stopped instance is removed. */
const KEPT = 86_400_000;
/** Writes per `lag` while there are requests. */
const BEATS = 4;

export class Freshness {
  readonly #documents: Collection<ConfirmationDocument> | undefined;
  /** Milliseconds. */
  readonly #lag: number;
  readonly #instance = newId();
  /** When the last acknowledged write began, on the monotonic clock. */
  #confirmedAt = -Infinity;
  #asked = false;
  #confirming: Promise<void> | undefined;

  /** `lag` in milliseconds. A store that only this process uses needs no confirmation. */
  constructor(storage: Storage, lag: number) {
    this.#lag = lag;
    const documents = storage.collection<ConfirmationDocument>({
      name: 'confirmations',
      indexes: [{ keys: { at: 1 }, expireAfterSeconds: KEPT / 1000 }],
    });
    this.#documents = storage.directory === undefined ? documents : undefined;
  }

  isFresh(): boolean {
    if (this.#documents === undefined) return true;
    this.#asked = true;
    return performance.now() - this.#confirmedAt < this.#lag;
  }

  /** Waits until this instance is fresh. Throws `revocations_unknown` (503) if the store acknowledges too late. */
  async ensure(): Promise<void> {
    while (!this.isFresh()) await this.#confirm();
  }

  /** Keeps a server with traffic fresh until `signal` is aborted, so that no request waits. */
  follow(signal: AbortSignal): void {
    if (this.#documents === undefined) return;
    const timer = setInterval(() => {
      if (this.#asked) this.#confirm().catch(() => {});
      this.#asked = false;
    }, this.#lag / BEATS);
    timer.unref();
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  }

  #confirm(): Promise<void> {
    this.#confirming ??= this.#write().finally(() => (this.#confirming = undefined));
    return this.#confirming;
  }

  async #write(): Promise<void> {
    const began = performance.now();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#lag);
    const tooLate = new Promise<never>((_, reject) =>
      late.signal.addEventListener('abort', () => reject(new Error('not acknowledged in time')), {
        once: true,
      }),
    );
    try {
      const update = { $set: { at: new Date() } };
      const write = this.#documents?.updateOne({ _id: this.#instance }, update, { upsert: true });
      await Promise.race([write, tooLate]);
      this.#confirmedAt = began;
    } catch (error) {
      throw errors.revocations_unknown({ headers: { 'retry-after': '1' }, cause: error });
    } finally {
      clearTimeout(timer);
    }
  }
}
