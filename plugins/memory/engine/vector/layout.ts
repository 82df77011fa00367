/**
 * How the memory of a vector index is laid out; kernel.wat counts on the same numbers.
 *
 *   two lanes   scratch space of the event loop's thread and of the worker's
 *   blocks      of 256 rows each: the coarse bytes of all rows, their fine bytes, one float a row: its unit, then their
 *               sketches, and two floats a row: what a step of its sketch is worth, in its lead and behind it
 *
 * A number of a row is (254 * coarse + fine) * unit: 16 bits, of which a long scan reads the upper half alone. That is
 * half of what floats would take, and off by less than a 30,000th of the row's largest number.
 *
 * A sketch has four bits for each of the first 64 numbers, its lead, and two for each number behind them: whether it is
 * above 0, below, or near it. The lead is finer because it holds most of a built-in vector: what the words mean. Sixteen rows lie together, byte by
 * byte, so that the kernel looks up half a byte of all sixteen at once (the layout of FastScan: Andre, Kermarrec and Le
 * Scouarnec, "Cache Locality is Not Enough", PVLDB 9, 2015).
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
 * out, two 64-bit floats: the sum of the scores and that of their squares, and the tables of a query for sketches, and room
 * for the estimates of a group.
 */
export interface Lane {
  readonly query: number;
  readonly query16: number;
  readonly rows: number;
  readonly scores: number;
  readonly sums: number;
  readonly tables: number;
  readonly room: number;
}

/** Numbers of a row that its sketch has in four bits. */
export const LEAD = 64;
/** Rows whose sketches lie together. */
export const GROUP_ROWS = 16;
/** Numbers behind the lead that share half a byte. */
export const SIGNS = 2;
/** What a half-byte can be. */
export const HALF_BYTES = 16;

const MOST_TABLES = LEAD + (MAX_DIMENSIONS - LEAD) / SIGNS;
const LANE_BYTES = MAX_DIMENSIONS * 6 + BATCH_ROWS * 8 + 16 + MOST_TABLES * HALF_BYTES + GROUP_ROWS * 4;

export const [INLINE_LANE, WORKER_LANE] = [laneAt(0), laneAt(LANE_BYTES)];

/** Where the blocks begin. */
export const MATRIX_START = 5 * PAGE_BYTES;

/** Rows are padded with zeros to what the kernel takes in one step. */
export function paddedDimensions(dimensions: number): number {
  return Math.ceil(dimensions / 32) * 32;
}

export function leadOf(padded: number): number {
  return Math.min(LEAD, padded);
}

/** Bytes of the lead in a sketch. */
export function leadBytes(padded: number): number {
  return leadOf(padded) / 2;
}

/** Bytes of a sketch. */
export function sketchBytes(padded: number): number {
  return leadBytes(padded) + (padded - leadOf(padded)) / (2 * SIGNS);
}

export function blockBytes(padded: number): number {
  return BLOCK_ROWS * (padded * 2 + 4 + sketchBytes(padded) + 8);
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

/** Byte address of the first byte of a row's lead in its sketch; the others follow in steps of `GROUP_ROWS`. */
export function leadAt(padded: number, row: number): number {
  return sketchesAt(padded, row) + inGroups(row, leadBytes(padded));
}

/** The same of its signs: those of a block lie behind all leads. */
export function signsAt(padded: number, row: number): number {
  const ofLead = leadBytes(padded);
  return sketchesAt(padded, row) + BLOCK_ROWS * ofLead + inGroups(row, sketchBytes(padded) - ofLead);
}

function inGroups(row: number, bytes: number): number {
  const place = row % BLOCK_ROWS;
  return Math.floor(place / GROUP_ROWS) * GROUP_ROWS * bytes + column(place % GROUP_ROWS);
}

/** The kernel adds up the even bytes and the odd ones: the first eight rows, and the other eight. */
function column(row: number): number {
  const half = GROUP_ROWS / 2;
  return row < half ? 2 * row : 2 * (row - half) + 1;
}

/** Byte address of the float by which the steps of a row's lead are multiplied; that of its signs is a block's floats behind. */
export function stepAt(padded: number, row: number): number {
  return sketchesAt(padded, row) + BLOCK_ROWS * sketchBytes(padded) + (row % BLOCK_ROWS) * 4;
}

/** Byte address of the sketches of a row's block. */
export function sketchesAt(padded: number, row: number): number {
  return blockAt(padded, row) + BLOCK_ROWS * (padded * 2 + 4);
}

function blockAt(padded: number, row: number): number {
  return MATRIX_START + Math.floor(row / BLOCK_ROWS) * blockBytes(padded);
}

function laneAt(start: number): Lane {
  const query16 = start + MAX_DIMENSIONS * 4;
  const rows = query16 + MAX_DIMENSIONS * 2;
  const scores = rows + BATCH_ROWS * 4;
  const sums = scores + BATCH_ROWS * 4;
  const tables = sums + 16;
  return { query: start, query16, rows, scores, sums, tables, room: tables + MOST_TABLES * HALF_BYTES };
}
