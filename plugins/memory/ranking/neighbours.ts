/**
 * Entries of one session in order lend their score to their neighbours: what answers a question often stands
 * one turn beside the words that match it.
 */
import { byRank, type Hit } from '../attributes.js';

/** An episodic entry beside another in its session. */
export interface Neighbour {
  readonly id: string;
  readonly createdAt: number;
  /** Places after (positive) or before (negative) the entry asked about: -2, -1, 1 or 2. */
  readonly distance: number;
}

/** The share of its score that a hit lends: 0.4 to the entry after it, 0.2 to the one before, 0.1 two away. */
const SHARES: Readonly<Record<number, number>> = { [-2]: 0.1, [-1]: 0.2, 1: 0.4, 2: 0.1 };

/** Adds to each hit's neighbours their share of its score; a neighbour that was no hit becomes one. Best first. */
export function smooth(hits: readonly Hit[], neighboursOf: (id: string) => readonly Neighbour[]): Hit[] {
  const smoothed = new Map(hits.map((hit) => [hit.id, hit]));
  for (const hit of hits) {
    for (const { id, createdAt, distance } of neighboursOf(hit.id)) {
      const score = (smoothed.get(id)?.score ?? 0) + hit.score * (SHARES[distance] ?? 0);
      smoothed.set(id, { id, score, createdAt });
    }
  }
  return [...smoothed.values()].sort(byRank);
}
