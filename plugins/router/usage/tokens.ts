/** Token counts as upstreams report them. What an upstream does not say stays null: numbers are never invented. */
export interface TokenUsage {
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  /** The part of `tokensIn` that came from the upstream's prompt cache. */
  readonly tokensCached: number | null;
}

export const NO_TOKENS: TokenUsage = { tokensIn: null, tokensOut: null, tokensCached: null };

/** Reads the `usage` member of an answer: OpenAI's names, and those of rerank servers. */
export function readTokens(usage: unknown): TokenUsage {
  if (typeof usage !== 'object' || usage === null) return NO_TOKENS;
  const counts = usage as Record<string, unknown>;
  const details = counts['prompt_tokens_details'] as { cached_tokens?: unknown } | null | undefined;
  return {
    tokensIn:
      count(counts['prompt_tokens']) ?? count(counts['input_tokens']) ?? count(counts['total_tokens']),
    tokensOut: count(counts['completion_tokens']) ?? count(counts['output_tokens']),
    tokensCached: count(details?.cached_tokens),
  };
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
