/**
 * Words and vectors on one scale, and their sum. Ranks would not do: they hide by how much the best is better. Convex
 * sums of calibrated scores keep it: Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval",
 * TOIS 42 (2023). docs/benchmarks/memory.md has the measurements of the constants.
 */
import { byRank, type Hit } from '../base/attributes.js';

/** The cosines of a query with all the entries that were compared. */
export interface Spread {
  readonly entries: number;
  readonly mean: number;
  readonly deviation: number;
}

export interface WeightedHits {
  readonly hits: readonly Hit[];
  readonly weight: number;
}

/** The best hit by words counts fully from this share of the best possible score on, and half as much at the least. */
const FULL_COVERAGE = 0.4;
const LEAST_COVERAGE = 0.5;

/**
 * Hits by words from 0 to 1: relative to the best one, and less where even that one lacks much of the query.
 * `possible` is the score of an entry of average length that has every word of the query once.
 */
export function wordEvidence(hits: readonly Hit[], possible: number): Hit[] {
  const best = Math.max(0, ...hits.map(({ score }) => score));
  if (best === 0) return [];
  const coverage = possible === 0 ? 1 : between(LEAST_COVERAGE, best / possible / FULL_COVERAGE, 1);
  return hits.map((hit) => ({ ...hit, score: (coverage * hit.score) / best }));
}

/** A cosine this many deviations above the mean is as good as the best hit by words. */
const FULL_DEVIATIONS = 4;
/** From this many entries on, their own mean and deviation are all that counts; of none, 0 and this one. */
const ENOUGH = 20;
const ASSUMED_DEVIATION = 0.15;
/** Keeps what is similar at all above what was not found, and in its order. */
const TRACE = 1e-6;

/**
 * Cosines by how far they stand out among those of all entries: models differ in what they call similar, and so do
 * entries that all name the same two people. Undefined: an external store tells the best ones alone.
 */
export function vectorEvidence(hits: readonly Hit[], spread: Spread | undefined): Hit[] {
  const { mean, deviation } = spread === undefined ? ofTheBest(hits) : known(spread);
  return hits.map((hit) => {
    const above = deviation === 0 ? 0 : (hit.score - mean) / deviation / FULL_DEVIATIONS;
    return { ...hit, score: Math.max(0, above) + TRACE * (1 + hit.score) };
  });
}

/** The last of them is 0, and the first as good as one that stands out. */
function ofTheBest(hits: readonly Hit[]): Pick<Spread, 'mean' | 'deviation'> {
  const cosines = hits.map(({ score }) => score);
  const least = hits.length > 1 ? Math.min(...cosines) : 0;
  return { mean: least, deviation: (Math.max(...cosines, least) - least) / FULL_DEVIATIONS };
}

/** Of few entries nothing can be said: the fewer they are, the more of the assumed spread. */
export function known({ entries, mean, deviation }: Spread): Pick<Spread, 'mean' | 'deviation'> {
  const share = Math.min(1, entries / ENOUGH);
  return { mean: share * mean, deviation: share * deviation + (1 - share) * ASSUMED_DEVIATION };
}

/** A mean this many deviations above 0 says nothing against the vectors, and from here on all there is to say. */
const SPREAD = 2;
const FLAT = 5;
/** The best is believed fully when it stands out by this share more than chance alone would have it. */
const STANDS_OUT = 0.5;

/**
 * From 0 to 1: how well a query's cosines tell the entries apart. To a model that does not know the language all
 * entries are alike: their mean lies many deviations above 0. Some models find all texts alike in their own language
 * too; there the best stands out more than the best of as many normal numbers, which is at about the square root
 * of 2 ln n deviations. Where only the best are known, nothing speaks for it nor against it.
 */
export function trust(hits: readonly Hit[], spread: Spread | undefined): number {
  if (spread === undefined) return 0.5;
  if (spread.entries < 2) return 1;
  const { mean, deviation } = known(spread);
  if (deviation === 0) return 1;
  const apart = (FLAT - mean / deviation) / (FLAT - SPREAD);
  const best = Math.max(mean, ...hits.map(({ score }) => score));
  return between(0, Math.max(apart, standsOut((best - mean) / deviation, spread.entries)), 1);
}

/** 0 or less for what the best of as many normal numbers reaches by chance, 1 for what is beyond it by half as much. */
export function standsOut(deviations: number, entries: number): number {
  const byChance = Math.max(1, Math.sqrt(2 * Math.log(entries)));
  return (deviations / byChance - 1) / STANDS_OUT;
}

/** Best first; an entry of several lists has the sum of its weighted scores. */
export function fuse(lists: readonly WeightedHits[]): Hit[] {
  const fused = new Map<string, Hit>();
  for (const { hits, weight } of lists) {
    for (const { id, createdAt, score } of hits) {
      fused.set(id, { id, createdAt, score: (fused.get(id)?.score ?? 0) + weight * score });
    }
  }
  return [...fused.values()].sort(byRank);
}

export function between(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
