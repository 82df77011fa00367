/** Plans which old entries fold into one, and with what content. Pure: a dry run and a real run make the same plan. */
import { createHash } from 'node:crypto';
import { analyze } from '../analyzer/analyze.js';
import { hasAll } from '../entries/originals.js';
import type { Original } from './summary-gate.js';
import { estimateTokens } from '../base/tokens.js';
import { judge, type Refusal } from './summary-gate.js';
import { negationsIn, wordsOf } from '../evidence/negation.js';

export interface Group {
  readonly owner: string | null;
  /** The end user of all of them; null: none. */
  readonly user: string | null;
  readonly session: string | null;
  /** Oldest first, at least two. */
  readonly originals: readonly Original[];
}

export interface SummaryPlan extends Group {
  readonly key: string;
  readonly content: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** Maximum entries per summary, so that none grows without bound. */
const GROUP_SIZE = 40;
const SAME_COSINE = 0.92;
const SAME_JACCARD = 0.8;

/** Never across owners, end users or sessions: what was said in one session is not mixed with another. */
export function groupOriginals(originals: readonly Original[]): Group[] {
  const sessions = new Map<string, Original[]>();
  for (const entry of originals) {
    const pool = JSON.stringify([entry.apiKeyId, entry.userId ?? null, entry.sessionId]);
    const entries = sessions.get(pool);
    if (entries === undefined) sessions.set(pool, [entry]);
    else entries.push(entry);
  }
  return [...sessions.values()].flatMap((entries) => {
    const sorted = entries.toSorted(byAge);
    const groups: Group[] = [];
    for (let at = 0; at < sorted.length; at += GROUP_SIZE) {
      const part = sorted.slice(at, at + GROUP_SIZE);
      const [first] = part;
      if (first === undefined || part.length < 2) continue;
      groups.push({
        owner: first.apiKeyId,
        user: first.userId ?? null,
        session: first.sessionId,
        originals: part,
      });
    }
    return groups;
  });
}

/** Near-duplicates: `kept` covers all the others and is unchanged. */
export interface Fold extends Group {
  readonly kept: Original;
  /** Without `kept`. */
  readonly originals: readonly Original[];
}

interface Read {
  readonly entry: Original;
  readonly terms: ReadonlySet<string>;
  readonly words: readonly string[];
  readonly negations: number;
}

/**
 * The near-duplicates of a group, without a model. Nothing is shortened: an entry folds into another one only if that
 * one has its type, its metadata and all of its words, in their order and with no negation between them. `cosine`
 * returns null for entries without vectors.
 */
export function planFolds(group: Group, cosine: (a: Original, b: Original) => number | null): Fold[] {
  const read = group.originals.map((entry): Read => {
    const words = wordsOf(entry.content);
    const terms = new Set(analyze(entry.content).terms);
    return { entry, terms, words, negations: negationsIn(words) };
  });
  const folds: { kept: Read; others: Original[] }[] = [];
  // Longest first, then newest, since only a text at least as long can cover another.
  for (const one of read.toReversed().toSorted(bySize)) {
    const fold = folds.find(
      ({ kept }) =>
        one.entry.type === kept.entry.type &&
        hasAll(kept.entry.metadata, one.entry.metadata) &&
        isSubsequence(one.words, kept.words) &&
        one.negations === kept.negations &&
        ((cosine(one.entry, kept.entry) ?? 0) > SAME_COSINE || jaccard(one.terms, kept.terms) > SAME_JACCARD),
    );
    if (fold === undefined) folds.push({ kept: one, others: [] });
    else fold.others.push(one.entry);
  }
  return folds
    .filter(({ others }) => others.length > 0)
    .map(({ kept, others }) => ({ ...group, kept: kept.entry, originals: others }));
}

function bySize(a: Read, b: Read): number {
  return (
    b.words.length - a.words.length ||
    Object.keys(b.entry.metadata).length - Object.keys(a.entry.metadata).length
  );
}

/** Whether `words` is a subsequence of `all`. */
function isSubsequence(words: readonly string[], all: readonly string[]): boolean {
  let at = 0;
  for (const word of all) if (word === words[at]) at += 1;
  return at === words.length;
}

/** The outcome of a summary: the plan with the originals it may stand for, and those that are kept. */
export interface Written {
  /** Null: it stands for nothing. */
  readonly plan: SummaryPlan | null;
  readonly refused: readonly Refusal[];
}

/** A plan with the given text. It stands for the originals it covers, see summary-gate.ts, if that is smaller. */
export function planWith(group: Group, content: string): Written {
  const { said, refused } = judge(content, group.originals);
  const tokensBefore = said.reduce((sum, { tokens }) => sum + tokens, 0);
  const tokensAfter = estimateTokens(content);
  if (said.length < 2 || tokensAfter >= tokensBefore) {
    const others = said.map((original) => ({ original, reason: 'not_smaller: the summary saves nothing' }));
    return { plan: null, refused: [...refused, ...others] };
  }
  const ids = said.map(({ _id }) => _id).join();
  const key = `summary:${createHash('sha256').update(ids).digest('hex').slice(0, 16)}`;
  return { plan: { ...group, originals: said, key, content, tokensBefore, tokensAfter }, refused };
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const term of a) if (b.has(term)) shared += 1;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}

function byAge(a: Original, b: Original): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a._id < b._id ? -1 : 1);
}
