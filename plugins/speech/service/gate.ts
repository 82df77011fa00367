/** How many calls are spoken at a time, and how many wait for their turn. */

interface Waiting {
  enter(): void;
}

export class Gate {
  readonly #active: number;
  readonly #queue: number;
  readonly #waiting: Waiting[] = [];
  #inside = 0;

  constructor(active: number, queue: number) {
    this.#active = active;
    this.#queue = queue;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Undefined when the queue is full. Otherwise a turn, or a rejection with the reason of the aborted `signal`. */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> | undefined {
    if (this.#inside >= this.#active && this.#waiting.length >= this.#queue) return undefined;
    return this.#turn(signal).then(() => work().finally(() => this.#leave()));
  }

  #turn(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    if (this.#inside < this.#active) {
      this.#inside += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        enter: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
    });
  }

  /** Hands the place to the longest waiter. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#inside -= 1;
    else next.enter();
  }
}
