/** What scores the rows of a matrix: `choose-kernel.ts` picks one of two. */
import type { Lane } from './layout.js';

/** A memory that two threads share and that grows. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
}

/** Works on one memory, for rows of one padded number of dimensions. */
export interface Kernel {
  /** Dot products of the lane's query with the first `count` rows of the lane's list, into the lane's scores. */
  scanFine(lane: Lane, count: number): void;
  /**
   * Nearly the same, from the rows' coarse bytes and the 16-bit query. Leaves the rows that reach `least` at the begin of
   * the lane's list, with their scores, and returns how many they are; adds up all scores in the lane's sums.
   */
  scanCoarse(lane: Lane, count: number, wanted: CoarseScan): number;
  /** Writes the lane's floats as a row of length 1; returns their length: 0, or not finite, for a bad row. */
  seal(lane: Lane, row: number): number;
}

export interface CoarseScan {
  /** What one step of the 16-bit query is worth. */
  readonly step: number;
  /** -Infinity: keep all. */
  readonly least: number;
}
