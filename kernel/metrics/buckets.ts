/** The values of a histogram. */
import type { Series } from './metric.js';

export class Buckets implements Series {
  readonly #bounds: readonly number[];
  /** Observations per bucket, not cumulated; the last holds those over every bound. */
  readonly #counts: Float64Array;
  #sum = 0;

  /** `bounds`: the upper ones, ascending. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] ?? 0)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
  }

  *samples(): ReturnType<Series['samples']> {
    let total = 0;
    for (const [at, count] of this.#counts.entries()) {
      total += count;
      yield ['_bucket', { le: String(this.#bounds[at] ?? '+Inf') }, total];
    }
    yield ['_sum', {}, this.#sum];
    yield ['_count', {}, total];
  }
}
