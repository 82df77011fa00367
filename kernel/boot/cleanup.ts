/**
 * Releases of acquired resources: last in, first out over all owners, each with a deadline, all of them even when
 * one fails.
 */
import { withDeadline } from './deadline.js';

interface Release {
  readonly owner: string;
  readonly run: () => unknown;
}

export class Cleanup {
  readonly #releases: Release[] = [];
  readonly #gone = new Set<string>();
  readonly #deadline: number;
  readonly #failed: (owner: string, error: unknown) => void;
  #over = false;

  /** `deadline` in milliseconds is each release's own; `failed` is called for each that throws or takes longer. */
  constructor(deadline: number, failed: (owner: string, error: unknown) => void) {
    this.#deadline = deadline;
    this.#failed = failed;
  }

  /** Registers a release. Runs it at once if the owner is already released: the resource came too late to be used. */
  add(owner: string, run: () => unknown): void {
    if (this.#over || this.#gone.has(owner)) void this.#release({ owner, run });
    else this.#releases.push({ owner, run });
  }

  /** Runs the releases of `owner`, or of everyone, and forgets them: a second call does nothing. Never throws. */
  async run(owner?: string): Promise<void> {
    if (owner === undefined) this.#over = true;
    else this.#gone.add(owner);
    for (let at = this.#releases.length - 1; at >= 0; at -= 1) {
      const release = this.#releases[at];
      if (release === undefined || (owner !== undefined && release.owner !== owner)) continue;
      this.#releases.splice(at, 1);
      await this.#release(release);
    }
  }

  async #release({ owner, run }: Release): Promise<void> {
    const late = (): Error => new Error(`a release did not end within ${this.#deadline} ms`);
    try {
      await withDeadline(async () => run(), this.#deadline, late);
    } catch (error) {
      this.#failed(owner, error);
    }
  }
}
