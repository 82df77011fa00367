/**
 * Memory layout of a vector index; kernel.wat relies on the same numbers.
 *
 *   two lanes   scratch space of the event loop's thread and of the worker's
 *   blocks      of 256 rows each: the coarse bytes of all rows, their fine bytes, one float per row: its unit
 *
 * A component of a row is (254 * coarse + fine) * unit: 16 bits, of which a long scan reads only the upper half. That
 * is half the size of floats, with an error below a 30,000th of the row's largest component.
 *
 * With blocks the one memory grows at its end without moving anything; two runs, of all coarse and of all fine bytes,
 * could not.
 */

export const BLOCK_ROWS = 256;
export const MAX_DIMENSIONS = 8192;
/** Rows scored per kernel call. */
export const BATCH_ROWS = 4096;
export const PAGE_BYTES = 65536;
/** The 32-bit address space. */
export const MAX_PAGES = 65536;

/**
 * Addresses of a lane's scratch space: floats (a query, or a row to be sealed), their 16-bit copy, row numbers in,
 * scores out, and two 64-bit floats: the sum of the scores and the sum of their squares.
 */
export interface Lane {
  readonly query: number;
  readonly query16: number;
  readonly rows: number;
  readonly scores: number;
  readonly sums: number;
}

const LANE_BYTES = MAX_DIMENSIONS * 6 + BATCH_ROWS * 8 + 16;

export const [INLINE_LANE, WORKER_LANE] = [laneAt(0), laneAt(LANE_BYTES)];

/** Start of the blocks. */
export const MATRIX_START = 3 * PAGE_BYTES;

/** Rows are zero-padded to the step of the kernel. */
export function paddedDimensions(dimensions: number): number {
  return Math.ceil(dimensions / 32) * 32;
}

export function blockBytes(padded: number): number {
  return BLOCK_ROWS * (padded * 2 + 4);
}

/** The number of rows that fit in the largest memory. */
export function maxRows(padded: number): number {
  return Math.floor((MAX_PAGES * PAGE_BYTES - MATRIX_START) / blockBytes(padded)) * BLOCK_ROWS;
}

/** Fine steps per coarse step. */
export const FINE_STEPS = 254;

/** Byte address of a row's coarse bytes. */
export function coarseAt(padded: number, row: number): number {
  return blockAt(padded, row) + (row % BLOCK_ROWS) * padded;
}

/** Byte address of a row's fine bytes. */
export function fineAt(padded: number, row: number): number {
  return coarseAt(padded, row) + BLOCK_ROWS * padded;
}

/** Byte address of a row's unit, the factor of its 16-bit numbers. */
export function unitAt(padded: number, row: number): number {
  return blockAt(padded, row) + BLOCK_ROWS * padded * 2 + (row % BLOCK_ROWS) * 4;
}

function blockAt(padded: number, row: number): number {
  return MATRIX_START + Math.floor(row / BLOCK_ROWS) * blockBytes(padded);
}

function laneAt(start: number): Lane {
  const query16 = start + MAX_DIMENSIONS * 4;
  const rows = query16 + MAX_DIMENSIONS * 2;
  const scores = rows + BATCH_ROWS * 4;
  const sums = scores + BATCH_ROWS * 4;
  return { query: start, query16, rows, scores, sums };
}
