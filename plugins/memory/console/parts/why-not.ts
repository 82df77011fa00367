/** Why a memory was not recalled: the first rule that left it out. */
import type { Entry, Question, Retrieved } from './entry.js';

export type Reason =
  | { readonly rule: 'scope' | 'flight' | 'unlike' }
  /** Ranks begin at 1. */
  | { readonly rule: 'limit' | 'tokens' | 'beyond'; readonly rank: number };

/** The widest question that the server takes. */
export const WIDEST = { limit: 100, maxTokens: 16_000 } as const;

/** `all` answers the same question at its widest. */
export function whyNot(entry: Entry, question: Question, all: Retrieved): Reason {
  const at = all.memories.findIndex(({ id }) => id === entry.id);
  if (at >= 0) return { rule: at >= question.limit ? 'limit' : 'tokens', rank: at + 1 };
  const isElsewhere =
    entry.apiKeyId !== (question.apiKeyId ?? null) ||
    (question.userId !== undefined && entry.userId !== null && entry.userId !== question.userId) ||
    (question.sessionId !== undefined && entry.sessionId !== question.sessionId) ||
    (question.type !== undefined && entry.type !== question.type);
  if (isElsewhere) return { rule: 'scope' };
  if (entry.needsReindex === 1) return { rule: 'flight' };
  const isCut = all.memories.length >= WIDEST.limit || all.totalTokensUsed > WIDEST.maxTokens - LONG;
  return isCut ? { rule: 'beyond', rank: all.memories.length } : { rule: 'unlike' };
}

/** Tokens of a long memory: with fewer left, the budget may have cut the answer. */
const LONG = 2_000;
