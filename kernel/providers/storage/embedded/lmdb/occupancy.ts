/**
 * Which processes have the store open. The first to come may put the files right, the last to go may tidy up;
 * nobody comes or goes meanwhile. An lmdb file of its own knows it, which is never written: its lock is let go
 * of when a process dies, however it dies, and so is the place of a process in its table of readers.
 */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase, type Transaction } from 'lmdb';

/** Locks on a file are the process's: opening it twice and closing one would let go of both. */
const shared = new Map<string, { readonly file: RootDatabase; users: number }>();

export class Occupancy {
  readonly #path: string;
  readonly #file: RootDatabase;
  #place: Transaction | undefined;

  constructor(directory: string) {
    this.#path = realpathSync(directory);
    const known = shared.get(this.#path) ?? { file: openFile(this.#path), users: 0 };
    known.users++;
    shared.set(this.#path, known);
    this.#file = known.file;
  }

  /** Takes a place while `work` runs; it is taken when `work` returns, and not when it throws. */
  enter(work: (first: boolean) => void): void {
    this.#alone((others) => {
      this.#file.resetReadTxn();
      const place = this.#file.useReadTransaction();
      try {
        work(!others);
        this.#place = place;
      } catch (error) {
        place.done();
        throw error;
      }
    });
  }

  /** Gives the place up, then runs `work`. */
  async leave(work: (last: boolean) => void): Promise<void> {
    this.#alone(() => {
      this.#place?.done();
      this.#place = undefined;
      work(!this.#othersAreIn());
    });
    const known = shared.get(this.#path)!;
    known.users--;
    if (known.users > 0) return;
    shared.delete(this.#path);
    await known.file.close();
  }

  #alone(work: (others: boolean) => void): void {
    this.#file.transactionSync(() => {
      work(this.#othersAreIn());
    });
  }

  #othersAreIn(): boolean {
    this.#file.readerCheck();
    return /^\s*\d+ /m.test(this.#file.readerList());
  }
}

function openFile(directory: string): RootDatabase {
  return open({
    path: join(directory, 'occupancy.mdb'),
    noSubdir: true,
    overlappingSync: false,
    maxReaders: 512,
  });
}
