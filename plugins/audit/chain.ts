/**
 * The chain of this instance: each record carries the hash of the previous one, and the head is stored separately, so
 * that changes and truncation are detected. One writer; records that arrive during a write go into the next.
 */
import {
  Batcher,
  newId,
  type AuditEvent,
  type Clock,
  type Collection,
  type Document,
  type Outcome,
  type Storage,
} from 'plugboard/sdk';
import type { Copy } from './copy.js';
import { sealed, type RecordDocument } from './record.js';

/** The state of a chain: its last record, and what retention removed from its start. */
export interface HeadDocument extends Document {
  readonly seq: number;
  readonly hash: string;
  readonly at: Date;
  /** The last record that retention removed; absent if none was. */
  readonly removed?: { readonly seq: number; readonly hash: string };
}

interface Dated {
  readonly event: AuditEvent;
  readonly at: Date;
}

/** Records per write. */
const BATCH = 500;
/** Queued events: an unavailable store must not fill the memory. */
const MOST_WAITING = 10_000;
/** Newest heads of other chains that a new chain names, so that a removed chain is noticed. */
const WITNESSED = 20;

export class Chain {
  readonly records: Collection<RecordDocument>;
  readonly heads: Collection<HeadDocument>;
  readonly #clock: Clock;
  readonly #copy: Copy;
  #id = newId();
  #seq = 0;
  #previous = '';
  readonly #batches = new Batcher<Dated, void>((batch) => this.#writeOrBeginAnother(batch), { most: BATCH });

  constructor(storage: Storage, clock: Clock, copy: Copy) {
    this.records = storage.collection<RecordDocument>({
      name: 'records',
      indexes: [
        { keys: { chain: 1, seq: 1 }, unique: true },
        { keys: { actor: 1, _id: -1 } },
        { keys: { action: 1, _id: -1 } },
        { keys: { request: 1, _id: -1 } },
      ],
    });
    this.heads = storage.collection<HeadDocument>({ name: 'heads', indexes: [{ keys: { at: -1 } }] });
    this.#clock = clock;
    this.#copy = copy;
  }

  /** Resolves when the record is durable. */
  append(event: AuditEvent): Promise<void> {
    if (this.#batches.waiting >= MOST_WAITING)
      return Promise.reject(new Error('too many audit records wait to be written'));
    return this.#batches.call({ event, at: new Date(this.#clock.now()) });
  }

  /** Waits for pending records. */
  close(): Promise<void> {
    return this.#batches.idle();
  }

  async #writeOrBeginAnother(batch: readonly Dated[]): Promise<Outcome<void>[]> {
    try {
      await this.#write(batch);
      return batch.map(() => ({ value: undefined }));
    } catch (error) {
      this.#beginAnother();
      throw error;
    }
  }

  async #write(batch: readonly Dated[]): Promise<void> {
    const events = this.#seq === 0 ? [await this.#opening(), ...batch] : batch;
    let [seq, previous] = [this.#seq, this.#previous];
    const documents = events.map(({ event, at }) => {
      seq += 1;
      const document = sealed({ ...event, chain: this.#id, seq, at: at.toISOString(), previous });
      previous = document.hash;
      return document;
    });
    await this.#copy.append(documents);
    await this.records.insertMany(documents);
    [this.#seq, this.#previous] = [seq, previous];
    const at = documents.at(-1)?.at ?? new Date(this.#clock.now());
    await this.heads.updateOne({ _id: this.#id }, { $set: { seq, hash: previous, at } }, { upsert: true });
  }

  /** After a failed write it is unknown how much was stored: a new chain begins, so that none has a gap. */
  #beginAnother(): void {
    this.#id = newId();
    this.#seq = 0;
    this.#previous = '';
  }

  /** The first record of a chain names the heads of the newest others. */
  async #opening(): Promise<Dated> {
    const heads = await this.heads.find({}, { sort: { at: -1 }, limit: WITNESSED }).toArray();
    const fields = heads.map(({ _id, seq, hash }) => `${_id} ${seq} ${hash}`);
    return {
      event: { action: 'chain begins', actor: 'server', outcome: 'done', fields },
      at: new Date(this.#clock.now()),
    };
  }
}
