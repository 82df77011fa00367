/** Selects the best of scored rows. */
import { Largest } from '../base/largest.js';

/** The kept rows in no order, with their cosines: the best `limit`, and all ties with the last of them. */
export interface Kept {
  readonly rows: Int32Array;
  readonly scores: Float32Array;
}

/** The rows whose score is at least the `limit`-th best: all ties are kept, so that a later sort can decide. */
export function best(rows: Int32Array, scores: Float32Array, limit: number): Kept {
  if (rows.length <= limit) return { rows, scores };
  const least = nthLargest(scores, limit);
  const kept: number[] = [];
  for (let at = 0; at < scores.length; at++) if (scores[at]! >= least) kept.push(at);
  return {
    rows: Int32Array.from(kept, (at) => rows[at]!),
    scores: Float32Array.from(kept, (at) => scores[at]!),
  };
}

/** `values` has at least n. */
export function nthLargest(values: Float32Array, n: number): number {
  const largest = new Largest(n);
  let { least } = largest;
  for (let at = 0; at < values.length; at++) {
    if (values[at]! <= least) continue;
    largest.offer(values[at]!);
    least = largest.least;
  }
  return least;
}
