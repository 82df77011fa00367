/** One timer for the limits of all calls: a timer per call would cost more than all else that limits do. */

/** Milliseconds by which a limit may be passed. */
const EVERY = 20;

export interface Limited {
  check(now: number): void;
}

export class LimitTimer {
  readonly #limited = new Set<Limited>();
  #timer: NodeJS.Timeout | undefined;

  add(limited: Limited): void {
    this.#limited.add(limited);
    this.#timer ??= setInterval(() => this.#look(), EVERY);
  }

  remove(limited: Limited): void {
    this.#limited.delete(limited);
  }

  #look(): void {
    const now = performance.now();
    for (const limited of this.#limited) limited.check(now);
    if (this.#limited.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
