/**
 * The last commit of the store, as a mark by which an answer that was kept is known to be what reading again would answer.
 * A store that counts its commits is looked at; another one is asked, which takes about as long as a short read.
 */
import type { RowStore } from '../../engine/rows/row-store.js';

export type Mark = string | number;
export type CommitSource = Pick<RowStore, 'commits' | 'lastCommit'>;

/** Milliseconds between two questions that nobody waits for. */
const PAUSE = 20;

export class LastCommit {
  readonly #store: CommitSource;
  /** What was told last. */
  #told: string | undefined;
  /** Whether it was told twice in a row. */
  #rests = false;
  #asksAgainAt = -Infinity;

  constructor(store: CommitSource) {
    this.#store = store;
  }

  /** What is read from now on is as new as this or newer. */
  get known(): Mark | undefined {
    return this.#store.commits ?? this.#told;
  }

  /**
   * Whether this is the last commit now. While one commit follows another, nobody waits for an answer that will be no: the
   * store is asked beside the reads, until it says the same twice.
   */
  isStill(mark: Mark): boolean | Promise<boolean> {
    if (this.#store.commits !== undefined) return this.#store.commits === mark;
    return this.#rests && this.#ask().then((last) => last === mark);
  }

  /** Finds out the last commit of a store that must be asked, for the reads that come. */
  lookLater(): void {
    if (this.#store.commits !== undefined || this.#rests) return;
    const now = performance.now();
    if (now < this.#asksAgainAt) return;
    this.#asksAgainAt = now + PAUSE;
    void this.#ask();
  }

  async #ask(): Promise<string | undefined> {
    // A store that does not answer this will say so to the read.
    const mark = await this.#store.lastCommit().catch(() => undefined);
    this.#rests = mark !== undefined && mark === this.#told;
    this.#told = mark;
    return mark;
  }
}
