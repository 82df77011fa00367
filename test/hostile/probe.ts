/** How long others wait: the longest answer of `/-/live` since the last reset. */
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Cells that the thread shares: microseconds, probes made, and whether it must end. */
export const LONGEST = 0;
export const TURNS = 1;
export const STOPPED = 2;

export class Probe implements AsyncDisposable {
  readonly #cells: Int32Array;
  readonly #thread: Worker;
  readonly #ended: Promise<void>;

  constructor(url: string) {
    const shared = new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT);
    this.#cells = new Int32Array(shared);
    this.#thread = new Worker(join(import.meta.dirname, 'probe-thread.js'), { workerData: { url, shared } });
    this.#ended = new Promise((resolve, reject) => {
      this.#thread.once('error', reject).once('exit', () => resolve());
    });
  }

  /** Milliseconds. */
  get longest(): number {
    return Atomics.load(this.#cells, LONGEST) / 1_000;
  }

  reset(): void {
    Atomics.store(this.#cells, LONGEST, 0);
  }

  /** Resolves when a probe that began after the call was answered. */
  async turn(): Promise<void> {
    const wanted = Atomics.load(this.#cells, TURNS) + 2;
    while (Atomics.load(this.#cells, TURNS) < wanted) await sleep(1);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    Atomics.store(this.#cells, STOPPED, 1);
    await this.#ended;
  }
}
