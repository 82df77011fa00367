/**
 * Writes usage records in batches: a call never waits for its record, and the record is stored within
 * `DELAY` ms. A batch that could not be stored is stored again as it was, so that nothing is billed twice.
 */
import type { Logger } from 'plugboard/sdk';
import { UsageBatch } from './batch.js';
import type { UsageRecord } from './record.js';

/** Milliseconds from a record to the write of its batch: each write waits for the disk. */
const DELAY = 1_000;
/** Records of one transaction: some fifty kilobytes. */
const BATCH = 2_000;
/** Batches that wait while the store is away; beyond, the oldest is dropped and its size logged. */
const MOST_BATCHES = 50;

/** Stores all of a batch or throws; called again with the same batch it stores it once. */
export type StoreBatch = (batch: UsageBatch) => Promise<void>;

export class UsageLedger {
  readonly #store: StoreBatch;
  readonly #log: Logger;
  /** Takes the records of now; a record on its own would outlive two collections of the engine's young objects. */
  #open = new UsageBatch();
  readonly #full: UsageBatch[] = [];
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
    this.#open.add(record);
    if (this.#open.size === BATCH) this.#turnOver();
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
        const batches = [this.#batch, ...this.#full, this.#open];
        const waiting = batches.reduce((sum, batch) => sum + (batch?.size ?? 0), 0);
        this.#log.warn({ err: error, waiting }, 'usage records wait for the store');
        this.#schedule();
      });
    }, DELAY);
  }

  async #write(): Promise<void> {
    for (;;) {
      if (this.#full.length === 0 && this.#open.size > 0) this.#turnOver();
      this.#batch ??= this.#full.shift();
      if (this.#batch === undefined) return;
      await this.#store(this.#batch);
      this.#batch = undefined;
    }
  }

  #turnOver(): void {
    this.#full.push(this.#open);
    this.#open = new UsageBatch();
    if (this.#full.length <= MOST_BATCHES) return;
    const count = this.#full.shift()?.size;
    this.#log.error({ count }, 'usage records were given up: the store has been away for too long');
  }
}
