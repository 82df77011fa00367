/** Outcomes of requests with an idempotency key: answered, or failed and retriable with the same body. */
import type { Clock, Collection, Document, Secrets, Storage, Transaction } from 'plugboard/sdk';
import { Refused } from '../errors/errors.js';
import { fingerprintOf, hasFingerprint, KEPT, type KeyedRequest } from './request.js';

interface RecordDocument extends Document {
  readonly fingerprint: string;
  /** The answer to replay; null while no attempt has succeeded. */
  readonly answer: string | null;
  readonly expiresAt: Date;
}

export class IdempotencyRecords {
  readonly #collection: Collection<RecordDocument>;
  readonly #clock: Clock;
  readonly #secrets: Secrets;

  constructor(storage: Storage, clock: Clock, secrets: Secrets) {
    this.#collection = storage.collection<RecordDocument>({
      name: 'idempotency',
      indexes: [{ keys: { expiresAt: 1 }, expireAfterSeconds: 0 }],
    });
    this.#clock = clock;
    this.#secrets = secrets;
  }

  /** The answer to replay, or undefined. Throws if the key was used with another body. */
  async answerOf(request: KeyedRequest): Promise<string | undefined> {
    const found = await this.#collection.findOne({ _id: request.id });
    if (found === null || found.expiresAt.getTime() <= this.#clock.now()) return undefined;
    this.assertSame(request, found.fingerprint);
    return found.answer ?? undefined;
  }

  assertSame(request: KeyedRequest, fingerprint: string): void {
    if (!hasFingerprint(this.#secrets, request, fingerprint))
      throw new Refused({
        code: 'idempotency_error',
        message: 'the Idempotency-Key was used with another body: send a new key with a new request',
      });
  }

  fingerprint(request: KeyedRequest): string {
    return fingerprintOf(this.#secrets, request);
  }

  /** Part of the transaction that does the work. Throws `duplicate_key` if another attempt has succeeded. */
  async succeed(tx: Transaction, request: KeyedRequest, answer: string): Promise<void> {
    await this.#collection
      .with(tx)
      .updateOne(
        { _id: request.id, answer: null },
        { $set: this.#fields(request, answer) },
        { upsert: true },
      );
  }

  /** A failure binds the key to its body, and does not overwrite a success. */
  async fail(request: KeyedRequest): Promise<void> {
    await this.#collection.updateOne(
      { _id: request.id },
      { $setOnInsert: this.#fields(request, null) },
      { upsert: true },
    );
  }

  #fields(request: KeyedRequest, answer: string | null): Omit<RecordDocument, '_id'> {
    return {
      fingerprint: this.fingerprint(request),
      answer,
      expiresAt: new Date(this.#clock.now() + KEPT),
    };
  }
}
