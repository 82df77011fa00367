/**
 * Read transactions that last longer than one turn of the event loop. All of them end before the files are closed:
 * a cursor of lmdb would go on reading freed memory and crash the process.
 */
import type { RootDatabase, Transaction } from 'lmdb';
import { closed } from './failures.js';

/** A walk in progress. */
export interface Stoppable {
  /** Its next step throws `unavailable`. */
  stop(): void;
}

export class HeldReads {
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #held = new Set<HeldRead>();

  constructor(root: RootDatabase<Buffer, Buffer>) {
    this.#root = root;
  }

  /** Begins a read of the newest state. */
  begin(): HeldRead {
    const read = new HeldRead(this.#root.useReadTransaction(), () => void this.#held.delete(read));
    this.#held.add(read);
    return read;
  }

  endAll(): void {
    for (const read of this.#held) read.release();
  }
}

export class HeldRead {
  /** Started and not ended. */
  readonly walks = new Set<Stoppable>();
  readonly #released: () => void;
  #transaction: Transaction | undefined;

  constructor(transaction: Transaction, released: () => void) {
    this.#transaction = transaction;
    this.#released = released;
  }

  get transaction(): Transaction {
    if (this.#transaction === undefined) throw closed();
    return this.#transaction;
  }

  release(): void {
    const transaction = this.#transaction;
    if (transaction === undefined) return;
    this.#transaction = undefined;
    for (const walk of this.walks) walk.stop();
    transaction.done();
    this.#released();
  }
}
