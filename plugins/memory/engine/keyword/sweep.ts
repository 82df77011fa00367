/** How dead documents are taken out of the posting lists of a pool. */

/** A sweep begins when the dead documents are this many and a quarter of all. */
const SWEEP_FROM = 64;
/** A sweep is over after as many more deletions as make a sixteenth of the documents at its begin. */
const SHARES = 16;
/** The fixed cost of a list in a sweep, counted in postings. */
const LIST_COST = 4;

/**
 * One pass over the posting lists that takes the dead documents out of them. Every deletion does a share of it, so
 * that none holds the event loop for long: a share of a pool of 100,000 takes microseconds.
 */
export class Sweep {
  /** Dead when the sweep began: their numbers are free after it. */
  readonly dead: readonly number[];
  readonly #lists: number;
  /** Postings that one deletion looks at. */
  readonly #share: number;
  /** Postings that may still be looked at; below 0 after a long list. */
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

  /** Does a share; `sweepList` answers how many postings it looked at. True: the sweep is over. */
  advance(sweepList: (list: number) => number): boolean {
    this.#credit += this.#share;
    while (this.#credit > 0 && this.#next < this.#lists) this.#credit -= LIST_COST + sweepList(this.#next++);
    return this.#next === this.#lists;
  }
}
