/** One scan: the best of a list of rows for a query, in the calling thread. */
import type { Kernel, SharedMemory } from './kernel.js';
import { BATCH_ROWS, type Lane } from './layout.js';

export interface Scan {
  /** Of length 1, padded. */
  readonly query: Float32Array;
  readonly rows: Int32Array;
  readonly limit: number;
  /** coarse: score all rows by their upper bytes, and the best of these again in full. */
  readonly precision: 'fine' | 'coarse';
}

/** The rows kept, in no order, with their cosines: the best `limit`, and all that tie with the last of these. */
export interface Kept {
  readonly rows: Int32Array;
  readonly scores: Float32Array;
}

export interface Scanned extends Kept {
  /** Of the cosines of all rows, those that were not kept included. */
  readonly mean: number;
  readonly deviation: number;
}

/** How many rows are scored again in full: at 100,000 x 384, recall against an all-float scan is 1.000. */
const RESCORED = 80;
const RESCORED_PER_HIT = 4;

export function scan(kernel: Kernel, memory: SharedMemory, lane: Lane, asked: Scan): Scanned {
  const { buffer } = memory;
  const { query, rows, limit } = asked;
  const fine = (of: Int32Array): Float32Array => cosinesOf(kernel, memory, lane, query, of);
  if (asked.precision === 'fine') {
    const cosines = fine(rows);
    return { ...best(rows, cosines, limit), ...spreadOf(cosines, 1) };
  }
  const { values, step } = quantised(query);
  new Int16Array(buffer).set(values, lane.query16 / 2);
  const scores = score(buffer, lane, rows, (count) => kernel.scanCoarse(lane, count));
  const likely = best(rows, scores, Math.max(RESCORED, RESCORED_PER_HIT * limit));
  return { ...best(likely.rows, fine(likely.rows), limit), ...spreadOf(scores, step) };
}

/** The cosines of a list of rows, in its order. */
export function cosinesOf(
  kernel: Kernel,
  { buffer }: SharedMemory,
  lane: Lane,
  query: Float32Array,
  rows: Int32Array,
): Float32Array {
  new Float32Array(buffer).set(query, lane.query / 4);
  return score(buffer, lane, rows, (count) => kernel.scanFine(lane, count));
}

function spreadOf(scores: Float32Array, scale: number): { mean: number; deviation: number } {
  if (scores.length === 0) return { mean: 0, deviation: 0 };
  let sum = 0;
  let squares = 0;
  for (const value of scores) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / scores.length;
  const variance = Math.max(0, squares / scores.length - mean * mean);
  return { mean: mean * scale, deviation: Math.sqrt(variance) * scale };
}

/** Runs the kernel over the rows, batch by batch through the lane. */
function score(
  buffer: SharedArrayBuffer,
  lane: Lane,
  rows: Int32Array,
  run: (count: number) => void,
): Float32Array {
  const scores = new Float32Array(rows.length);
  const listed = new Int32Array(buffer, lane.rows, BATCH_ROWS);
  const scored = new Float32Array(buffer, lane.scores, BATCH_ROWS);
  for (let from = 0; from < rows.length; from += BATCH_ROWS) {
    const count = Math.min(BATCH_ROWS, rows.length - from);
    listed.set(rows.subarray(from, from + count));
    run(count);
    scores.set(scored.subarray(0, count), from);
  }
  return scores;
}

/** The rows whose score is at least the `limit`-th best: all ties are kept, so that a later order can decide them. */
function best(rows: Int32Array, scores: Float32Array, limit: number): Kept {
  if (rows.length <= limit) return { rows, scores };
  const least = nthLargest(scores, limit);
  const kept: number[] = [];
  for (let at = 0; at < scores.length; at++) if (scores[at]! >= least) kept.push(at);
  return {
    rows: Int32Array.from(kept, (at) => rows[at]!),
    scores: Float32Array.from(kept, (at) => scores[at]!),
  };
}

/** By a heap of the n largest so far, the smallest of them at its root. */
function nthLargest(values: Float32Array, n: number): number {
  const heap = values.slice(0, n).sort();
  for (let at = n; at < values.length; at++) {
    const value = values[at]!;
    if (value > heap[0]!) replaceRoot(heap, value);
  }
  return heap[0]!;
}

function replaceRoot(heap: Float32Array, value: number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
    if (heap[child]! >= value) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = value;
}

/** The query in steps of a 2,047th of its largest component: see kernel.wat. */
function quantised(query: Float32Array): { values: Int16Array; step: number } {
  let largest = 0;
  for (const value of query) largest = Math.max(largest, Math.abs(value));
  const step = (largest || 1) / 2047;
  return { values: Int16Array.from(query, (value) => Math.round(value / step)), step };
}
