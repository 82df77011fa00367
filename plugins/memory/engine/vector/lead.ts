/**
 * A first comparison by the leading numbers alone, where these hold most of the vectors, as in the built-in ones. A row
 * is compared in full when the rest could still lift it to the best ones: by what the rests add to the cosines of a
 * sample, generously taken, and at most by the product of their lengths.
 */
import type { Kept } from './best.js';
import { LEAD } from './layout.js';
import type { Sample } from './sample.js';
import type { Scan, Scanned } from './scan.js';
import type { Scorer } from './scorer.js';
import { moments, momentsOfSums } from './spread.js';

/** Where the rest may add more than this to a cosine, too many rows would stay. */
const MOST_REST = 0.3;
/** More than the upper bytes of a lead are off by. */
const ROUNDING = 0.01;
/** With so many no hit was lost, among the best 100 of 100,000: see docs/benchmarks/memory.md. */
const DEVIATIONS = 6;
/** The sample is asked for this many times the hits that are wanted, so that seldom fewer come. */
const AMPLE = 3;

/** Undefined: the leads do not tell. The spread is an estimate: what the rests add to it is that of the sample. */
export function byLead(
  scorer: Scorer,
  { query, rows, limit, restOfLed }: Scan,
  sample: Sample,
  inFull: (likely: Kept) => Kept,
): Scanned | undefined {
  const rest = restOf(query);
  const goal = sample.reachedBy(AMPLE * limit);
  // a row without a lead may be all rest
  if (query.length <= LEAD || rest * restOfLed > MOST_REST || rest >= goal - ROUNDING) return undefined;
  const leads = scorer.reaching(sample.rows, { leads: true, least: -Infinity });
  const added = sample.cosines.map((cosine, at) => cosine - leads.scores[at]!);
  const least = goal - Math.min(rest * restOfLed, mostAdded(added)) - ROUNDING;
  const likely = scorer.reaching(rows, { leads: true, least });
  if (likely.rows.length > rows.length / 2) return undefined;
  const found = inFull({ rows: likely.rows, scores: scorer.coarse(likely.rows) });
  // what has the goal is here; what is below may be elsewhere
  if (found.scores.length < limit || found.scores.some((score) => score < goal)) return undefined;
  const all = momentsOfSums(likely.all, leads.all, moments(sample.cosines));
  return { ...found, all, compared: 'leads' };
}

/** As much as the rests of a sample add, or so many deviations more than they do in the mean, if that is more. */
function mostAdded(added: Float32Array): number {
  const { mean, variance } = moments(added);
  return added.reduce((most, value) => Math.max(most, value), mean + DEVIATIONS * Math.sqrt(variance));
}

function restOf(query: Float32Array): number {
  let squares = 0;
  for (let at = LEAD; at < query.length; at++) squares += query[at]! ** 2;
  return Math.sqrt(squares);
}
