/** Reciprocal rank fusion: Cormack, Clarke and Buettcher, SIGIR 2009. */
import { byRank, type Hit } from '../attributes.js';

/** The rank constant of the paper. */
export const RRF_K = 60;

export interface WeightedHits {
  /** Best first. */
  readonly hits: readonly Hit[];
  readonly weight: number;
}

/** Hits of several rankings by the sum of weight / (k + rank), ranks from 1; best first. */
export function fuse(rankings: readonly WeightedHits[], k = RRF_K): Hit[] {
  const fused = new Map<string, Hit>();
  for (const { hits, weight } of rankings) {
    hits.forEach(({ id, createdAt }, at) => {
      const score = (fused.get(id)?.score ?? 0) + weight / (k + at + 1);
      fused.set(id, { id, score, createdAt });
    });
  }
  return [...fused.values()].sort(byRank);
}

/** Hits of at least a score; undefined asks for nothing. */
export function atLeast(hits: readonly Hit[], minScore: number | undefined): Hit[] {
  return hits.filter((hit) => minScore === undefined || hit.score >= minScore);
}
