/**
 * The storage port: the small part of a document database that every plugin shares. Two implementations stand
 * behind it (MongoDB and the embedded store) and every method means the same in both.
 *
 * Errors are `StorageError`s with a code:
 * - `duplicate_key`   a unique index refuses the write; nothing of that single write was stored.
 * - `write_conflict`  a transaction lost against another one even after its retries; nothing was stored.
 * - `unavailable`     the store cannot be reached; the caller may try again. Answered as 503.
 * - `too_large`       a document is over 16 MiB.
 * - `invalid`         the call itself is wrong: unknown operator, `$inc` on a string, an id of a wrong type.
 * - `unsupported`     this deployment cannot do it (transactions on a standalone MongoDB server).
 * - `history_lost`    a resume token is older than the change history that is kept; read everything again.
 *
 * Durability: a write that has resolved survives `kill -9` of the server and, on MongoDB, the loss of the
 * primary (write concern majority, journalled).
 *
 * Values are JSON's, and `Date` (milliseconds), `Uint8Array` and `bigint` (64 bits). `undefined` members are
 * not stored. Order between types is BSON's: missing and null, numbers, strings (by code point), objects,
 * arrays, binary, booleans, dates.
 */

/** Every document has a string id, made by the plugin (`newId()`). */
export interface Document {
  readonly _id: string;
}

export interface Storage {
  /**
   * A collection of this plugin, in a namespace of its own, with its indexes. Call it in `setup`; the indexes
   * are there when the server starts. Later, `ready` says when they are. Names: lower case letters, digits, `_`.
   */
  collection<D extends Document>(spec: CollectionSpec): Collection<D>;

  /**
   * Runs `work`; every call on a `collection.with(tx)` inside it is stored together or not at all. A throw
   * rolls back and is thrown on; so does a call that the store refuses, even when `work` swallows its error. Reads inside see the transaction's own writes over one snapshot. `work` may
   * run again after a conflict with another transaction, so it does nothing but storage.
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

export type Sort = Readonly<Record<string, 1 | -1>>;

export interface FindOptions<D extends Document = Document> {
  /** Ties are broken in no promised order: end with `_id`. */
  sort?: Sort;
  skip?: number;
  /** At least 1. */
  limit?: number;
  /** Paths to keep (1; `_id` is kept unless 0) or to leave out (0). Not both kinds, `_id` aside. */
  projection?: Readonly<Partial<Record<keyof D | (string & {}), 0 | 1>>>;
  /**
   * The caller does not mutate the documents: a store that has them decoded returns them as they are, to several
   * readers at once and with more members than the projection keeps.
   */
  shared?: boolean;
}

export interface Grouping {
  /** Members, undotted: documents with equal values there are one group. A missing one is null. None: one group of all. */
  readonly by: readonly string[];
  /** Of the values of a member, undotted, that are neither null nor missing. */
  readonly folds?: readonly Fold[];
  /** Members that every match has: a store may then answer from an index that lacks the documents without them. */
  readonly present?: readonly string[];
  /** At most so many groups, of which those that are left out are in no promised order; at least 1. */
  readonly limit?: number;
  /** The groups may come in any order: to find the first document of each takes a store as long as to make them. */
  readonly inAnyOrder?: true;
  /** Gives up: then the call throws the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface Fold {
  /** A sum is exact while it and every value are integers below 2^53; values that are no numbers do not count in it. */
  readonly fold: 'count' | 'sum' | 'min' | 'max';
  readonly of: string;
}

export interface Group {
  readonly by: readonly unknown[];
  /** How many documents it has. */
  readonly count: number;
  /** One for each fold; `min` and `max` are null, and a sum is 0, where no document has a value. */
  readonly folds: readonly unknown[];
}

export interface UpsertOptions {
  /** Inserts when nothing matches: the equality parts of the filter, then the update with `$setOnInsert`. The id must come from one of them. */
  upsert?: boolean;
}

