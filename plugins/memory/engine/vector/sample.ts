/** A sample of a scan's rows, scored first: estimates the cosine from which a row is among the best. */
import { nthLargest } from './best.js';
import type { Scorer } from './scorer.js';

const RUNS = 512;
/** Adjacent rows are read in a fraction of the time. */
const RUN = 8;

export class Sample {
  readonly rows: Int32Array;
  /** From the upper bytes. */
  readonly cosines: Float32Array;
  /** Share of all rows. */
  readonly #share: number;

  /** `rows`: many more than the sample size. */
  constructor(scorer: Scorer, rows: Int32Array) {
    const step = rows.length / RUNS;
    this.rows = new Int32Array(RUNS * RUN);
    for (let run = 0; run < RUNS; run++) {
      const start = Math.min(Math.floor((run + scattered(run)) * step), rows.length - RUN);
      this.rows.set(rows.subarray(start, start + RUN), run * RUN);
    }
    this.cosines = scorer.coarse(this.rows);
    this.#share = this.rows.length / rows.length;
  }

  /** A cosine that about this many of all rows reach. */
  reachedBy(rows: number): number {
    const place = Math.ceil(rows * this.#share);
    return place > this.cosines.length ? -Infinity : nthLargest(this.cosines, place);
  }
}

/** In [0, 1): with a fixed stride, all sampled rows could be of one speaker. */
function scattered(at: number): number {
  return (Math.imul(at + 1, 0x9e3779b1) >>> 0) / 2 ** 32;
}
