/** What a read takes and answers. */
import type { Document } from './document.js';

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

export interface QueryPlan {
  /** `id`: by primary key; `index`: a range of an index; `scan`: every document. */
  readonly access: 'id' | 'index' | 'scan';
  /** The index's paths joined by commas, e.g. `owner,createdAt`; null without one. */
  readonly index: string | null;
  /** Where the order comes from. */
  readonly sort: 'none' | 'index' | 'memory';
}
