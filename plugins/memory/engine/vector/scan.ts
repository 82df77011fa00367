/** One scan: the best of a list of rows for a query, in the calling thread. */
import { best, type Kept } from './best.js';
import { bySketch, type FoundBySketch, type Sketched } from './by-sketch.js';
import { Sample } from './sample.js';
import type { Reaching, Scorer } from './scorer.js';
import type { Scanned } from './scanned.js';
import { moments } from './spread.js';

export interface Scan {
  /** Of length 1, padded. */
  readonly query: Float32Array;
  readonly rows: Int32Array;
  /** How many rows the matrix has, of other lists included. */
  readonly among: number;
  readonly limit: number;
  /** coarse: score all rows by their upper bytes, and the best of these again in full; sketched: see by-sketch.ts. */
  readonly precision: 'fine' | 'coarse' | 'sketched';
}

/** How many rows are scored again in full: at 100,000 x 384, recall against an all-float scan is 1.000. */
const RESCORED = 80;
const RESCORED_PER_HIT = 4;
/** From here on a sample shows which rows are worth keeping. */
const SAMPLED_FROM = 16_384;
/** All sketches of a matrix are looked at: where fewer of its rows than this share are asked for, that is a waste. */
const LEAST_SHARE = 1 / 8;
/** The sample is asked for this many times the rows that are wanted, so that seldom fewer come. */
const AMPLE = 2;

/** Whether comparing the sketches of all rows of a matrix is worth while for these. */
export function isSketched(rows: number, among: number): boolean {
  return rows >= SAMPLED_FROM && rows >= LEAST_SHARE * among;
}

/** Undefined: the sketches do not tell. */
export function scanSketches(scorer: Scorer, asked: Sketched): FoundBySketch | undefined {
  return bySketch(scorer, asked, inFull(scorer, asked));
}

export function scan(scorer: Scorer, asked: Scan): Scanned {
  const { rows, limit, precision } = asked;
  if (precision === 'fine') {
    const cosines = scorer.fine(rows);
    return { ...best(rows, cosines, limit), all: moments(cosines), compared: 'all' };
  }
  const sketched = precision === 'sketched' ? scanSketches(scorer, listed(asked)) : undefined;
  return sketched ?? mostLikely(scorer, asked) ?? every(scorer, asked);
}

function listed({ rows, among, limit }: Scan): Sketched {
  const isListed = new Uint8Array(among);
  for (let at = 0; at < rows.length; at++) isListed[rows[at]!] = 1;
  return { among, limit, passes: (row) => isListed[row] === 1 };
}

type InFull = (likely: Kept) => Kept;

/** Scores the best of rows again, by all of their bytes. */
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

/** Undefined: few rows, or fewer than wanted reach what the sample made expect. */
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
  return { ...finish(found), all: found.all, compared: 'all' };
}
