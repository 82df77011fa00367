/** Long work cut into turns of a few milliseconds, with the event loop between them, and one piece of work at a time. */
import { setImmediate as nextLoop } from 'node:timers/promises';

/** Milliseconds. */
const TURN = 4;

export class Turns {
  #began = performance.now();
  #last: Promise<unknown> = Promise.resolve();

  /** Whether this turn has lasted long enough: then the work awaits `next`. */
  get isOver(): boolean {
    return performance.now() - this.#began >= TURN;
  }

  async next(): Promise<void> {
    await nextLoop();
    this.#began = performance.now();
  }

  /** In the order of the calls: many callers at a time hold the event loop no longer than one. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => {
      if (this.isOver) await this.next();
      return work();
    });
    // The next one waits for the end, not for success.
    this.#last = done.catch(() => undefined);
    return done;
  }
}
