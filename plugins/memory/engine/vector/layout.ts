/**
 * How the memory of a vector index is laid out; kernel.wat counts on the same numbers.
 *
 *   two lanes   scratch space of the event loop's thread and of the worker's
 *   blocks      of 256 rows each: the coarse bytes of all rows, their fine bytes, one float a row: its unit
 *
 * A number of a row is (254 * coarse + fine) * unit: 16 bits, of which a long scan reads the upper half alone. That is
 * half of what floats would take, and off by less than a 30,000th of the row's largest number.
 *
 * Blocks let the one memory grow at its end without moving anything, which is why the coarse and the fine bytes of
 * all rows are not two runs.
 */

export const BLOCK_ROWS = 256;
export const MAX_DIMENSIONS = 8192;
/** Rows scored by one call of the kernel. */
export const BATCH_ROWS = 4096;
export const PAGE_BYTES = 65536;
/** All that 32 bits can address. */
export const MAX_PAGES = 65536;

/**
 * The place of a lane's scratch space: floats (a query, or a row to be sealed), their 16-bit copy, row numbers in, scores
 * out, and two 64-bit floats: the sum of the scores and that of their squares.
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

/** Where the blocks begin. */
export const MATRIX_START = 3 * PAGE_BYTES;

/** Rows are padded with zeros to what the kernel takes in one step. */
export function paddedDimensions(dimensions: number): number {
  return Math.ceil(dimensions / 32) * 32;
}

export function blockBytes(padded: number): number {
  return BLOCK_ROWS * (padded * 2 + 4);
}

/** The most rows that the largest memory holds. */
export function maxRows(padded: number): number {
  return Math.floor((MAX_PAGES * PAGE_BYTES - MATRIX_START) / blockBytes(padded)) * BLOCK_ROWS;
}

/** How many steps of the fine bytes make one of the coarse bytes. */
export const FINE_STEPS = 254;

/** Byte address of a row's coarse bytes. */
export function coarseAt(padded: number, row: number): number {
  return blockAt(padded, row) + (row % BLOCK_ROWS) * padded;
}

/** Byte address of a row's fine bytes. */
export function fineAt(padded: number, row: number): number {
  return coarseAt(padded, row) + BLOCK_ROWS * padded;
}

/** Byte address of the float by which a row's 16-bit numbers are multiplied. */
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
