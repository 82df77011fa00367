/** Chooses the scoring kernel: the assembled one if WebAssembly SIMD is available, otherwise plain JavaScript. */
import { readFileSync } from 'node:fs';
import { javascriptKernel } from './javascript-kernel.js';
import type { Kernel, SharedMemory } from './kernel.js';
import { FINE_STEPS } from './layout.js';

export type KernelName = 'wasm-simd' | 'javascript';

export interface KernelChoice {
  readonly name: KernelName;
  /** Why the assembled one is not used. */
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
  seal(matrix: number, dimensions: number, floats: number, row: number): number;
}

const BINARY = new URL('./kernel.wasm', import.meta.url);

/** Detects the kernel that this machine and build support. */
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
  const { scanFine, scanCoarse, seal } = instance.exports as unknown as Exports;
  return {
    scanFine: (lane, count) => scanFine(matrix, padded, lane.query, lane.rows, count, lane.scores),
    scanCoarse: ({ query16, rows, scores, sums }, count, { step, least }) =>
      scanCoarse(matrix, padded, query16, rows, count, scores, sums, step * FINE_STEPS, least),
    seal: (lane, row) => seal(matrix, padded, lane.query, row),
  };
}

function javascript(reason: string): KernelChoice {
  return { name: 'javascript', reason, module: null };
}
