/** How well one entry answers a query, from 0 to 1, whatever else is found: what `minScore` is compared with. */
import { between, known, standsOut, type Spread } from './fusion.js';

export interface Evidence {
  /** BM25+ of the entry; null: none of the words, or not among the best. */
  readonly words: number | null;
  /** The score of an entry of average length that has every word of the query once. */
  readonly possible: number;
  readonly cosine: number | null;
  /** Of the cosines of all entries; undefined: an external store tells the best ones alone. */
  readonly spread: Spread | undefined;
}

/** The better of two: the share of the query's words, and how far the cosine is above chance. */
export function relevanceOf({ words, possible, cosine, spread }: Evidence): number {
  const byWords = words === null || possible === 0 ? 0 : words / possible;
  return between(0, Math.max(byWords, byVector(cosine, spread)), 1);
}

function byVector(cosine: number | null, spread: Spread | undefined): number {
  if (cosine === null) return 0;
  if (spread === undefined) return cosine;
  const { mean, deviation } = known(spread);
  return deviation === 0 ? 0 : standsOut((cosine - mean) / deviation, spread.entries);
}
