/** Scores rows for one query, batch by batch through a lane, in the calling thread. */
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
  /** What one step of the 16-bit query is worth. */
  readonly #step: number;

  /** `query`: of length 1, padded. No other query may use the lane until this one has been answered. */
  constructor(kernel: Kernel, memory: SharedMemory, lane: Lane, query: Float32Array) {
    this.#kernel = kernel;
    this.#memory = memory;
    this.#lane = lane;
    const { values, step } = quantised(query);
    this.#step = step;
    new Float32Array(memory.buffer).set(query, lane.query / 4);
    new Int16Array(memory.buffer).set(values, lane.query16 / 2);
  }

  /** The cosines of a list of rows, in its order. */
  fine(rows: Int32Array): Float32Array {
    const scores = new Float32Array(rows.length);
    this.#inBatches(rows, (count, from, listed) => {
      this.#kernel.scanFine(this.#lane, count);
      scores.set(listed.scores.subarray(0, count), from);
    });
    return scores;
  }

  /** Nearly the same, by the upper bytes of the rows. */
  coarse(rows: Int32Array): Float32Array {
    return this.reaching(rows, { leads: false, least: -Infinity }).scores;
  }

  /** The rows of a list whose upper bytes, or whose leads alone, score at least this, in its order. */
  reaching(rows: Int32Array, wanted: { leads: boolean; least: number }): Reaching {
    const scan = { ...wanted, step: this.#step };
    const sums = new Float64Array(this.#memory.buffer, this.#lane.sums, 2).fill(0);
    const parts: { rows: Int32Array; scores: Float32Array }[] = [];
    let length = 0;
    this.#inBatches(rows, (count, _, listed) => {
      const kept = this.#kernel.scanCoarse(this.#lane, count, scan);
      parts.push({ rows: listed.rows.slice(0, kept), scores: listed.scores.slice(0, kept) });
      length += kept;
    });
    const found = { rows: new Int32Array(length), scores: new Float32Array(length) };
    let at = 0;
    for (const part of parts) {
      found.rows.set(part.rows, at);
      found.scores.set(part.scores, at);
      at += part.rows.length;
    }
    return { ...found, all: momentsOf(rows.length, sums[0]!, sums[1]!) };
  }

  #inBatches(rows: Int32Array, run: (count: number, from: number, lane: Listed) => void): void {
    const { buffer } = this.#memory;
    const listed = {
      rows: new Int32Array(buffer, this.#lane.rows, BATCH_ROWS),
      scores: new Float32Array(buffer, this.#lane.scores, BATCH_ROWS),
    };
    for (let from = 0; from < rows.length; from += BATCH_ROWS) {
      const count = Math.min(BATCH_ROWS, rows.length - from);
      listed.rows.set(rows.subarray(from, from + count));
      run(count, from, listed);
    }
  }
}
