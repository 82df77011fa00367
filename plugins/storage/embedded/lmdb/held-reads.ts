/**
 * What is read beyond one turn of the event loop. All of it ends before the files close: lmdb's cursors would go on in
 * memory that it has given back, and end the process.
 */
import type { RootDatabase, Transaction } from 'lmdb';
import { closed } from './failures.js';

/** A walk that is under way. */
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

  /** Of the state that lmdb reads now. */
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
  /** Those that have begun and not ended. */
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
