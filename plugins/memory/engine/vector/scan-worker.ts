/** Worker thread of a vector index: handles one scan at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import { instantiate } from './choose-kernel.js';
import type { SharedMemory } from './kernel.js';
import { MATRIX_START, WORKER_LANE } from './layout.js';
import { scan, type Scan } from './scan.js';
import { Scorer } from './scorer.js';

/** Start data of the thread. A memory that is not WebAssembly's is sent with each scan, as it may have moved. */
export interface WorkerStart {
  readonly module: WebAssembly.Module | null;
  readonly memory: WebAssembly.Memory | null;
  readonly padded: number;
}

export interface WorkerScan extends Scan {
  readonly buffer: SharedArrayBuffer | null;
}

const { module, memory: shared, padded } = workerData as WorkerStart;
const moving: { buffer: SharedArrayBuffer } = { buffer: new SharedArrayBuffer(0) };
const memory: SharedMemory = shared ?? moving;
const kernel = instantiate(module, memory, MATRIX_START, padded);

parentPort!.on('message', ({ buffer, ...asked }: WorkerScan) => {
  if (buffer !== null) moving.buffer = buffer;
  const found = scan(new Scorer(kernel, memory, WORKER_LANE, asked.query), asked);
  parentPort!.postMessage(found);
});
