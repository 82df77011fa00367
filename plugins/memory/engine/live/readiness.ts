/** Whether the index holds every stored entry yet. A start answers before it does: what needs the index waits a moment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { errors } from '../base/errors.js';

/** What needs the index waits so long for it before it is refused; a small memory is there by then. */
const PATIENCE_MS = 2_000;
const LOOK_AGAIN_MS = 20;

export class Readiness {
  #done = 0;
  #total = 0;
  #isComplete = false;

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** How far it is, in entries. */
  progress(done: number, total: number): void {
    this.#done = done;
    this.#total = Math.max(done, total);
  }

  complete(): void {
    this.#isComplete = true;
  }

  /** Throws `memory_loading`, which says how far it is. */
  assertComplete(): void {
    if (this.#isComplete) return;
    const values = { done: this.#done, total: this.#total };
    throw errors.memory_loading({ values, headers: { 'retry-after': '1' } });
  }

  /** For requests. */
  async soon(): Promise<void> {
    for (let waited = 0; !this.#isComplete && waited < PATIENCE_MS; waited += LOOK_AGAIN_MS)
      await sleep(LOOK_AGAIN_MS);
    this.assertComplete();
  }

  /** For background work. Rejects when `signal` is aborted. */
  async whenComplete(signal: AbortSignal): Promise<void> {
    while (!this.#isComplete) await sleep(LOOK_AGAIN_MS, undefined, { signal });
  }
}
