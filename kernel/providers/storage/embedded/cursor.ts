/** A find as an async iterable; it reads one snapshot, from the first document to the last. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Cursor } from '../../../sdk/storage.js';
import type { Access } from './write/access.js';
import type { Values } from '../bson/value.js';
import { everything, run, type Query } from './find/query.js';

/** A page from an index is read at once; anything that may be longer lets others have their turn. */
const PAGE = 200;

export class FindCursor<D> implements Cursor<D> {
  readonly #access: Access;
  readonly #query: () => Query;
  readonly #scanned: (query: Query, count: number) => void;

  constructor(access: Access, query: () => Query, scanned: (query: Query, count: number) => void) {
    this.#access = access;
    this.#query = query;
    this.#scanned = scanned;
  }

  async toArray(): Promise<D[]> {
    const query = this.#query();
    const { access, ordered } = query.plan;
    if (access === 'ids' || access === 'keys' || (ordered && query.skip + query.limit <= PAGE))
      return asDocuments(everything(this.#access.reader(), query, (count) => this.#scanned(query, count)));
    const batches: Values[][] = [];
    for await (const batch of this.#batches(query)) batches.push(batch);
    return asDocuments(batches.flat());
  }

  async *[Symbol.asyncIterator](): AsyncIterator<D> {
    for await (const batch of this.#batches(this.#query())) yield* asDocuments<D>(batch);
  }

  /** The snapshot is held until the last batch: what is deleted meanwhile keeps its space. */
  async *#batches(query: Query): AsyncGenerator<Values[], void> {
    const snapshot = this.#access.snapshot();
    try {
      let first = true;
      for (const batch of run(snapshot, query, (count) => this.#scanned(query, count))) {
        if (!first) await turn();
        first = false;
        yield batch;
      }
    } finally {
      snapshot.release();
    }
  }
}

function asDocuments<D>(values: Values[]): D[] {
  return values as D[];
}
