import { nextTurn, turnIsOver } from './turns.js';

/**
 * Runs a few pieces of work at a time, of each key where `run` names one; the others wait in the order in which they
 * came. Those that waited leave the event loop its turns.
 */
export class Semaphore {
  /** What waits, by key. A key is here while work of it runs. */
  readonly #lanes = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  readonly #limit: number;
  readonly #bound: Bound | undefined;

  /** `limit` run at once; without a bound all others wait. */
  constructor(limit: number, bound?: Bound) {
    this.#limit = limit;
    this.#bound = bound;
  }

  async run<T>(work: () => Promise<T>, key = ''): Promise<T> {
    await this.#acquire(key);
    try {
      return await work();
    } finally {
      this.#release(key);
    }
  }

  async #acquire(key: string): Promise<void> {
    const lane = this.#lanes.get(key) ?? { running: 0, waiting: [] };
    this.#lanes.set(key, lane);
    if (lane.running < this.#limit) {
      lane.running += 1;
      return;
    }
    if (this.#bound !== undefined && lane.waiting.length >= this.#bound.queue) throw this.#bound.full();
    await new Promise<void>((resolve) => lane.waiting.push(resolve));
    if (turnIsOver()) await nextTurn();
  }

  /** Hands the place on to the first in the queue. */
  #release(key: string): void {
    const lane = this.#lanes.get(key);
    const next = lane?.waiting.shift();
    if (next !== undefined) next();
    else if (lane !== undefined && (lane.running -= 1) === 0) this.#lanes.delete(key);
  }
}

interface Bound {
  /** How many wait, of each key; `run` of one more throws what `full` makes. */
  readonly queue: number;
  readonly full: () => Error;
}
