/** Some of the rows of a scan, compared before the others: they show from which cosine on a row is among the best. */
import { nthLargest } from './best.js';
import type { Scorer } from './scorer.js';

const ROWS = 4_096;

export class Sample {
  readonly rows: Int32Array;
  /** By their upper bytes. */
  readonly cosines: Float32Array;
  /** The share of all rows. */
  readonly #share: number;

  constructor(scorer: Scorer, rows: Int32Array) {
    const step = rows.length / Math.min(ROWS, rows.length);
    const length = Math.floor(rows.length / step);
    this.rows = Int32Array.from({ length }, (_, at) => rows[Math.floor((at + scattered(at)) * step)]!);
    this.cosines = scorer.coarse(this.rows);
    this.#share = this.rows.length / rows.length;
  }

  /** What about so many of all rows reach, or more do. */
  reachedBy(rows: number): number {
    const place = Math.ceil(rows * this.#share);
    return place > this.cosines.length ? -Infinity : nthLargest(this.cosines, place);
  }
}

/** From 0 to below 1. Rows at even distances could all be turns of one speaker. */
function scattered(at: number): number {
  return (Math.imul(at + 1, 0x9e3779b1) >>> 0) / 2 ** 32;
}
