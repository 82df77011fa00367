/** Selects the entries of a ranking that fit a token budget. */

/** The selected entries and their total tokens. */
export interface Budgeted<T> {
  readonly kept: T[];
  readonly tokens: number;
}

/**
 * Walks a ranking up to `limit` entries; an entry that does not fit is skipped, and later smaller ones may fit. Never
 * exceeds the budget.
 */
export function withinBudget<T extends { readonly tokens: number }>(
  ranking: Iterable<T>,
  maxTokens: number,
  limit = Infinity,
): Budgeted<T> {
  const kept: T[] = [];
  let tokens = 0;
  if (limit < 1) return { kept, tokens };
  for (const entry of ranking) {
    if (tokens + entry.tokens > maxTokens) continue;
    kept.push(entry);
    tokens += entry.tokens;
    if (kept.length >= limit) break;
  }
  return { kept, tokens };
}
