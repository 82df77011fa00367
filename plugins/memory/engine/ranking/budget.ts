/** Which entries of a ranking fit a budget of tokens. */

/** The entries kept, and what they cost together. */
export interface Budgeted<T> {
  readonly kept: T[];
  readonly tokens: number;
}

/**
 * Walks a ranking up to `limit` entries; one that does not fit is skipped, and later smaller ones may fit. Never over the
 * budget.
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
