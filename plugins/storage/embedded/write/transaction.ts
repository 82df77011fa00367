/**
 * Optimistic transactions: reads see one snapshot plus the transaction's own buffered writes. The commit checks whether
 * a written key has changed since the snapshot: then the transaction has lost.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { nextTurn, StorageError, type Transaction, turnIsOver } from 'plugboard/sdk';
import type { Access } from './access.js';
import { WriteBatch } from './batch.js';
import type { Catalog } from '../catalog.js';
import type { CollectionDefinition } from '../definition.js';
import type { Environment, Reader, Snapshot } from '../lmdb/environment.js';
import { unavailable } from '../lmdb/failures.js';
import type { Space } from '../lmdb/key-space.js';
import type { WriteQueue } from './write-queue.js';

interface BeforeImage {
  readonly space: Space;
  readonly key: Buffer;
  readonly bytes: Buffer | undefined;
}

export class OpenTransaction implements Access {
  readonly now: number;
  readonly #catalog: Catalog;
  readonly #snapshot: Snapshot;
  readonly #batch: WriteBatch;
  #state: 'open' | 'ended' = 'open';
  #failure: StorageError | undefined;

  constructor(catalog: Catalog, snapshot: Snapshot, now: number) {
    this.#catalog = catalog;
    this.#snapshot = snapshot;
    this.now = now;
    this.#batch = new WriteBatch(snapshot, now);
  }

  definition(name: string): CollectionDefinition {
    return this.#catalog.collection(name);
  }

  reader(): Reader {
    this.#check();
    return this.#batch;
  }

  snapshot(): Snapshot {
    this.#check();
    const batch = this.#batch;
    return {
      sequence: this.#snapshot.sequence,
      get: (space, key) => batch.get(space, key),
      peek: (space, key) => batch.peek(space, key),
      walk: (space, range) => batch.walk(space, range),
      count: (space, range) => batch.count(space, range),
      release: () => {},
    };
  }

  /** Writes of a refused job need not be undone: a refusal fails the transaction. */
  async write<T>(job: (batch: WriteBatch) => T): Promise<T> {
    this.#check();
    return job(this.#batch);
  }

  /** Runs one call of the port. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    this.#check();
    await this.#pause();
    try {
      return await call();
    } catch (error) {
      this.refused(error);
      throw error;
    }
  }

  /** A long transaction yields to the event loop every few milliseconds. */
  async #pause(): Promise<void> {
    if (!turnIsOver()) return;
    await nextTurn();
    this.#check();
  }

  /** Called for every refused call: as on MongoDB, the transaction can then only roll back. */
  refused(error: unknown): void {
    this.#failure ??= unavailable(error);
  }

  /** Resolves to false on a conflict with another transaction. */
  async commit(queue: WriteQueue, version: number): Promise<boolean> {
    this.#check();
    this.#state = 'ended';
    if (this.#batch.empty) return true;
    const { sequence } = this.#snapshot;
    let overtaken = false;
    const submit = (seen?: readonly BeforeImage[]): Promise<boolean> =>
      queue.submitBatch((writer, since) => {
        if (this.#catalog.refresh(writer) !== version) return undefined;
        if (since === sequence) return this.#batch;
        overtaken = seen === undefined;
        const unchanged = seen?.every(({ space, key, bytes }) => sameBytes(bytes, writer.get(space, key)));
        return unchanged === true ? this.#batch : undefined;
      });
    // Large transactions rarely conflict, and rereading all their keys costs as much as writing them.
    if (queue.isQuietSince(sequence)) {
      const stored = await submit();
      if (!overtaken) return stored;
    }
    return submit(await this.#beforeImages());
  }

  /**
   * The snapshot's values of every written key. Read before the commit: inside a write transaction lmdb would read that
   * transaction's state instead of the snapshot's.
   */
  async #beforeImages(): Promise<BeforeImage[]> {
    const images: BeforeImage[] = [];
    for (const space of ['documents', 'indexes'] as const)
      for (const key of this.#batch.keys(space)) {
        const bytes = this.#snapshot.get(space, key);
        images.push({ space, key, bytes: bytes && Buffer.copyBytesFrom(bytes, 0, bytes.length) });
        if (turnIsOver()) await nextTurn();
      }
    return images;
  }

  end(): void {
    this.#state = 'ended';
    this.#snapshot.release();
  }

  #check(): void {
    if (this.#state === 'ended') throw new StorageError('invalid', 'the transaction has ended');
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/** Unwraps the port's opaque transaction. */
export function openTransaction(transaction: Transaction): OpenTransaction {
  if (!(transaction instanceof OpenTransaction))
    throw new StorageError('invalid', 'the transaction is not one of this store');
  return transaction;
}

const MOST_RUNS = 50;

/** Retries transactions after a conflict. Those that have lost once take turns, so that each gets through. */
export class Transactions {
  readonly #environment: Environment;
  readonly #catalog: Catalog;
  readonly #queue: WriteQueue;
  readonly #now: () => number;
  #lane: Promise<unknown> = Promise.resolve();

  constructor(environment: Environment, catalog: Catalog, queue: WriteQueue, now: () => number) {
    this.#environment = environment;
    this.#catalog = catalog;
    this.#queue = queue;
    this.#now = now;
  }

  async run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const once = await this.#attempt(work);
    if (once.committed) return once.result;
    const turn = this.#lane.then(() => this.#again(work));
    this.#lane = turn.catch(() => {});
    return turn;
  }

  async #again<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    for (let run = 1; run < MOST_RUNS; run++) {
      const { committed, result } = await this.#attempt(work);
      if (committed) return result;
      if (run > 5) await sleep(Math.random() * run);
    }
    throw new StorageError('write_conflict', `the transaction lost against others ${MOST_RUNS} times`);
  }

  async #attempt<T>(
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<{ committed: boolean; result: T }> {
    const snapshot = this.#environment.snapshot();
    const transaction = new OpenTransaction(this.#catalog, snapshot, this.#now());
    try {
      const version = this.#catalog.refresh(snapshot);
      const result = await work(transaction as unknown as Transaction);
      return { committed: await transaction.commit(this.#queue, version), result };
    } finally {
      transaction.end();
    }
  }
}

function sameBytes(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b);
}
