/**
 * The storage port: the small part of a document database that every plugin shares. Two implementations stand
 * behind it (MongoDB and the embedded store) and every method means the same in both. What they throw: errors.ts.
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
   * A collection of this plugin, in a namespace of its own, with its indexes. Call it in `setup`; the indexes
   * are there when the server starts. Later, `ready` says when they are. Names: lower case letters, digits, `_`.
   */
  collection<D extends Document>(spec: CollectionSpec): Collection<D>;

  /**
   * Runs `work`; every call on a `collection.with(tx)` inside it is stored together or not at all. A throw rolls back
   * and is rethrown; so is the error of a call that the store refuses, even if `work` catches it. Reads see the
   * transaction's own writes over one snapshot. `work` runs again after a conflict with another transaction, so it
   * does nothing but storage.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /** Resolves when the store answers, throws `unavailable` otherwise. */
  ping(): Promise<void>;

  /**
   * The folder of the store when it lives on this machine (for files that belong beside it), and undefined
   * when it is a server that several machines share.
   */
  readonly directory: string | undefined;

  /**
   * Counts what was committed to the store, by whomever, where that is known without asking it; undefined where other
   * processes write too. Between two equal counts a read answers the same, but for documents that expire.
   */
  readonly commits?: number | undefined;
}

export interface CollectionSpec {
  readonly name: string;
  readonly indexes?: readonly IndexSpec[];
  /**
   * Of its documents: the newest version that the plugin reads, and the one that it writes from its `start` on. Default:
   * 1. A start on a store that holds newer ones is refused. See docs/stored-formats.md.
   */
  readonly versions?: { readonly reads: number; readonly writes: number };
  /** Indexes that an earlier declaration, in this process or one before it, asked for: they are removed. */
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
   * A document is gone from the instant `keys` (one path, a Date) plus these seconds: reads do not see it and
   * a write that would collide with it takes its place. It is removed from disk some time later.
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
   * Resolves when the declared indexes are complete. Throws `duplicate_key`, with the ids in `documents`, where a
   * unique one meets documents that share a value.
   */
  ready(): Promise<void>;

  findOne(filter: Filter<D>, options?: Omit<FindOptions<D>, 'limit'>): Promise<D | null>;
  /**
   * Documents in the order of `sort`; without `sort` in no promised order. What takes minutes reads in pages: a read of the
   * embedded store keeps all that is overwritten meanwhile on disk, and throws `unavailable` when the store closes.
   */
  find(filter: Filter<D>, options?: FindOptions<D>): Cursor<D>;
  countDocuments(filter: Filter<D>): Promise<number>;
  /**
   * Makes groups of the documents and numbers of each group where they are stored, without handing the documents out.
   * The groups come in the order of their first documents by `_id`; without documents there are none.
   */
  group(filter: Filter<D>, grouping: Grouping): Promise<Group[]>;
  /** The different values at a path, arrays unwound, in BSON order. */
  distinct(path: string, filter?: Filter<D>): Promise<unknown[]>;
  /** How a find would run. For tests and for the curious; the shape is the same on both stores. */
  explain(filter: Filter<D>, options?: FindOptions<D>): Promise<QueryPlan>;

  insertOne(document: D): Promise<void>;
  /** All or none on the embedded store; on MongoDB outside a transaction the documents before the refused one stay. */
  insertMany(documents: readonly D[]): Promise<void>;
  updateOne(filter: Filter<D>, update: Update<D>, options?: UpsertOptions): Promise<UpdateResult>;
  /**
   * Reaches its documents in no promised order, each by itself: where `$inc` moves values of a unique index past each
   * other, that order decides whether one is refused. A refusal outside a transaction leaves the documents before it
   * changed on MongoDB, and none on the embedded store; so it is with `deleteMany`.
   */
  updateMany(filter: Filter<D>, update: Update<D>): Promise<UpdateResult>;
  replaceOne(filter: Filter<D>, replacement: D, options?: UpsertOptions): Promise<UpdateResult>;
  /** Atomic. Without a match and without `upsert`: null. */
  findOneAndUpdate(
    filter: Filter<D>,
    update: Update<D>,
    options?: FindOneAndUpdateOptions<D>,
  ): Promise<D | null>;
  findOneAndDelete(filter: Filter<D>, options?: { sort?: Sort }): Promise<D | null>;
  deleteOne(filter: Filter<D>): Promise<number>;
  deleteMany(filter: Filter<D>): Promise<number>;
  /** In order; stops at the first refused operation (what came before it stays unless in a transaction). */
  bulkWrite(operations: readonly WriteOperation<D>[]): Promise<BulkResult>;

  /**
   * Opens the feed of this collection's changes, made by any instance, in the order in which they were
   * stored. Once the promise resolves the position is fixed: a snapshot read afterwards plus this feed miss
   * nothing (a change may be in both). `after` resumes behind a token of an earlier feed.
   */
  changes(options?: { after?: ResumeToken; signal?: AbortSignal }): Promise<ChangeFeed<D>>;
}

export interface Cursor<D> extends AsyncIterable<D> {
  toArray(): Promise<D[]>;
}
