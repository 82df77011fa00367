/**
 * Fuses words and vectors on one scale. Rank fusion would hide how much better the best hit is; convex sums of
 * calibrated scores keep it: Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", TOIS 42
 * (2023). Measurements of the constants: docs/benchmarks/memory.md.
 */
import { byRank, type Hit } from '../base/attributes.js';

/** Distribution of a query's cosines over all compared entries. */
export interface Spread {
  readonly entries: number;
  readonly mean: number;
  readonly deviation: number;
}

export interface WeightedHits {
  readonly hits: readonly Hit[];
  readonly weight: number;
}

/** The best word hit counts fully from this share of the best possible score on, and at least half. */
const FULL_COVERAGE = 0.4;
const LEAST_COVERAGE = 0.5;

/**
 * Word scores from 0 to 1: relative to the best hit, and lower if even that one lacks most of the query. `possible`:
 * the score of an average-length entry with every query word once.
 */
export function wordEvidence(hits: readonly Hit[], possible: number): Hit[] {
  const best = Math.max(0, ...hits.map(({ score }) => score));
  if (best === 0) return [];
  const coverage = possible === 0 ? 1 : between(LEAST_COVERAGE, best / possible / FULL_COVERAGE, 1);
  return hits.map((hit) => ({ ...hit, score: (coverage * hit.score) / best }));
}

/** A cosine this many deviations above the mean equals the best word hit. */
const FULL_DEVIATIONS = 4;
/** From this many entries on, only their own mean and deviation count; with none, 0 and this deviation. */
const ENOUGH = 20;
const ASSUMED_DEVIATION = 0.15;
/** Keeps every similar entry above those not found, and in order. */
const TRACE = 1e-6;

/**
 * Cosines relative to those of all entries: models differ in what they call similar, and so do sets of entries that all
 * name the same two people. `spread` is undefined if an external store returns only the best.
 */
export function vectorEvidence(hits: readonly Hit[], spread: Spread | undefined): Hit[] {
  const { mean, deviation } = spread === undefined ? ofTheBest(hits) : known(spread);
  return hits.map((hit) => {
    const above = deviation === 0 ? 0 : (hit.score - mean) / deviation / FULL_DEVIATIONS;
    return { ...hit, score: Math.max(0, above) + TRACE * (1 + hit.score) };
  });
}

/** The last hit gets 0, the first one as much as an outlier. */
function ofTheBest(hits: readonly Hit[]): Pick<Spread, 'mean' | 'deviation'> {
  const cosines = hits.map(({ score }) => score);
  const least = hits.length > 1 ? Math.min(...cosines) : 0;
  return { mean: least, deviation: (Math.max(...cosines, least) - least) / FULL_DEVIATIONS };
}

/** A few entries are no statistic: the fewer there are, the more the assumed spread counts. */
export function known({ entries, mean, deviation }: Spread): Pick<Spread, 'mean' | 'deviation'> {
  const share = Math.min(1, entries / ENOUGH);
  return { mean: share * mean, deviation: share * deviation + (1 - share) * ASSUMED_DEVIATION };
}

/** Up to this many deviations above 0 the mean is no evidence against the vectors; at FLAT it is full evidence. */
const SPREAD = 2;
const FLAT = 5;
/** The best hit is fully trusted if it exceeds the value expected by chance by this share. */
const STANDS_OUT = 0.5;

/**
 * From 0 to 1: how well a query's cosines distinguish the entries. To a model that does not know the language all
 * entries look alike: their mean is many deviations above 0. Some models find all texts alike in their own language
 * too; there the best hit exceeds the expected maximum of as many normal variates, about the square root of 2 ln n
 * deviations. If only the best are known, there is no evidence either way.
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

/** At most 0 up to the expected maximum of as many normal variates, 1 at half as much again. */
export function standsOut(deviations: number, entries: number): number {
  const byChance = Math.max(1, Math.sqrt(2 * Math.log(entries)));
  return (deviations / byChance - 1) / STANDS_OUT;
}

/** Best first; an entry in several lists gets the sum of its weighted scores. */
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
