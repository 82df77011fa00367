/** A find as an async iterable; it reads one snapshot, from the first document to the last. */
import { type Cursor, nextTurn } from 'plugboard/sdk';
import type { Access } from './write/access.js';
import type { Values } from '../bson/value.js';
import { PAUSE } from './find/matching.js';
import type { Query } from './find/query.js';
import { run } from './find/run.js';

/** A page from an index is read in one go; longer reads yield to the event loop. */
const PAGE = 200;
/** Most batches of such a page; a batch is bounded by documents and by bytes. */
const MOST_BATCHES = 8;
/** Up to this many index ranges in any order are read in one go, too. */
const MOST_OF_RANGES = 2;
const FEW_RANGES = 64;

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
    const most = batchesAtOnce(query);
    const page = most === 0 ? undefined : this.#atOnce(query, most);
    if (page !== undefined) return asDocuments(page);
    const batches: Values[][] = [];
    for await (const batch of this.#batches(query)) batches.push(batch);
    return asDocuments(batches.flat());
  }

  /** Undefined if the documents turn out to be long: they are read again from the first. */
  #atOnce(query: Query, most: number): Values[] | undefined {
    const batches = run(this.#access.reader(), query, (count) => this.#scanned(query, count));
    const read: Values[][] = [];
    for (const batch of batches) {
      read.push(batch);
      if (read.length > most) return undefined;
    }
    return read.length === 1 ? read[0] : read.flat();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<D> {
    for await (const batch of this.#batches(this.#query())) yield* asDocuments<D>(batch);
  }

  /** The snapshot is held until the last batch: space freed meanwhile is not reused. */
  async *#batches(query: Query): AsyncGenerator<Values[], void> {
    const snapshot = this.#access.snapshot();
    try {
      let inTurn = true;
      for (const batch of run(snapshot, query, (count) => this.#scanned(query, count))) {
        if (!inTurn || batch === PAUSE) await nextTurn();
        inTurn = batch === PAUSE;
        if (!inTurn) yield batch;
      }
    } finally {
      snapshot.release();
    }
  }
}

/** Batches to read before the result turns out not to be a page; 0 if it certainly is not. */
function batchesAtOnce({ plan, sort, skip, limit }: Query): number {
  const { access, ordered } = plan;
  if (access === 'ids' || access === 'keys' || (ordered && skip + limit <= PAGE)) return MOST_BATCHES;
  return access === 'index' && sort.length === 0 && plan.runs.length <= FEW_RANGES ? MOST_OF_RANGES : 0;
}

function asDocuments<D>(values: Values[]): D[] {
  return values as D[];
}
