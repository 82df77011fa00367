/** How well one entry answers a query, from 0 to 1, independent of other hits; `minScore` is compared with it. */
import { between, known, standsOut, type Spread } from './fusion.js';

export interface Evidence {
  /** BM25+ score; null: none of the words, or not among the best. */
  readonly words: number | null;
  /** Score of an average-length entry with every query word once. */
  readonly possible: number;
  readonly cosine: number | null;
  /** Of the cosines of all entries; undefined if an external store returns only the best. */
  readonly spread: Spread | undefined;
}

/** The maximum of two: the share of the query's words, and how far the cosine exceeds chance. */
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