export interface FindOneAndUpdateOptions<D extends Document> extends UpsertOptions {
  sort?: Sort;
  /** Which state to return. Default: `after`. */
  returning?: 'before' | 'after';
  projection?: FindOptions<D>['projection'];
}

export interface UpdateResult {
  readonly matched: number;
  /** On MongoDB also a document in which a number that `$inc` changed is set to what it is. */
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

/** Conditions on the value at a path. On an array a condition holds when it holds for the array or one of its items. */
export interface Condition<V = unknown> {
  $eq?: V | null;
  $ne?: V | null;
  $gt?: V;
  $gte?: V;
  $lt?: V;
  $lte?: V;
  $in?: readonly (V | null)[];
  $nin?: readonly (V | null)[];
  $exists?: boolean;
  /** A JavaScript regular expression of the common subset with PCRE; flags `i`, `m`, `s`. */
  $regex?: RegExp;
  $not?: Condition<V>;
}

type ItemOf<V> = V extends readonly (infer I)[] ? I | V : V;

export type Filter<D extends Document = Document> = {
  [K in keyof D]?: ItemOf<D[K]> | null | Condition<ItemOf<D[K]>>;
} & {
  $and?: readonly Filter<D>[];
  $or?: readonly Filter<D>[];
  $nor?: readonly Filter<D>[];
} & {
  [dotted: `${string}.${string}`]: unknown;
};

/** Update operators. A wrong type (`$inc` on a string, `$push` on a scalar) is `invalid`, never a silent no-op. */
export interface Update<D extends Document = Document> {
  $set?: Partial<D> | Readonly<Record<string, unknown>>;
  $unset?: Readonly<Record<string, true>>;
  /** A `bigint` becomes a number by it. */
  $inc?: Readonly<Record<string, number>>;
  $min?: Readonly<Record<string, unknown>>;
  $max?: Readonly<Record<string, unknown>>;
  /** One item, or several with `$each`; `$slice` keeps the first n, or the last with a negative n. */
  $push?: Readonly<Record<string, unknown>>;
  $setOnInsert?: Partial<D> | Readonly<Record<string, unknown>>;
}

export interface QueryPlan {
  /** `id`: by primary key; `index`: a range of an index; `scan`: every document. */
  readonly access: 'id' | 'index' | 'scan';
  /** The index's paths joined by commas, e.g. `owner,createdAt`; null without one. */
  readonly index: string | null;
  /** Where the order comes from. */
  readonly sort: 'none' | 'index' | 'memory';
}

/** Opaque and storable: a place in the history of changes. */
export type ResumeToken = string & { readonly resumeToken: unique symbol };

export type Change<D extends Document> =
  | { readonly kind: 'put'; readonly id: string; readonly document: D; readonly token: ResumeToken }
  | { readonly kind: 'delete'; readonly id: string; readonly token: ResumeToken };

export interface ChangeFeed<D extends Document> extends AsyncIterable<Change<D>> {
  /** The place reached so far: resuming after it brings every later change. */
  readonly token: ResumeToken;
  close(): Promise<void>;
}

export type StorageErrorCode =
  | 'duplicate_key'
  | 'write_conflict'
  | 'unavailable'
  | 'too_large'
  | 'invalid'
  | 'unsupported'
  | 'history_lost';

const BRAND = Symbol.for('plugboard.StorageError');

export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  /** `duplicate_key`: the paths of the index that refused, joined by commas (`_id` for the primary key). */
  readonly index: string | undefined;
  /** `duplicate_key` of a unique index that cannot be built: ids of documents that share a key, at most ten. */
  readonly documents: readonly string[] | undefined;

  constructor(
    code: StorageErrorCode,
    message: string,
    options: { cause?: unknown; index?: string; documents?: readonly string[] } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.index = options.index;
    this.documents = options.documents;
  }

  get [BRAND](): true {
    return true;
  }
}

export function isStorageError(value: unknown, code?: StorageErrorCode): value is StorageError {
  return (
    typeof value === 'object' &&
    value !== null &&
    BRAND in value &&
    (code === undefined || (value as StorageError).code === code)
  );
}
