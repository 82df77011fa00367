/** Where a collection reads and writes: the store itself, or inside a transaction. */
import type { WriteBatch } from './batch.js';
import type { CollectionDefinition } from '../definition.js';
import type { Reader, Snapshot } from '../lmdb/environment.js';

export interface Access {
  readonly now: number;
  definition(name: string): CollectionDefinition;
  /** The state for a synchronous read. */
  reader(): Reader;
  /** The state for a read that spans turns of the event loop. */
  snapshot(): Snapshot;
  /** Runs a job atomically. */
  write<T>(job: (batch: WriteBatch) => T): Promise<T>;
}
