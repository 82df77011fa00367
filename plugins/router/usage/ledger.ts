/**
 * Writes usage records in batches: a call never waits for its record, and the record is stored within
 * `DELAY` ms. A batch that could not be stored is stored again under the same ids, so nothing is billed twice.
 */
import type { Collection, Logger } from 'plugboard/sdk';
import type { UsageRecord } from './record.js';

/** Milliseconds from a record to the write of its batch. */
const DELAY = 100;
const RETRY_DELAY = 1_000;
const BATCH = 500;
/** With the store away, so many records wait; then the oldest are given up, and the log says how many. */
const MAX_WAITING = 100_000;

export class UsageLedger {
  readonly #collection: Collection<UsageRecord>;
  readonly #log: Logger;
  #waiting: UsageRecord[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  /** Of the first batch in `#waiting` some records may be stored already. */
  #again = false;
  #closed = false;

  constructor(collection: Collection<UsageRecord>, log: Logger) {
    this.#collection = collection;
    this.#log = log;
  }

  record(record: UsageRecord): void {
    this.#waiting.push(record);
    if (this.#waiting.length > MAX_WAITING) this.#giveUp(this.#waiting.length - MAX_WAITING);
    this.#schedule(DELAY);
  }

  /** Stores all that waits; throws when the store does not take it. */
  flush(): Promise<void> {
    const flushed = this.#writing.then(() => this.#write());
    this.#writing = flushed.catch(() => {});
    return flushed;
  }

  /** Stores what waits and takes no more time for it than one attempt. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.flush();
  }

  #schedule(delay: number): void {
    if (this.#closed) {
      void this.flush().catch((error: unknown) => this.#log.error({ err: error }, 'usage records were lost'));
      return;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.flush().catch((error: unknown) => {
        this.#log.warn({ err: error, waiting: this.#waiting.length }, 'usage records wait for the store');
        this.#schedule(RETRY_DELAY);
      });
    }, delay);
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, BATCH);
      await this.#store(batch);
      this.#waiting.splice(0, batch.length);
    }
  }

  async #store(batch: readonly UsageRecord[]): Promise<void> {
    const again = this.#again;
    // Until this write is known to have worked, whoever comes next must reckon with the half of it.
    this.#again = true;
    if (again) {
      await this.#collection.bulkWrite(
        batch.map((record) => ({
          replaceOne: { filter: { _id: record._id }, replacement: record, upsert: true },
        })),
      );
    } else {
      await this.#collection.insertMany(batch);
    }
    this.#again = false;
  }

  #giveUp(count: number): void {
    // The first batch may be on its way to the store.
    this.#waiting.splice(BATCH, count);
    this.#log.error({ count }, 'usage records were given up: the store has been away for too long');
  }
}
