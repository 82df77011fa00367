/**
 * Whether the index has every stored entry. The server starts before it does; operations that require the index wait
 * briefly.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { errors } from '../base/errors.js';

/** How long an operation waits for the index before it is refused; enough to load a small memory. */
const PATIENCE_MS = 2_000;
const LOOK_AGAIN_MS = 20;

export class Readiness {
  #done = 0;
  #total = 0;
  #isComplete = false;

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Progress in entries. */
  progress(done: number, total: number): void {
    this.#done = done;
    this.#total = Math.max(done, total);
  }

  complete(): void {
    this.#isComplete = true;
  }

  /** Throws `memory_loading`, which reports the progress. */
  assertComplete(): void {
    if (this.#isComplete) return;
    const values = { done: this.#done, total: this.#total };
    throw errors.memory_loading({ values, headers: { 'retry-after': '1' } });
  }

  /** For requests: waits a little, then throws `memory_loading`. */
  async soon(): Promise<void> {
    for (let waited = 0; !this.#isComplete && waited < PATIENCE_MS; waited += LOOK_AGAIN_MS)
      await sleep(LOOK_AGAIN_MS);
    this.assertComplete();
  }

  /** For background work. Rejects if `signal` is aborted. */
  async whenComplete(signal: AbortSignal): Promise<void> {
    while (!this.#isComplete) await sleep(LOOK_AGAIN_MS, undefined, { signal });
  }
}
