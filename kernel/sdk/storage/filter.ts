/** Filters select the documents of a call. */
import type { Document } from './document.js';

/** Conditions on the value at a path. An array meets a condition if the array or one of its items does. */
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
