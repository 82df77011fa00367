/** Token counts as upstreams report them. What an upstream does not say stays null: numbers are never invented. */
export interface TokenUsage {
  /** With what came from a prompt cache and what went into it. */
  readonly tokensIn: number | null;
  /** With the thinking. */
  readonly tokensOut: number | null;
  /** The part of `tokensIn` that came from the upstream's prompt cache. */
  readonly tokensCached: number | null;
  /** The part of `tokensIn` that was written to it. */
  readonly tokensCacheWritten: number | null;
  /** The part of `tokensOut` that was thinking. */
  readonly tokensReasoning: number | null;
}

export const NO_TOKENS: TokenUsage = {
  tokensIn: null,
  tokensOut: null,
  tokensCached: null,
  tokensCacheWritten: null,
  tokensReasoning: null,
};

/** Of a call that asks no model. */
export const FREE: TokenUsage = { ...NO_TOKENS, tokensIn: 0, tokensOut: 0 };

/** Reads the `usage` member of an answer: OpenAI's names, and those of rerank servers. */
export function readTokens(usage: unknown): TokenUsage {
  if (typeof usage !== 'object' || usage === null) return NO_TOKENS;
  const counts = usage as Record<string, unknown>;
  const ofInput = (counts['prompt_tokens_details'] ?? counts['input_tokens_details']) as Details;
  const ofOutput = (counts['completion_tokens_details'] ?? counts['output_tokens_details']) as Details;
  return {
    tokensIn:
      count(counts['prompt_tokens']) ?? count(counts['input_tokens']) ?? count(counts['total_tokens']),
    tokensOut: count(counts['completion_tokens']) ?? count(counts['output_tokens']),
    tokensCached: count(ofInput?.cached_tokens),
    tokensCacheWritten: count(ofInput?.cache_write_tokens),
    tokensReasoning: count(ofOutput?.reasoning_tokens),
  };
}

type Details =
  | {
      readonly cached_tokens?: unknown;
      readonly cache_write_tokens?: unknown;
      readonly reasoning_tokens?: unknown;
    }
  | null
  | undefined;

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
