/** Releases of acquired resources: last in, first out, each with a deadline, all of them even when one fails. */
import { withDeadline } from './deadline.js';

export class Cleanup {
  readonly #releases: (() => unknown)[] = [];
  readonly #deadline: number;
  readonly #failed: (error: unknown) => void;
  #over = false;

  /** `deadline` in milliseconds is each release's own; `failed` is told of each that throws or takes longer. */
  constructor(deadline: number, failed: (error: unknown) => void) {
    this.#deadline = deadline;
    this.#failed = failed;
  }

  /** Registers a release. After `run` it runs at once: the resource was acquired too late to be used. */
  add(release: () => unknown): void {
    if (this.#over) void this.#release(release);
    else this.#releases.push(release);
  }

  /** Runs the releases and forgets them: a second call does nothing. Never throws. */
  async run(): Promise<void> {
    this.#over = true;
    for (let release = this.#releases.pop(); release !== undefined; release = this.#releases.pop())
      await this.#release(release);
  }

  async #release(release: () => unknown): Promise<void> {
    const late = (): Error => new Error(`a release did not end within ${this.#deadline} ms`);
    try {
      await withDeadline(async () => release(), this.#deadline, late);
    } catch (error) {
      this.#failed(error);
    }
  }
}
