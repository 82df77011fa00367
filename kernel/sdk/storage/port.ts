/**
 * The storage port: the small part of a document database that every plugin shares. It has two implementations,
 * MongoDB and the embedded store, and every method means the same in both. What they throw: errors.ts.
 *
 * Durability: a write that has resolved survives `kill -9` of the server and, on MongoDB, the loss of the
 * primary (write concern majority, journalled).
 *
 * Values are JSON's, and `Date` (milliseconds), `Uint8Array` and `bigint` (64 bits). `undefined` members are
 * not stored. Order between types is BSON's: missing and null, numbers, strings (by code point), objects,
 * arrays, binary, booleans, dates.
 */
import type { ChangeFeed, ResumeToken } from './change-feed.js';
import type { Document } from './document.js';
import type { Filter } from './filter.js';
import type { FindOptions, Group, Grouping, QueryPlan, Sort } from './read.js';
import type {
  BulkResult,
  FindOneAndUpdateOptions,
  Update,
  UpdateResult,
  UpsertOptions,
  WriteOperation,
} from './write.js';

export interface Storage {
  /**
   * A collection in this plugin's own namespace, with its indexes. Call it in `setup`: the indexes are complete when
   * the server starts. If called later, await `ready`. Names: lower case letters, digits, `_`.
   */
  collection<D extends Document>(spec: CollectionSpec): Collection<D>;

  /**
   * Runs `work`; all its calls on a `collection.with(tx)` are stored together or not at all. A throw rolls back and is
   * rethrown; so is the error of a call that the store refuses, even if `work` catches it. Reads see the transaction's
   * own writes over one snapshot. `work` runs again after a conflict with another transaction, so it must do nothing
   * but storage calls.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /** Resolves if the store answers, else throws `unavailable`. */
  ping(): Promise<void>;

  /**
   * The folder of the store if it is on this machine (for files that belong next to it); undefined if it is a
   * server that several machines share.
   */
  readonly directory: string | undefined;

  /**
   * The number of commits to the store, if known without a read; undefined if other processes write too. While it is
   * unchanged a read has the same result, except for documents that expire.
   */
  readonly commits?: number | undefined;
}

export interface CollectionSpec {
  readonly name: string;
  readonly indexes?: readonly IndexSpec[];
  /**
   * The newest version of documents that the plugin reads, and the version it writes from its `start` on. Default: 1. A
   * start on a store with newer ones is refused. See docs/stored-formats.md.
   */
  readonly versions?: { readonly reads: number; readonly writes: number };
  /** Indexes of earlier declarations, by this process or a previous one, to remove. */
  readonly withdrawn?: readonly IndexSpec[];
}

export interface IndexSpec {
  /** Paths in order, each ascending (1) or descending (-1). Dotted paths reach into objects and arrays (multikey). */
  readonly keys: Readonly<Record<string, 1 | -1>>;
  readonly unique?: boolean;
  /** Only documents that have all the paths. Missing is not null here. */
  readonly sparse?: boolean;
  /** Only documents that this filter matches: equality, `$exists: true`, `$gt $gte $lt $lte`, `$and`. */
  readonly partial?: Filter;
  /**
   * A document is gone from the time in `keys` (one path, a Date) plus these seconds: reads do not see it and a write
   * that would collide with it replaces it. It is removed from disk some time later.
   */
  readonly expireAfterSeconds?: number;
}

/** Opaque: made by `storage.transaction`, given to `collection.with`. */
export interface Transaction {
  readonly transaction: unique symbol;
}

export interface Collection<D extends Document> {
  readonly name: string;
  /** The same collection inside a transaction. */
  with(tx: Transaction): Collection<D>;
  /**
   * Resolves when the declared indexes are complete. Throws `duplicate_key`, with the ids in `documents`, if documents
   * share a value of a unique one.
   */
  ready(): Promise<void>;

  findOne(filter: Filter<D>, options?: Omit<FindOptions<D>, 'limit'>): Promise<D | null>;
  /**
   * Documents in the order of `sort`; without it in unspecified order. Read in pages if it takes minutes: a read of the
   * embedded store keeps everything overwritten meanwhile on disk, and throws `unavailable` when the store closes.
   */
  find(filter: Filter<D>, options?: FindOptions<D>): Cursor<D>;
  countDocuments(filter: Filter<D>): Promise<number>;
  /**
   * Groups and aggregates documents inside the store. Groups are in the order of their first documents by `_id`;
   * without documents there are none.
   */
  group(filter: Filter<D>, grouping: Grouping): Promise<Group[]>;
  /** The different values at a path, arrays unwound, in BSON order. */
  distinct(path: string, filter?: Filter<D>): Promise<unknown[]>;
  /** How a find would run, for tests and debugging; the shape is the same on both stores. */
  explain(filter: Filter<D>, options?: FindOptions<D>): Promise<QueryPlan>;

  insertOne(document: D): Promise<void>;
  /** All or none on the embedded store; on MongoDB, outside a transaction, documents before the refused one stay. */
  insertMany(documents: readonly D[]): Promise<void>;
  updateOne(filter: Filter<D>, update: Update<D>, options?: UpsertOptions): Promise<UpdateResult>;
  /**
   * Updates documents one by one in unspecified order: if `$inc` moves values of a unique index past each other, the
   * order decides whether one is refused. A refusal outside a transaction leaves the documents before it changed on
   * MongoDB, and none on the embedded store; likewise for `deleteMany`.
   */
  updateMany(filter: Filter<D>, update: Update<D>): Promise<UpdateResult>;
  replaceOne(filter: Filter<D>, replacement: D, options?: UpsertOptions): Promise<UpdateResult>;
  /** Atomic. Null without a match, unless `upsert`. */
  findOneAndUpdate(
    filter: Filter<D>,
    update: Update<D>,
    options?: FindOneAndUpdateOptions<D>,
  ): Promise<D | null>;
  findOneAndDelete(filter: Filter<D>, options?: { sort?: Sort }): Promise<D | null>;
  deleteOne(filter: Filter<D>): Promise<number>;
  deleteMany(filter: Filter<D>): Promise<number>;
  /** In order; stops at the first refused operation. Earlier ones stay, except in a transaction. */
  bulkWrite(operations: readonly WriteOperation<D>[]): Promise<BulkResult>;

  /**
   * Opens the feed of this collection's changes, made by any instance, in the order in which they were
   * stored. Once the promise resolves the position is fixed: a snapshot read afterwards plus this feed miss
   * nothing (a change may be in both). `after` resumes after a token of an earlier feed.
   */
  changes(options?: { after?: ResumeToken; signal?: AbortSignal }): Promise<ChangeFeed<D>>;
}

export interface Cursor<D> extends AsyncIterable<D> {
  toArray(): Promise<D[]>;
}
