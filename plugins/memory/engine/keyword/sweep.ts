/** How dead documents are taken out of the posting lists of a pool. */

/** A sweep begins when the dead documents are this many and a quarter of all. */
export const SWEEP_FROM = 64;
/** A sweep is over after as many more deletions as make a sixteenth of the documents at its begin. */
export const SHARES = 16;
/** What a list costs a sweep beside its postings, counted in these. */
export const LIST_COST = 4;

/**
 * One pass over the posting lists that takes the dead documents out of them. Every deletion does a share of it, so
 * that none holds the event loop for long: a share of a pool of 100,000 takes microseconds.
 */
export interface Sweep {
  /** The list that comes next, and the one at which the sweep ends. */
  next: number;
  readonly end: number;
  /** Dead when the sweep began: their numbers are free after it. */
  readonly dead: readonly number[];
  /** Postings that one deletion looks at. */
  readonly share: number;
  /** Postings that may still be looked at; below 0 after a long list. */
  credit: number;
}
