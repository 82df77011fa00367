/** Removes dead documents from the posting lists of a pool. */

/** A sweep starts when there are this many dead documents and they are a quarter of all. */
const SWEEP_FROM = 64;
/** A sweep ends after a number of deletions equal to a sixteenth of the documents at its start. */
const SHARES = 16;
/** Fixed cost of a list in a sweep, in postings. */
const LIST_COST = 4;

/**
 * One pass over the posting lists that removes dead documents. Every deletion does a share of it, so that none blocks
 * the event loop for long: a share of a pool of 100,000 takes microseconds.
 */
export class Sweep {
  /** Dead when the sweep started; their numbers are free after it. */
  readonly dead: readonly number[];
  readonly #lists: number;
  /** Postings visited per deletion. */
  readonly #share: number;
  /** Postings left to visit; negative after a long list. */
  #credit = 0;
  #next = 0;

  constructor(
    dead: readonly number[],
    all: number,
    postings: { readonly size: number; readonly lists: number },
  ) {
    this.dead = dead;
    this.#lists = postings.lists;
    this.#share = Math.ceil((SHARES * (postings.size + LIST_COST * postings.lists)) / all);
  }

  static isDue(dead: number, all: number): boolean {
    return dead >= SWEEP_FROM && dead * 4 >= all;
  }

  /** Does a share; `sweepList` returns the number of postings it visited. True: the sweep is complete. */
  advance(sweepList: (list: number) => number): boolean {
    this.#credit += this.#share;
    while (this.#credit > 0 && this.#next < this.#lists) this.#credit -= LIST_COST + sweepList(this.#next++);
    return this.#next === this.#lists;
  }
}
