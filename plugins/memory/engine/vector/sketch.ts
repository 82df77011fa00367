/**
 * Sketches of rows and queries: what the kernel estimates cosines by, at a fifth of a row's coarse bytes. The factors of
 * a row make its estimates right on the average: Gao and Long, "RaBitQ: Quantizing High-Dimensional Vectors with a
 * Theoretical Error Bound", SIGMOD 2024.
 */
import {
  BLOCK_ROWS,
  GROUP_ROWS,
  HALF_BYTES,
  INLINE_LANE,
  leadAt,
  leadBytes,
  leadOf,
  SIGNS,
  signsAt,
  sketchBytes,
  stepAt,
} from './layout.js';

/** The number that the half-byte 0 stands for in a lead; the others follow in steps of 1. */
const LEAST = -7.5;
/** Behind the lead a number counts as 0 up to this share of their root mean square: the best for normal numbers. */
const NEAR = 0.61;
/** What the two bits of such a number stand for. */
const SIGN = [0, 1, -1, 0];
/** What two entries of a table may be together in one byte. */
const MOST_ENTRY = 127;
/** What all of them may be together in 16 bits. */
const MOST_SUM = 65_000;
/** From this share of a query's square on, its lead alone is compared: half the work, and hardly more rows stay. */
const LEADING = 0.7;

/** The same bytes as each of these. */
export interface MatrixViews {
  readonly bytes: Uint8Array;
  readonly floats: Float32Array;
  readonly integers: Int32Array;
}

/** Writes the sketch of the floats in the event loop's lane, which have this length; 0: a row of zeros. */
export function writeSketch(
  { bytes, floats, integers }: MatrixViews,
  padded: number,
  row: number,
  length: number,
): void {
  const from = INLINE_LANE.query / 4;
  const end = from + padded;
  const behind = from + leadOf(padded);
  let most = 0;
  for (let at = from; at < behind; at++) most = Math.max(most, Math.abs(floats[at]!));
  const scale = most === 0 ? 0 : -LEAST / most;
  let to = leadAt(padded, row);
  let squares = 0;
  let product = 0;
  for (let at = from; at < behind; at += 2) {
    const a = floats[at]!;
    const b = floats[at + 1]!;
    // the nearest of 0 to 15
    const low = (a * scale - LEAST + 0.5) | 0;
    const high = (b * scale - LEAST + 0.5) | 0;
    squares += a * a + b * b;
    product += a * (low + LEAST) + b * (high + LEAST);
    bytes[to] = low | (high << 4);
    to += GROUP_ROWS;
  }
  const step = stepAt(padded, row) / 4;
  floats[step] = product > 0 ? squares / product / length : 0;
  to = signsAt(padded, row);
  squares = 0;
  product = 0;
  for (let at = behind; at < end; at++) squares += floats[at]! * floats[at]!;
  const near = NEAR * Math.sqrt(squares / Math.max(1, end - behind));
  for (let at = behind; at < end; at += 2 * SIGNS) {
    let signs = 0;
    for (let next = 0; next < 2 * SIGNS; next++) {
      const value = floats[at + next]!;
      const size = Math.abs(value);
      const isFar = Number(size > near);
      signs |= (isFar << (integers[at + next]! >>> 31)) << (2 * next);
      product += isFar * size;
    }
    bytes[to] = signs;
    to += GROUP_ROWS;
  }
  floats[step + BLOCK_ROWS] = product > 0 ? squares / product / length : 0;
}

export function moveSketch({ bytes, floats }: MatrixViews, padded: number, from: number, to: number): void {
  const ofLead = leadBytes(padded);
  const copy = (place: typeof leadAt, count: number): void => {
    const [source, target] = [place(padded, from), place(padded, to)];
    for (let at = 0; at < count * GROUP_ROWS; at += GROUP_ROWS) bytes[target + at] = bytes[source + at]!;
  };
  copy(leadAt, ofLead);
  copy(signsAt, sketchBytes(padded) - ofLead);
  const [step, other] = [stepAt(padded, from) / 4, stepAt(padded, to) / 4];
  floats[other] = floats[step]!;
  floats[other + BLOCK_ROWS] = floats[step + BLOCK_ROWS]!;
}

/** What an entry of the tables is worth, and what the least entries are together. */
export interface Worth {
  readonly step: number;
  readonly least: number;
}

export interface Tables {
  /** For each half-byte of a sketch, what its values give: a multiple of the step above the least. */
  readonly entries: Uint8Array;
  readonly lead: Worth;
  readonly signs: Worth;
}

/** The tables of a query: half-bytes of the lead are one number each, those behind it the signs of two. */
export function tablesOf(query: Float32Array): Tables {
  const lead = leadOf(query.length);
  const values = new Float64Array(HALF_BYTES * (lead + (query.length - lead) / SIGNS));
  let to = 0;
  for (let at = 0; at < lead; at++)
    for (let half = 0; half < HALF_BYTES; half++) values[to++] = query[at]! * (half + LEAST);
  for (let at = lead; at < query.length; at += SIGNS) {
    for (let half = 0; half < HALF_BYTES; half++)
      values[to++] = query[at]! * SIGN[half & 3]! + query[at + 1]! * SIGN[half >> 2]!;
  }
  const entries = new Uint8Array(values.length);
  const behind = lead * HALF_BYTES;
  return {
    entries,
    lead: fill(entries, values, 0, behind),
    signs: leadShare(query) < LEADING ? fill(entries, values, behind, values.length) : NOTHING,
  };
}

/** Of the square of a query of length 1, what its lead has. */
function leadShare(query: Float32Array): number {
  let squares = 0;
  for (let at = 0; at < leadOf(query.length); at++) squares += query[at]! ** 2;
  return squares;
}

const NOTHING: Worth = { step: 0, least: 0 };

function fill(entries: Uint8Array, values: Float64Array, from: number, end: number): Worth {
  let widest = 0;
  let all = 0;
  let least = 0;
  for (let at = from; at < end; at += HALF_BYTES) {
    const [low, high] = limits(values, at);
    widest = Math.max(widest, high - low);
    all += high - low;
    least += low;
  }
  const step = Math.max(widest / MOST_ENTRY, all / MOST_SUM);
  if (step === 0) return NOTHING;
  for (let at = from; at < end; at += HALF_BYTES) {
    const [low] = limits(values, at);
    for (let half = at; half < at + HALF_BYTES; half++)
      entries[half] = Math.round((values[half]! - low) / step);
  }
  return { step, least };
}

/** The least and the largest of a table. */
function limits(values: Float64Array, from: number): [low: number, high: number] {
  let low = values[from]!;
  let high = low;
  for (let at = from + 1; at < from + HALF_BYTES; at++) {
    low = Math.min(low, values[at]!);
    high = Math.max(high, values[at]!);
  }
  return [low, high];
}
