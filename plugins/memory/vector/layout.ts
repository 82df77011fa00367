/**
 * How the memory of a vector index is laid out; kernel.wat counts on the same numbers.
 *
 *   two lanes   scratch space of the event loop's thread and of the worker's
 *   blocks      of 256 rows each: their floats, their int8 copies, and one float a row: the copy's step
 *
 * Blocks let the one memory grow at its end without moving anything, which is why the floats and the bytes of all
 * rows are not two runs.
 */

export const BLOCK_ROWS = 256;
export const MAX_DIMENSIONS = 8192;
/** Rows scored by one call of the kernel. */
export const BATCH_ROWS = 4096;
export const PAGE_BYTES = 65536;
/** All that 32 bits can address. */
export const MAX_PAGES = 65536;

/** The place of a lane's scratch space: the query's floats, its 16-bit copy, row numbers in, scores out. */
export interface Lane {
  readonly query: number;
  readonly query16: number;
  readonly rows: number;
  readonly scores: number;
}

const LANE_BYTES = MAX_DIMENSIONS * 6 + BATCH_ROWS * 8;

export const [INLINE_LANE, WORKER_LANE] = [laneAt(0), laneAt(LANE_BYTES)];

/** Where the blocks begin. */
export const MATRIX_START = 3 * PAGE_BYTES;

/** Rows are padded with zeros to what the kernel takes in one step. */
export function paddedDimensions(dimensions: number): number {
  return Math.ceil(dimensions / 32) * 32;
}

export function blockBytes(padded: number): number {
  return BLOCK_ROWS * (padded * 5 + 4);
}

/** The most rows that the largest memory holds. */
export function maxRows(padded: number): number {
  return Math.floor((MAX_PAGES * PAGE_BYTES - MATRIX_START) / blockBytes(padded)) * BLOCK_ROWS;
}

/** Byte address of a row's floats. */
export function floatsAt(padded: number, row: number): number {
  return blockAt(padded, row) + (row % BLOCK_ROWS) * padded * 4;
}

/** Byte address of a row's int8 copy. */
export function bytesAt(padded: number, row: number): number {
  return blockAt(padded, row) + BLOCK_ROWS * padded * 4 + (row % BLOCK_ROWS) * padded;
}

/** Byte address of the float by which one step of a row's int8 copy is multiplied. */
export function stepAt(padded: number, row: number): number {
  return blockAt(padded, row) + BLOCK_ROWS * padded * 5 + (row % BLOCK_ROWS) * 4;
}

function blockAt(padded: number, row: number): number {
  return MATRIX_START + Math.floor(row / BLOCK_ROWS) * blockBytes(padded);
}

function laneAt(start: number): Lane {
  const query16 = start + MAX_DIMENSIONS * 4;
  const rows = query16 + MAX_DIMENSIONS * 2;
  return { query: start, query16, rows, scores: rows + BATCH_ROWS * 4 };
}
