/**
 * Entries of a session lend score to their neighbours, and a session with a good hit lifts all its entries: the answer
 * is often a few turns away from the matching words. A question is rarely the answer, the turn after it often is.
 */
import { byRank, type Hit } from '../base/attributes.js';
import { speakerIn, type TurnText } from './turn.js';

/** An episodic entry near another in its session. */
export interface Neighbour {
  readonly id: string;
  readonly createdAt: number;
  /** Offset from the entry, positive after it, negative before it, at most `REACH`. */
  readonly distance: number;
}

/** An episodic entry in its session. */
export interface Place extends TurnText {
  /** Internal name of the session. */
  readonly session: string;
}

export interface Conversations {
  /** Undefined: the entry has no session, or is not episodic. */
  place(id: string): Place | undefined;
  neighbours(id: string): readonly Neighbour[];
}

/** Shares of its score that a hit lends to the following and preceding entries, nearest first. */
const AFTER = [0.5, 0.25, 0.12];
const BEFORE = [0.35, 0.2, 0.1];
export const REACH = 3;
/** The same for a hit that is a question, for the adjacent turns, and the share it keeps. */
const AFTER_ASKING = 0.8;
const BEFORE_ASKING = 0.2;
const OF_ASKING = 0.6;

/** Share of the score of a session's best entry that is added to each hit of the session. */
const SESSION_SHARE = 0.3;

/** A turn of this many tokens counts fully, an empty one this much: "Really?" has many neighbours and no content. */
const FULL_TOKENS = 15;
const OF_EMPTY = 0.7;
/** Weight of turns whose speaker the query names. */
const OF_NAMED = 1.3;

/** Reranks hits by their conversations. Best first. */
export function inConversations(hits: readonly Hit[], conversations: Conversations, query: string): Hit[] {
  return weigh(liftSessions(smooth(hits, conversations), conversations), conversations, query);
}

/** Adds a share of each hit's score to its neighbours; a neighbour that was no hit becomes one. */
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

/** Adds to each hit a share of its session's best score; a hit without a session is its own best. */
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

/** Short turns count less, turns of a speaker whom the query names count more. Best first. */
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
