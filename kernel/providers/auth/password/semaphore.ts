/** Runs a few pieces of work at a time; the others queue. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  readonly #limit: number;
  readonly #queue: number;
  readonly #full: () => Error;
  #running = 0;

  /** `limit` run at once and `queue` wait; beyond that `run` throws what `full` makes. */
  constructor(limit: number, queue: number, full: () => Error) {
    this.#limit = limit;
    this.#queue = queue;
    this.#full = full;
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
    if (this.#waiting.length >= this.#queue) throw this.#full();
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Hands the place on to the first in the queue. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
