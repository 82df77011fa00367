/** Runs a few pieces of work at a time; the others wait in the order in which they came. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  readonly #limit: number;
  readonly #bound: Bound | undefined;
  #running = 0;

  /** `limit` run at once; without a bound all others wait. */
  constructor(limit: number, bound?: Bound) {
    this.#limit = limit;
    this.#bound = bound;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#acquire();
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  async #acquire(): Promise<void> {
    if (this.#running < this.#limit) {
      this.#running += 1;
      return;
    }
    if (this.#bound !== undefined && this.#waiting.length >= this.#bound.queue) throw this.#bound.full();
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Hands the place on to the first in the queue. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}

interface Bound {
  /** How many wait; `run` of one more throws what `full` makes. */
  readonly queue: number;
  readonly full: () => Error;
}
