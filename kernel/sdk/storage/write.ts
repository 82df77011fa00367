/** Arguments and results of writes. */
import type { Document } from './document.js';
import type { Filter } from './filter.js';
import type { FindOptions, Sort } from './read.js';

/** Update operators. A wrong type (`$inc` on a string, `$push` on a scalar) is `invalid`, never a silent no-op. */
export interface Update<D extends Document = Document> {
  $set?: Partial<D> | Readonly<Record<string, unknown>>;
  $unset?: Readonly<Record<string, true>>;
  /** Turns a `bigint` into a number. */
  $inc?: Readonly<Record<string, number>>;
  $min?: Readonly<Record<string, unknown>>;
  $max?: Readonly<Record<string, unknown>>;
  /** One item, or several with `$each`; `$slice` keeps the first n, or the last with a negative n. */
  $push?: Readonly<Record<string, unknown>>;
  $setOnInsert?: Partial<D> | Readonly<Record<string, unknown>>;
}

export interface UpsertOptions {
  /** Without a match, inserts the filter's equalities plus the update with `$setOnInsert`; one of them sets `_id`. */
  upsert?: boolean;
}

export interface FindOneAndUpdateOptions<D extends Document> extends UpsertOptions {
  sort?: Sort;
  /** The state to return. Default: `after`. */
  returning?: 'before' | 'after';
  projection?: FindOptions<D>['projection'];
}

export interface UpdateResult {
  readonly matched: number;
  /** On MongoDB also counts a document in which a number changed by `$inc` is set to its own value. */
  readonly modified: number;
  /** The id of the document that an upsert inserted. */
  readonly upsertedId: string | null;
}

export interface BulkResult {
  readonly inserted: number;
  readonly matched: number;
  readonly modified: number;
  readonly deleted: number;
  readonly upserted: number;
}

export type WriteOperation<D extends Document> =
  | { insertOne: D }
  | { updateOne: { filter: Filter<D>; update: Update<D>; upsert?: boolean } }
  | { updateMany: { filter: Filter<D>; update: Update<D> } }
  | { replaceOne: { filter: Filter<D>; replacement: D; upsert?: boolean } }
  | { deleteOne: { filter: Filter<D> } }
  | { deleteMany: { filter: Filter<D> } };
