/**
 * Writes usage records in batches: a call never waits for its record, and the record is stored within
 * `DELAY` ms. A batch that could not be stored is stored again as it was, so that nothing is billed twice.
 */
import { newId, type Logger } from 'plugboard/sdk';
import type { UsageBatch, UsageRecord } from './record.js';

/** Milliseconds from a record to the write of its batch: each write waits for the disk. */
const DELAY = 1_000;
/** Records of one transaction: half a megabyte, some milliseconds of the store's commit. */
const BATCH = 2_000;
/** With the store away, so many records wait; then the oldest are given up, and the log says how many. */
const MAX_WAITING = 100_000;

/** Stores all of a batch or throws; called again with the same batch it stores it once. */
export type StoreBatch = (batch: UsageBatch) => Promise<void>;

export class UsageLedger {
  readonly #store: StoreBatch;
  readonly #log: Logger;
  #waiting: UsageRecord[] = [];
  /** On its way to the store, and left as it is until it is there. */
  #batch: UsageBatch | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(store: StoreBatch, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  record(record: UsageRecord): void {
    this.#waiting.push(record);
    if (this.#waiting.length > MAX_WAITING) this.#giveUp(this.#waiting.length - MAX_WAITING);
    this.#schedule();
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

  #schedule(): void {
    if (this.#closed) {
      void this.flush().catch((error: unknown) => this.#log.error({ err: error }, 'usage records were lost'));
      return;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.flush().catch((error: unknown) => {
        const waiting = (this.#batch?.records.length ?? 0) + this.#waiting.length;
        this.#log.warn({ err: error, waiting }, 'usage records wait for the store');
        this.#schedule();
      });
    }, DELAY);
  }

  async #write(): Promise<void> {
    for (;;) {
      if (this.#batch === undefined && this.#waiting.length === 0) return;
      this.#batch ??= { id: newId(), records: this.#waiting.splice(0, BATCH) };
      await this.#store(this.#batch);
      this.#batch = undefined;
    }
  }

  #giveUp(count: number): void {
    this.#waiting.splice(0, count);
    this.#log.error({ count }, 'usage records were given up: the store has been away for too long');
  }
}
