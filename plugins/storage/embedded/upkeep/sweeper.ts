/** Removes expired documents from disk, a few at a time. */
import type { Catalog } from '../catalog.js';
import type { CollectionDefinition, IndexDefinition } from '../definition.js';
import { deleteDocument, readDocument } from '../documents.js';
import type { Environment } from '../lmdb/environment.js';
import { entriesOf } from '../lmdb/key-space.js';
import { isExpired } from '../expiry.js';
import { encodePart, prefix, successor } from '../values/key-encoding.js';
import { Rank } from '../../order.js';
import type { WriteQueue } from '../write/write-queue.js';

const PER_COMMIT = 500;

export class Sweeper {
  readonly #environment: Environment;
  readonly #catalog: Catalog;
  readonly #queue: WriteQueue;
  readonly #now: () => number;

  constructor(environment: Environment, catalog: Catalog, queue: WriteQueue, now: () => number) {
    this.#environment = environment;
    this.#catalog = catalog;
    this.#queue = queue;
    this.#now = now;
  }

  /** Removes what has expired by now. Resolves to the number of documents. */
  async sweep(signal: AbortSignal): Promise<number> {
    let removed = 0;
    this.#catalog.refresh(this.#environment.latest);
    for (const collection of [...this.#catalog.all()])
      for (const index of collection.indexes)
        while (index.spec.expireAfterSeconds !== undefined && !signal.aborted) {
          const count = await this.#removeSome(collection, index);
          removed += count;
          if (count === 0) break;
        }
    return removed;
  }

  #removeSome(collection: CollectionDefinition, index: IndexDefinition): Promise<number> {
    const ids = this.#expired(index);
    if (ids.length === 0) return Promise.resolve(0);
    return this.#queue.submit((batch) => {
      let removed = 0;
      for (const id of ids) {
        const values = readDocument(batch, collection, id);
        if (values === undefined || !isExpired(collection, values, batch.now)) continue;
        deleteDocument(batch, collection, values);
        removed++;
      }
      return removed;
    });
  }

  #expired(index: IndexDefinition): string[] {
    const latest = new Date(this.#now() - index.spec.expireAfterSeconds! * 1000);
    const direction = index.directions[0]!;
    const from = prefix(index.number, Buffer.from([direction === 1 ? Rank.date : ~Rank.date & 0xff]));
    const at = prefix(index.number, encodePart(latest, direction, 1).bytes);
    const range = direction === 1 ? { start: from, end: successor(at) } : { start: at, end: successor(from) };
    const ids: string[] = [];
    for (const { value } of entriesOf(this.#environment.latest.walk('indexes', range))) {
      ids.push(value.toString('utf8'));
      if (ids.length === PER_COMMIT) break;
    }
    return ids;
  }
}
