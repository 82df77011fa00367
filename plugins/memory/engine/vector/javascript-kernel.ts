/**
 * The functions of kernel.wat in plain JavaScript: four parallel sums, so that additions do not wait for each other.
 */
import type { CoarseScan, Kernel, SharedMemory } from './kernel.js';
import { coarseAt, fineAt, FINE_STEPS, unitAt, type Lane } from './layout.js';

interface Views {
  readonly buffer: SharedArrayBuffer;
  readonly floats: Float32Array;
  readonly bytes: Int8Array;
  readonly words: Int16Array;
  readonly integers: Int32Array;
  readonly doubles: Float64Array;
}

export function javascriptKernel(memory: SharedMemory, padded: number): Kernel {
  let views = viewsOf(memory.buffer);
  const current = (): Views => {
    // a memory that grew has a new buffer
    if (views.buffer !== memory.buffer) views = viewsOf(memory.buffer);
    return views;
  };
  return {
    scanFine: (lane, count) => scanFine(current(), padded, lane, count),
    scanCoarse: (lane, count, wanted) => scanCoarse(current(), padded, lane, { ...wanted, count }),
    seal: (lane, row) => seal(current(), padded, lane, row),
  };
}

function scanFine({ floats, bytes, integers }: Views, padded: number, lane: Lane, count: number): void {
  const rows = lane.rows / 4;
  const scores = lane.scores / 4;
  const query = lane.query / 4;
  for (let at = 0; at < count; at++) {
    const row = integers[rows + at]!;
    const coarse = dot(bytes, coarseAt(padded, row), floats, query, padded);
    const fine = dot(bytes, fineAt(padded, row), floats, query, padded);
    floats[scores + at] = (FINE_STEPS * coarse + fine) * floats[unitAt(padded, row) / 4]!;
  }
}

function scanCoarse(
  { floats, bytes, words, integers, doubles }: Views,
  padded: number,
  lane: Lane,
  { count, step, least }: CoarseScan & { count: number },
): number {
  const rows = lane.rows / 4;
  const scores = lane.scores / 4;
  const sums = lane.sums / 8;
  let kept = 0;
  for (let at = 0; at < count; at++) {
    const row = integers[rows + at]!;
    const sum = dot(bytes, coarseAt(padded, row), words, lane.query16 / 2, padded);
    const score = sum * step * FINE_STEPS * floats[unitAt(padded, row) / 4]!;
    doubles[sums]! += score;
    doubles[sums + 1]! += score * score;
    if (score < least) continue;
    integers[rows + kept] = row;
    floats[scores + kept++] = score;
  }
  return kept;
}

type Numbers = Float32Array | Int8Array | Int16Array;

function dot(left: Numbers, a: number, right: Numbers, b: number, length: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let at = 0; at < length; at += 4) {
    s0 += left[a + at]! * right[b + at]!;
    s1 += left[a + at + 1]! * right[b + at + 1]!;
    s2 += left[a + at + 2]! * right[b + at + 2]!;
    s3 += left[a + at + 3]! * right[b + at + 3]!;
  }
  return s0 + s1 + s2 + s3;
}

function seal({ floats, bytes }: Views, padded: number, lane: Lane, row: number): number {
  const start = lane.query / 4;
  const values = floats.subarray(start, start + padded);
  let squares = 0;
  let largest = 0;
  for (const value of values) {
    squares += value * value;
    largest = Math.max(largest, Math.abs(value));
  }
  const length = Math.sqrt(squares);
  const unit = largest === 0 ? 1 : largest / (127 * FINE_STEPS);
  const coarse = coarseAt(padded, row);
  const fine = fineAt(padded, row);
  for (let at = 0; at < padded; at++) {
    const steps = values[at]! / unit;
    bytes[coarse + at] = Math.round(steps / FINE_STEPS);
    bytes[fine + at] = Math.round(steps - FINE_STEPS * bytes[coarse + at]!);
  }
  floats[unitAt(padded, row) / 4] = length === 0 ? 0 : unit / length;
  return length;
}

function viewsOf(buffer: SharedArrayBuffer): Views {
  return {
    buffer,
    floats: new Float32Array(buffer),
    bytes: new Int8Array(buffer),
    words: new Int16Array(buffer),
    integers: new Int32Array(buffer),
    doubles: new Float64Array(buffer),
  };
}
