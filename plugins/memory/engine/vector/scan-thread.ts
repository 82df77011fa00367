/** Main-thread side of the scan worker: started by the first long scan, ended with the index. */
import { Worker } from 'node:worker_threads';
import type { Matrix } from './matrix.js';
import type { Scan } from './scan.js';
import type { Scanned } from './scanned.js';
import type { WorkerScan, WorkerStart } from './scan-worker.js';

export class ScanThread {
  readonly #matrix: Matrix;
  #worker: Worker | undefined;
  #closed = false;
  #reject: ((reason: Error) => void) | undefined;

  constructor(matrix: Matrix) {
    this.#matrix = matrix;
  }

  /** One at a time: the caller waits for the last scan before it starts the next. */
  scan(asked: Scan): Promise<Scanned> {
    if (this.#closed) return Promise.reject(new Error('the vector index is closed'));
    const worker = (this.#worker ??= this.#start());
    const { memory, choice } = this.#matrix;
    const message: WorkerScan = { ...asked, buffer: choice.module === null ? memory.buffer : null };
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      worker.once('message', (scanned: Scanned) => {
        worker.unref();
        this.#reject = undefined;
        resolve(scanned);
      });
      // an idle worker must not keep the process alive, a busy one must
      worker.ref();
      worker.postMessage(message, [asked.rows.buffer as ArrayBuffer]);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#fail(new Error('the vector index was closed during the search'));
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const { choice, memory, padded } = this.#matrix;
    const workerData: WorkerStart = {
      module: choice.module,
      memory: choice.module === null ? null : (memory as WebAssembly.Memory),
      padded,
    };
    const worker = new Worker(new URL('./scan-worker.js', import.meta.url), { workerData });
    const failed = (cause: Error): void => {
      // the next scan starts a new worker
      if (this.#worker === worker) this.#worker = undefined;
      this.#fail(new Error('the scanning thread failed', { cause }));
    };
    worker.on('error', failed);
    worker.on('messageerror', failed);
    return worker;
  }

  #fail(reason: Error): void {
    this.#reject?.(reason);
    this.#reject = undefined;
  }
}
