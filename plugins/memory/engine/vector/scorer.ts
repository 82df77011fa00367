/** Scores rows for one query, in batches through a lane, in the calling thread. */
import type { Kept } from './best.js';
import type { Kernel, SharedMemory } from './kernel.js';
import { BATCH_ROWS, type Lane } from './layout.js';
import { quantised } from './query.js';
import { momentsOf, type Moments } from './spread.js';

export interface Reaching extends Kept {
  /** Of the scores of all rows of the list. */
  readonly all: Moments;
}

interface Listed {
  readonly rows: Int32Array;
  readonly scores: Float32Array;
}

export class Scorer {
  readonly #kernel: Kernel;
  readonly #memory: SharedMemory;
  readonly #lane: Lane;
  /** Value of one step of the 16-bit query. */
  readonly #step: number;

  /** `query`: unit length, padded. No other query may use the lane until this one is done. */
  constructor(kernel: Kernel, memory: SharedMemory, lane: Lane, query: Float32Array) {
    this.#kernel = kernel;
    this.#memory = memory;
    this.#lane = lane;
    const { values, step } = quantised(query);
    this.#step = step;
    new Float32Array(memory.buffer).set(query, lane.query / 4);
    new Int16Array(memory.buffer).set(values, lane.query16 / 2);
  }

  /** The cosines of a list of rows, in order. */
  fine(rows: Int32Array): Float32Array {
    const scores = new Float32Array(rows.length);
    this.#inBatches(rows, (count, from, listed) => {
      this.#kernel.scanFine(this.#lane, count);
      scores.set(listed.scores.subarray(0, count), from);
    });
    return scores;
  }

  /** Approximate, by the upper bytes of the rows. */
  coarse(rows: Int32Array): Float32Array {
    return this.reaching(rows, -Infinity).scores;
  }

  /** The rows of a list whose upper bytes score at least `least`, in order. */
  reaching(rows: Int32Array, least: number): Reaching {
    const scan = { least, step: this.#step };
    const sums = this.#emptySums();
    const kept = new Parts(this.#listed());
    this.#inBatches(rows, (count) => kept.take(this.#kernel.scanCoarse(this.#lane, count, scan)));
    return { ...kept.all(), all: momentsOf(rows.length, sums[0]!, sums[1]!) };
  }

  #emptySums(): Float64Array {
    return new Float64Array(this.#memory.buffer, this.#lane.sums, 2).fill(0);
  }

  #listed(): Listed {
    const { buffer } = this.#memory;
    return {
      rows: new Int32Array(buffer, this.#lane.rows, BATCH_ROWS),
      scores: new Float32Array(buffer, this.#lane.scores, BATCH_ROWS),
    };
  }

  #inBatches(rows: Int32Array, run: (count: number, from: number, lane: Listed) => void): void {
    const listed = this.#listed();
    for (let from = 0; from < rows.length; from += BATCH_ROWS) {
      const count = Math.min(BATCH_ROWS, rows.length - from);
      listed.rows.set(rows.subarray(from, from + count));
      run(count, from, listed);
    }
  }
}

/** Collects the rows that the batches of a scan keep. */
class Parts {
  readonly #listed: Listed;
  readonly #parts: Listed[] = [];
  #length = 0;

  constructor(listed: Listed) {
    this.#listed = listed;
  }

  /** Copies the first `count` rows of the current list. */
  take(count: number): void {
    const { rows, scores } = this.#listed;
    this.#parts.push({ rows: rows.slice(0, count), scores: scores.slice(0, count) });
    this.#length += count;
  }

  all(): Kept {
    const all = { rows: new Int32Array(this.#length), scores: new Float32Array(this.#length) };
    let at = 0;
    for (const { rows, scores } of this.#parts) {
      all.rows.set(rows, at);
      all.scores.set(scores, at);
      at += rows.length;
    }
    return all;
  }
}
