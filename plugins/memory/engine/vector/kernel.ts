/** The scoring kernel: the assembled one where WebAssembly SIMD is there, else plain JavaScript. */
import { readFileSync } from 'node:fs';
import { javascriptKernel } from './javascript-kernel.js';
import {
  blockBytes,
  BLOCK_ROWS,
  FINE_STEPS,
  leadBytes,
  sketchBytes,
  sketchesAt,
  type Lane,
} from './layout.js';
import type { Tables } from './sketch.js';

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
  /**
   * Estimates of the cosines of all rows of some blocks, at most a batch, by the lane's tables. Leaves the rows whose
   * estimate reaches `least` in the lane's list, with their estimates as scores, and returns how many they are; adds up all
   * estimates in the lane's sums.
   */
  scanSketches(lane: Lane, wanted: SketchScan): number;
  /** Writes the lane's floats as a row of length 1; returns their length: 0, or not finite, for a bad row. */
  seal(lane: Lane, row: number): number;
}

export interface SketchScan extends Pick<Tables, 'lead' | 'signs'> {
  /** The first one, and how many. */
  readonly block: number;
  readonly blocks: number;
  readonly least: number;
}

export interface CoarseScan {
  /** What one step of the 16-bit query is worth. */
  readonly step: number;
  /** -Infinity: keep all. */
  readonly least: number;
}

export type KernelName = 'wasm-simd' | 'javascript';

export interface KernelChoice {
  readonly name: KernelName;
  /** Why it is not the assembled one. */
  readonly reason: string | null;
  readonly module: WebAssembly.Module | null;
}

interface Exports {
  scanFine(
    matrix: number,
    dimensions: number,
    query: number,
    rows: number,
    count: number,
    scores: number,
  ): void;
  scanCoarse(
    matrix: number,
    dimensions: number,
    query: number,
    rows: number,
    count: number,
    scores: number,
    sums: number,
    factor: number,
    least: number,
  ): number;
  scanSketches(
    sketches: number,
    blockBytes: number,
    blocks: number,
    leadBytes: number,
    signBytes: number,
    tables: number,
    leadStep: number,
    leadLeast: number,
    signStep: number,
    signLeast: number,
    row: number,
    rows: number,
    scores: number,
    sums: number,
    room: number,
    least: number,
  ): number;
  seal(matrix: number, dimensions: number, floats: number, row: number): number;
}

const BINARY = new URL('./kernel.wasm', import.meta.url);

/** Finds out which kernel this machine and this build have. */
export function chooseKernel(binary: URL = BINARY): KernelChoice {
  if (!('WebAssembly' in globalThis)) return javascript('this runtime has no WebAssembly');
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(binary);
  } catch {
    return javascript('kernel.wasm is not there: run `npm run build`');
  }
  if (!WebAssembly.validate(bytes)) return javascript('this processor or runtime has no WebAssembly SIMD');
  return { name: 'wasm-simd', reason: null, module: new WebAssembly.Module(bytes) };
}

export function instantiate(
  module: WebAssembly.Module | null,
  memory: SharedMemory,
  matrix: number,
  padded: number,
): Kernel {
  if (module === null || !(memory instanceof WebAssembly.Memory)) return javascriptKernel(memory, padded);
  const instance = new WebAssembly.Instance(module, { env: { memory } });
  const { scanFine, scanCoarse, scanSketches, seal } = instance.exports as unknown as Exports;
  return {
    scanFine: (lane, count) => scanFine(matrix, padded, lane.query, lane.rows, count, lane.scores),
    scanCoarse: ({ query16, rows, scores, sums }, count, { step, least }) =>
      scanCoarse(matrix, padded, query16, rows, count, scores, sums, step * FINE_STEPS, least),
    scanSketches: (lane, { block, blocks, lead, signs, least }) => {
      const bytes = blockBytes(padded);
      const ofLead = leadBytes(padded);
      return scanSketches(
        sketchesAt(padded, 0) + block * bytes,
        bytes,
        blocks,
        ofLead,
        sketchBytes(padded) - ofLead,
        lane.tables,
        lead.step,
        lead.least,
        signs.step,
        signs.least,
        block * BLOCK_ROWS,
        lane.rows,
        lane.scores,
        lane.sums,
        lane.room,
        least,
      );
    },
    seal: (lane, row) => seal(matrix, padded, lane.query, row),
  };
}

function javascript(reason: string): KernelChoice {
  return { name: 'javascript', reason, module: null };
}
