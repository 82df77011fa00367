/**
 * A first comparison by sketches: the rows whose estimates are highest show how high the best cosines are at least, and
 * what could still reach them, by how far the estimates of a sample are off, is compared in full.
 */
import { nthLargest, type Kept } from './best.js';
import { BLOCK_ROWS } from './layout.js';
import type { Scanned } from './scanned.js';
import type { Scorer } from './scorer.js';
import { scattered } from './sample.js';
import { moments, momentsOfSums, type Moments } from './spread.js';

export interface Sketched {
  /** How many rows the matrix has. */
  readonly among: number;
  /** Which of them are asked for. */
  readonly passes: (row: number) => boolean;
  readonly limit: number;
}

export interface FoundBySketch extends Scanned {
  /** The share of the rows that pass, by a sample. */
  readonly passing: number;
}

/** Blocks whose estimates are looked at first, and of how many of their rows one is compared in full. */
const SAMPLED_BLOCKS = 24;
const SAMPLED_EVERY = 4;
/** With fewer rows that pass in these blocks nothing can be said. */
const LEAST_SAMPLE = 1_024;
/** The share of the rows that are kept by their estimates at first, and the most: with more, comparing all is as fast. */
const KEPT = 0.04;
const MOST_KEPT = 0.15;
/** Compared first: so many of the rows that are wanted. */
const AMPLE = 2;
/** With so many no hit was lost, among the best 100 of 100,000: see docs/benchmarks/memory.md. */
const DEVIATIONS = 6;

/** Undefined: the sketches do not tell. The spread is an estimate: what the sketches are off by is that of a sample. */
export function bySketch(
  scorer: Scorer,
  asked: Sketched,
  inFull: (likely: Kept) => Kept,
): FoundBySketch | undefined {
  const sample = sampled(scorer, asked);
  if (sample === undefined) return undefined;
  const blocks = Math.ceil(asked.among / BLOCK_ROWS);
  const estimated = (least: number) => {
    const { rows, scores, all } = scorer.sketched({ block: 0, blocks, rows: asked.among, least });
    return { ...passing({ rows, scores }, asked), all };
  };
  const low = reachedBy(sample.estimates, KEPT);
  let kept = estimated(low);
  if (kept.rows.length < AMPLE * asked.limit) return undefined;
  const first = reaching(kept, nthLargest(kept.scores, AMPLE * asked.limit));
  const least = nthLargest(scorer.coarse(first), asked.limit) - sample.off;
  if (least < low) {
    if (least < reachedBy(sample.estimates, MOST_KEPT)) return undefined;
    kept = estimated(least);
  }
  const likely = reaching(kept, least);
  const found = inFull({ rows: likely, scores: scorer.coarse(likely) });
  const all = sample.share === 1 ? momentsOfSums(kept.all, sample.compared, sample.cosines) : sample.cosines;
  return { ...found, all, compared: 'sketches', passing: sample.share };
}

interface Sample {
  /** Of the rows of the sampled blocks that pass. */
  readonly estimates: Float32Array;
  /** The share of these rows. */
  readonly share: number;
  /** Of the cosines of some of them, and of their estimates. */
  readonly cosines: Moments;
  readonly compared: Moments;
  /** Cosines are at most so much above their estimates. */
  readonly off: number;
}

/** Undefined: too few of the rows pass. */
function sampled(scorer: Scorer, asked: Sketched): Sample | undefined {
  const whole = Math.floor(asked.among / BLOCK_ROWS);
  const step = whole / SAMPLED_BLOCKS;
  if (step < 1) return undefined;
  const rows = new Int32Array(SAMPLED_BLOCKS * BLOCK_ROWS);
  const estimates = new Float32Array(rows.length);
  let size = 0;
  for (let at = 0; at < SAMPLED_BLOCKS; at++) {
    const block = Math.min(whole - 1, Math.floor((at + scattered(at)) * step));
    const all = scorer.sketched({ block, blocks: 1, rows: BLOCK_ROWS, least: -Infinity });
    const kept = passing(all, asked);
    rows.set(kept.rows, size);
    estimates.set(kept.scores, size);
    size += kept.rows.length;
  }
  if (size < LEAST_SAMPLE) return undefined;
  const some = Math.floor(size / SAMPLED_EVERY);
  const compared = { rows: new Int32Array(some), scores: new Float32Array(some) };
  for (let at = 0; at < some; at++) {
    const place = Math.floor((at + scattered(at)) * SAMPLED_EVERY);
    compared.rows[at] = rows[place]!;
    compared.scores[at] = estimates[place]!;
  }
  const cosines = scorer.coarse(compared.rows);
  return {
    estimates: estimates.subarray(0, size),
    share: size / rows.length,
    cosines: moments(cosines),
    compared: moments(compared.scores),
    off: mostOff(cosines, compared.scores),
  };
}

/** What so many of the values reach, or more do; a share from 0 to 1. */
function reachedBy(values: Float32Array, share: number): number {
  return nthLargest(values, Math.ceil(values.length * share));
}

function passing({ rows, scores }: Kept, { among, passes }: Sketched): Kept {
  let size = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    if (row >= among || !passes(row)) continue;
    rows[size] = row;
    scores[size++] = scores[at]!;
  }
  return { rows: rows.subarray(0, size), scores: scores.subarray(0, size) };
}

function reaching({ rows, scores }: Kept, least: number): Int32Array {
  const found = new Int32Array(rows.length);
  let size = 0;
  for (let at = 0; at < rows.length; at++) if (scores[at]! >= least) found[size++] = rows[at]!;
  return found.subarray(0, size);
}

/** How far cosines are above their estimates at most, of all but a few in millions if they were normal. */
function mostOff(cosines: Float32Array, estimates: Float32Array): number {
  const off = new Float32Array(cosines.length);
  for (let at = 0; at < off.length; at++) off[at] = cosines[at]! - estimates[at]!;
  const { mean, variance } = moments(off);
  return mean + DEVIATIONS * Math.sqrt(variance);
}
