/** Arguments and results of reads. */
import type { Document } from './document.js';

export type Sort = Readonly<Record<string, 1 | -1>>;

export interface FindOptions<D extends Document = Document> {
  /** The order of ties is unspecified: end with `_id`. */
  sort?: Sort;
  skip?: number;
  /** At least 1. */
  limit?: number;
  /** Paths to include (1; `_id` too, unless 0) or to exclude (0). Not both, `_id` aside. */
  projection?: Readonly<Partial<Record<keyof D | (string & {}), 0 | 1>>>;
  /**
   * The caller promises not to mutate the documents: a store with a cache may return its cached documents, which other
   * readers share and which may have more members than the projection includes.
   */
  shared?: boolean;
}

export interface Grouping {
  /** Top-level members to group by; missing counts as null. Empty: one group of all documents. */
  readonly by: readonly string[];
  /** Aggregates over the values of top-level members, ignoring null and missing. */
  readonly folds?: readonly Fold[];
  /** Members that every match has: lets a store use a sparse index over them. */
  readonly present?: readonly string[];
  /** The most groups to return, at least 1; which are left out is unspecified. */
  readonly limit?: number;
  /** Any order will do; the default order, by first document, costs as much as grouping. */
  readonly inAnyOrder?: true;
  /** Aborts the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface Fold {
  /** A sum is exact while it and all values are integers below 2^53; it ignores values that are not numbers. */
  readonly fold: 'count' | 'sum' | 'min' | 'max';
  readonly of: string;
}

export interface Group {
  readonly by: readonly unknown[];
  /** The number of documents. */
  readonly count: number;
  /** One per fold; without values `min` and `max` are null, and a sum is 0. */
  readonly folds: readonly unknown[];
}

export interface QueryPlan {
  /** `id`: by primary key; `index`: a range of an index; `scan`: every document. */
  readonly access: 'id' | 'index' | 'scan';
  /** The index's paths joined by commas, e.g. `owner,createdAt`; null without one. */
  readonly index: string | null;
  /** Where the order comes from. */
  readonly sort: 'none' | 'index' | 'memory';
}
