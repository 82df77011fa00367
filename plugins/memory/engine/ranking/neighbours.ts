/**
 * Entries of one session in order lend their score to their neighbours, and a session that answers well lifts all of
 * its entries: what answers a question is often a few turns away from the words that match it. A turn that asks is
 * seldom the answer, the one after it often is.
 */
import { byRank, type Hit } from '../base/attributes.js';
import { speakerIn, type TurnText } from './turn.js';

/** An episodic entry near another in its session. */
export interface Neighbour {
  readonly id: string;
  readonly createdAt: number;
  /** Places after (positive) or before (negative) the entry asked about, at most `REACH`. */
  readonly distance: number;
}

/** An episodic entry in its session. */
export interface Place extends TurnText {
  /** What the session is called here. */
  readonly session: string;
}

export interface Conversations {
  /** Undefined: the entry has no session, or is not episodic. */
  place(id: string): Place | undefined;
  neighbours(id: string): readonly Neighbour[];
}

/** What a hit lends to the entries after it and before it, the nearest first, as shares of its score. */
const AFTER = [0.5, 0.25, 0.12];
const BEFORE = [0.35, 0.2, 0.1];
export const REACH = 3;
/** The same of a hit that asks, to the turns next to it, and what it keeps itself. */
const AFTER_ASKING = 0.8;
const BEFORE_ASKING = 0.2;
const OF_ASKING = 0.6;

/** What the best entry of a session adds to each hit of that session, as a share of its score. */
const SESSION_SHARE = 0.3;

/** A turn of so many tokens counts fully, an empty one this much: "Really?" has many neighbours and says nothing. */
const FULL_TOKENS = 15;
const OF_EMPTY = 0.7;
/** What counts more when the query names the one who says it. */
const OF_NAMED = 1.3;

/** The hits, reranked by the conversations they belong to. Best first. */
export function inConversations(hits: readonly Hit[], conversations: Conversations, query: string): Hit[] {
  return weigh(liftSessions(smooth(hits, conversations), conversations), conversations, query);
}

/** Adds to each hit's neighbours their share of its score; a neighbour that was no hit becomes one. */
export function smooth(hits: readonly Hit[], conversations: Conversations): Hit[] {
  const asking = (id: string): boolean => conversations.place(id)?.asks === true;
  const smoothed = new Map(
    hits.map((hit) => [hit.id, asking(hit.id) ? { ...hit, score: hit.score * OF_ASKING } : hit]),
  );
  for (const hit of hits) {
    const asks = asking(hit.id);
    for (const { id, createdAt, distance } of conversations.neighbours(hit.id)) {
      const lent = hit.score * shareAt(distance, asks);
      smoothed.set(id, { id, score: (smoothed.get(id)?.score ?? 0) + lent, createdAt });
    }
  }
  return [...smoothed.values()];
}

function shareAt(distance: number, asks: boolean): number {
  if (asks && distance === 1) return AFTER_ASKING;
  if (asks && distance === -1) return BEFORE_ASKING;
  return (distance > 0 ? AFTER : BEFORE)[Math.abs(distance) - 1] ?? 0;
}

/** Adds to each hit a share of the best one of its session; a hit of no session is one by itself. */
export function liftSessions(hits: readonly Hit[], conversations: Conversations): Hit[] {
  const best = new Map<string, number>();
  for (const { id, score } of hits) {
    const session = conversations.place(id)?.session;
    if (session !== undefined) best.set(session, Math.max(best.get(session) ?? 0, score));
  }
  return hits.map((hit) => {
    const session = conversations.place(hit.id)?.session;
    const lift = session === undefined ? hit.score : (best.get(session) ?? 0);
    return { ...hit, score: hit.score + SESSION_SHARE * lift };
  });
}

/** Turns count less when they say little, and more when they are said by the one whom the query names. Best first. */
export function weigh(hits: readonly Hit[], conversations: Conversations, query: string): Hit[] {
  const speakers = new Set<string>();
  for (const { id } of hits) {
    const speaker = conversations.place(id)?.speaker;
    if (speaker) speakers.add(speaker);
  }
  const named = speakerIn(query, speakers);
  return hits
    .map((hit) => {
      const place = conversations.place(hit.id);
      if (place === undefined) return hit;
      const said = Math.min(1, OF_EMPTY + ((1 - OF_EMPTY) * place.tokens) / FULL_TOKENS);
      const weight = named !== undefined && place.speaker === named ? OF_NAMED : 1;
      return { ...hit, score: hit.score * said * weight };
    })
    .sort(byRank);
}
