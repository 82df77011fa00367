/** Interface of the kernels that score the rows of a matrix; `choose-kernel.ts` picks one of two. */
import type { Lane } from './layout.js';

/** A growable memory shared by two threads. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
}

/** Works on one memory, for rows of one padded number of dimensions. */
export interface Kernel {
  /** Dot products of the lane's query with the first `count` rows of the lane's list, into the lane's scores. */
  scanFine(lane: Lane, count: number): void;
  /**
   * Approximate, from the rows' coarse bytes and the 16-bit query. Moves the rows that reach `least` to the front of
   * the lane's list, with their scores, and returns their number; adds up all scores in the lane's sums.
   */
  scanCoarse(lane: Lane, count: number, wanted: CoarseScan): number;
  /** Writes the lane's floats as a row of length 1; returns the original length: 0, or not finite, for a bad row. */
  seal(lane: Lane, row: number): number;
}

export interface CoarseScan {
  /** Value of one step of the 16-bit query. */
  readonly step: number;
  /** -Infinity: keep all rows. */
  readonly least: number;
}
