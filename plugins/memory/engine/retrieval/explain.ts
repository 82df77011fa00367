/** Explains why an entry was not recalled: the first rule that excluded it, on the ranking that produced the answer. */
import { Type, type Static } from 'plugboard/sdk';
import { nullable, oneOf } from '../base/schema.js';
import type { EntryDocument } from '../entries/document.js';
import { validityOf } from '../entries/validity.js';
import type { Question } from './question.js';
import { WORD_DEPTH, type Ranking } from './rank.js';
import { ABOVE_ZERO } from './vector-stage.js';

const REASONS = [
  'recalled',
  'unknown',
  'archived',
  'expired',
  'other_owner',
  'other_user',
  'other_session',
  'other_type',
  'not_yet',
  'superseded',
  'ended',
  'metadata',
  'min_score',
  'limit',
  'tokens',
  'not_indexed',
  'not_embedded',
  'depth',
  'unlike',
] as const;
type Reason = (typeof REASONS)[number];

const Score = nullable(Type.Number());
export const Explained = Type.Object({
  id: Type.String(),
  reason: oneOf(REASONS, {
    description:
      'what left it out: `unknown`: it is not there, or not yours; `not_yet`, `ended`: it does not hold at the time; ' +
      '`superseded`: another one took its place; `min_score`, `limit`, `tokens`: it was found and not taken; ' +
      '`not_indexed`, `not_embedded`: this instance, or the model, has not read it yet; `depth`: not among the best ' +
      'that are compared; `unlike`: it shares no word with the query and is not similar',
  }),
  by: nullable(Type.String({ description: 'the entry or summary that replaced it' })),
  rank: nullable(Type.Integer({ description: 'its rank among all hits, from 1' })),
  score: Score,
  relevance: Score,
  vecScore: Score,
  ftsScore: Score,
  tokens: nullable(Type.Integer()),
});
export type Explained = Static<typeof Explained>;

export interface Found {
  readonly question: Question;
  readonly ranking: Ranking;
  /** The part of the ranking that matches the question, in order. */
  readonly ranked: readonly { readonly id: string; readonly score: number }[];
  /** Ids selected within the limits. */
  readonly taken: ReadonlySet<string>;
  /** Ids in the answer. */
  readonly recalled: ReadonlySet<string>;
  readonly isIndexed: (id: string) => boolean;
  readonly relevance: (id: string) => number;
  /** Milliseconds. */
  readonly now: number;
}

/** `entry`: as stored; undefined: none that the caller may see. */
export function explain(id: string, entry: EntryDocument | undefined, found: Found): Explained {
  const at = found.ranked.findIndex((hit) => hit.id === id);
  if (entry === undefined) return { ...NOTHING, id, reason: 'unknown' };
  const { words, cosines, cosinesOf } = found.ranking;
  const vecScore = cosines.get(id) ?? cosinesOf?.([id]).get(id) ?? null;
  return {
    id,
    reason: found.recalled.has(id)
      ? 'recalled'
      : (hidden(entry, found) ?? passedOver(entry, at, vecScore, found)),
    by: entry.supersededBy,
    rank: at < 0 ? null : at + 1,
    score: found.ranked[at]?.score ?? null,
    relevance: at < 0 ? null : found.relevance(id),
    vecScore,
    ftsScore: words.get(id) ?? null,
    tokens: entry.tokens,
  };
}

const NOTHING = {
  by: null,
  rank: null,
  score: null,
  relevance: null,
  vecScore: null,
  ftsScore: null,
  tokens: null,
};

/** Reasons that exclude an entry from the search. */
function hidden(entry: EntryDocument, { question, now }: Found): Reason | undefined {
  const { owner, user, session, type, among, asOf = now } = question;
  const { userId = null } = entry;
  const { validFrom, validUntil } = validityOf(entry);
  if (entry.archived) return 'archived';
  if (entry.expiresAt !== null && entry.expiresAt.getTime() <= now) return 'expired';
  if (entry.apiKeyId !== owner) return 'other_owner';
  if (userId !== null && user !== undefined && userId !== user) return 'other_user';
  if (session !== undefined && entry.sessionId !== session) return 'other_session';
  if (type !== undefined && entry.type !== type) return 'other_type';
  if (validFrom > asOf) return 'not_yet';
  if (validUntil <= asOf) return entry.supersededBy === null ? 'ended' : 'superseded';
  if (among?.has(entry._id) === false) return 'metadata';
  return undefined;
}

/** Reasons why an entry that was searched for was not selected. */
function passedOver(entry: EntryDocument, at: number, vecScore: number | null, found: Found): Reason {
  const { question, ranked, taken, relevance, isIndexed, ranking } = found;
  const { minScore = 0, limit, minSimilarity = ABOVE_ZERO } = question;
  const { _id: id } = entry;
  if (at >= 0) {
    if (minScore > 0 && relevance(id) < minScore) return 'min_score';
    const last = ranked.findLastIndex((hit) => taken.has(hit.id));
    return taken.size >= limit && at > last ? 'limit' : 'tokens';
  }
  if (!isIndexed(id)) return 'not_indexed';
  if (question.strategy !== 'exact' && vecScore === null && entry.needsReindex === 1) return 'not_embedded';
  const isCut = ranking.words.size >= Math.max(WORD_DEPTH, limit);
  return isCut || (vecScore ?? -1) >= minSimilarity ? 'depth' : 'unlike';
}
