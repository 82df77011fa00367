/**
 * Entries of one session in order lend their score to their neighbours, and a session that answers well lifts all of
 * its entries: what answers a question often stands a few turns beside the words that match it.
 */
import { byRank, type Hit } from '../base/attributes.js';

/** An episodic entry beside another in its session. */
export interface Neighbour {
  readonly id: string;
  readonly createdAt: number;
  /** Places after (positive) or before (negative) the entry asked about, at most `REACH`. */
  readonly distance: number;
}

/** What a hit lends to the entries after it and before it, the nearest first, as shares of its score. */
const AFTER = [0.5, 0.25, 0.12];
const BEFORE = [0.35, 0.2, 0.1];
export const REACH = 3;

/** What the best entry of a session adds to each hit of that session, as a share of its score. */
const SESSION_SHARE = 0.4;

/** Adds to each hit's neighbours their share of its score; a neighbour that was no hit becomes one. Best first. */
export function smooth(hits: readonly Hit[], neighboursOf: (id: string) => readonly Neighbour[]): Hit[] {
  const smoothed = new Map(hits.map((hit) => [hit.id, hit]));
  for (const hit of hits) {
    for (const { id, createdAt, distance } of neighboursOf(hit.id)) {
      const shares = distance > 0 ? AFTER : BEFORE;
      const lent = hit.score * (shares[Math.abs(distance) - 1] ?? 0);
      smoothed.set(id, { id, score: (smoothed.get(id)?.score ?? 0) + lent, createdAt });
    }
  }
  return [...smoothed.values()].sort(byRank);
}

/** Adds to each hit a share of the best one of its session; a hit of no session is one by itself. Best first. */
export function liftSessions(hits: readonly Hit[], sessionOf: (id: string) => string | undefined): Hit[] {
  const best = new Map<string, number>();
  for (const { id, score } of hits) {
    const session = sessionOf(id);
    if (session !== undefined) best.set(session, Math.max(best.get(session) ?? 0, score));
  }
  return hits
    .map((hit) => {
      const session = sessionOf(hit.id);
      const lift = session === undefined ? hit.score : (best.get(session) ?? 0);
      return { ...hit, score: hit.score + SESSION_SHARE * lift };
    })
    .sort(byRank);
}
