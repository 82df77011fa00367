/** One scan: the best rows of a list for a query, in the calling thread. */
import { best, type Kept } from './best.js';
import { Sample } from './sample.js';
import type { Reaching, Scorer } from './scorer.js';
import type { Scanned } from './scanned.js';
import { moments } from './spread.js';

export interface Scan {
  /** Unit length, padded. */
  readonly query: Float32Array;
  readonly rows: Int32Array;
  readonly limit: number;
  /** coarse: scores all rows by their upper bytes, then the best of them again in full. */
  readonly precision: 'fine' | 'coarse';
}

/** Rows scored again in full: at 100,000 x 384, recall against an all-float scan is 1.000. */
const RESCORED = 80;
const RESCORED_PER_HIT = 4;
/** From this many rows on, a sample is used to find the rows worth keeping. */
const SAMPLED_FROM = 16_384;
/** The threshold aims at this many times the rows wanted, so that there are rarely too few. */
const AMPLE = 2;

export function scan(scorer: Scorer, asked: Scan): Scanned {
  const { rows, limit, precision } = asked;
  if (precision === 'fine') {
    const cosines = scorer.fine(rows);
    return { ...best(rows, cosines, limit), all: moments(cosines) };
  }
  return mostLikely(scorer, asked) ?? every(scorer, asked);
}

type InFull = (likely: Kept) => Kept;

/** Rescores the best rows by all of their bytes. */
function inFull(scorer: Scorer, { limit }: Pick<Scan, 'limit'>): InFull {
  return (likely) => {
    const again = best(likely.rows, likely.scores, rescored(limit)).rows;
    return best(again, scorer.fine(again), limit);
  };
}

function rescored(limit: number): number {
  return Math.max(RESCORED, RESCORED_PER_HIT * limit);
}

function every(scorer: Scorer, asked: Scan): Scanned {
  return finished(scorer.reaching(asked.rows, -Infinity), inFull(scorer, asked));
}

/** Undefined: there are few rows, or fewer than wanted reach the threshold from the sample. */
function mostLikely(scorer: Scorer, asked: Scan): Scanned | undefined {
  const { rows, limit } = asked;
  if (rows.length < SAMPLED_FROM) return undefined;
  const wanted = rescored(limit);
  const found = scorer.reaching(rows, new Sample(scorer, rows).reachedBy(AMPLE * wanted));
  return found.rows.length < Math.min(wanted, rows.length)
    ? undefined
    : finished(found, inFull(scorer, asked));
}

function finished(found: Reaching, finish: InFull): Scanned {
  return { ...finish(found), all: found.all };
}
