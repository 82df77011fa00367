/** One scan: the best of a list of rows for a query, in the calling thread. */
import { best, type Kept } from './best.js';
import { byLead } from './lead.js';
import { Sample } from './sample.js';
import type { Reaching, Scorer } from './scorer.js';
import { moments, type Moments } from './spread.js';

export interface Scan {
  /** Of length 1, padded. */
  readonly query: Float32Array;
  readonly rows: Int32Array;
  readonly limit: number;
  /** coarse: score all rows by their upper bytes, and the best of these again in full. */
  readonly precision: 'fine' | 'coarse';
  /** See `Matrix`. */
  readonly restOfLed: number;
}

export interface Scanned extends Kept {
  /** Of the cosines of all rows, those that were not kept included. */
  readonly all: Moments;
  /** What all rows were compared by. */
  readonly compared: 'leads' | 'all';
}

/** How many rows are scored again in full: at 100,000 x 384, recall against an all-float scan is 1.000. */
const RESCORED = 80;
const RESCORED_PER_HIT = 4;
/** From here on a sample shows which rows are worth keeping. */
const SAMPLED_FROM = 16_384;
/** The sample is asked for this many times the rows that are wanted, so that seldom fewer come. */
const AMPLE = 2;

export function scan(scorer: Scorer, asked: Scan): Scanned {
  const { rows, limit } = asked;
  if (asked.precision === 'fine') {
    const cosines = scorer.fine(rows);
    return { ...best(rows, cosines, limit), all: moments(cosines), compared: 'all' };
  }
  const rescored = Math.max(RESCORED, RESCORED_PER_HIT * limit);
  const inFull = (likely: Kept): Kept => {
    const again = best(likely.rows, likely.scores, rescored).rows;
    return best(again, scorer.fine(again), limit);
  };
  if (rows.length < SAMPLED_FROM) return every(scorer, asked, inFull);
  const sample = new Sample(scorer, rows);
  return (
    byLead(scorer, asked, sample, inFull) ??
    mostLikely(scorer, asked, sample, rescored, inFull) ??
    every(scorer, asked, inFull)
  );
}

type InFull = (likely: Kept) => Kept;

function every(scorer: Scorer, { rows }: Scan, inFull: InFull): Scanned {
  return finished(scorer.reaching(rows, { leads: false, least: -Infinity }), inFull);
}

/** Undefined: fewer than wanted reach what the sample made expect. */
function mostLikely(
  scorer: Scorer,
  { rows }: Scan,
  sample: Sample,
  rescored: number,
  inFull: InFull,
): Scanned | undefined {
  const least = sample.reachedBy(AMPLE * rescored);
  const found = scorer.reaching(rows, { leads: false, least });
  return found.rows.length < Math.min(rescored, rows.length) ? undefined : finished(found, inFull);
}

function finished(found: Reaching, inFull: InFull): Scanned {
  return { ...inFull(found), all: found.all, compared: 'all' };
}
