/** Which old entries fold into one summary, and what it says. Pure: a dry run and the real run plan the same. */
import { createHash } from 'node:crypto';
import { analyze } from '../analyzer/analyze.js';
import type { EntryDocument } from '../entries/document.js';
import { estimateTokens } from '../ranking/tokens.js';

export type Original = Omit<EntryDocument, 'vector'>;

export interface Group {
  readonly owner: string | null;
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

/** A summary stands for this many entries at most, so that none grows without bound. */
const GROUP_SIZE = 40;
const SAME_COSINE = 0.92;
const SAME_JACCARD = 0.8;
const EXTRACT_LENGTH = 160;

/** Never across owners or sessions: what one told in a session is not mixed with another's. */
export function groupOriginals(originals: readonly Original[]): Group[] {
  const sessions = new Map<string, Original[]>();
  for (const entry of originals) {
    const pool = JSON.stringify([entry.apiKeyId, entry.sessionId]);
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
      groups.push({ owner: first.apiKeyId, session: first.sessionId, originals: part });
    }
    return groups;
  });
}

/** Null when the summary would not be smaller than what it stands for. `cosine` is null for entries without vectors. */
export function planSummary(
  group: Group,
  cosine: (a: Original, b: Original) => number | null,
): SummaryPlan | null {
  const content = foldDuplicates(group.originals, cosine).map(extract).join('\n');
  return planWith(group, content);
}

/** The plan with a text from elsewhere, by the same rule. */
export function planWith(group: Group, content: string): SummaryPlan | null {
  const tokensBefore = group.originals.reduce((sum, { tokens }) => sum + tokens, 0);
  const tokensAfter = estimateTokens(content);
  if (content.trim() === '' || tokensAfter >= tokensBefore) return null;
  const ids = group.originals.map(({ _id }) => _id).join();
  const key = `summary:${createHash('sha256').update(ids).digest('hex').slice(0, 16)}`;
  return { ...group, key, content, tokensBefore, tokensAfter };
}

/** Of entries that say nearly the same the newest stays. */
function foldDuplicates(
  originals: readonly Original[],
  cosine: (a: Original, b: Original) => number | null,
): Original[] {
  const kept: { entry: Original; terms: Set<string> }[] = [];
  for (const entry of originals.toReversed()) {
    const terms = new Set(analyze(entry.content));
    const known = kept.some(
      (other) =>
        (cosine(entry, other.entry) ?? 0) > SAME_COSINE || jaccard(terms, other.terms) > SAME_JACCARD,
    );
    if (!known) kept.push({ entry, terms });
  }
  return kept.map(({ entry }) => entry).reverse();
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const term of a) if (b.has(term)) shared += 1;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}

/** The first sentence; a longer one is cut at a word. */
function extract({ content }: Original): string {
  const text = content.replace(/\s+/g, ' ').trim();
  const sentence = /^.+?[.!?。！？](?=\s|$)/u.exec(text)?.[0] ?? text;
  if (sentence.length <= EXTRACT_LENGTH) return sentence;
  const cut = sentence.slice(0, EXTRACT_LENGTH);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), EXTRACT_LENGTH / 2)).trimEnd()}…`;
}

function byAge(a: Original, b: Original): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a._id < b._id ? -1 : 1);
}
