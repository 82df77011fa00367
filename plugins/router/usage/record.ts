/** What is kept of each call. */
import type { TokenUsage } from './tokens.js';

/** Tokens that we estimated because the upstream did not report them; else null. */
export interface EstimatedTokens {
  readonly estimatedIn: number | null;
  readonly estimatedOut: number | null;
}

export interface UsageRecord extends TokenUsage, EstimatedTokens {
  /** When the call came in. */
  readonly at: Date;
  /** Whose call it was, see `principalId`. */
  readonly key: string;
  /** Which of our routes or services made the call, e.g. `chat.completions`, `playground.improve-prompt`. */
  readonly purpose: string;
  /** The model that was asked for: the name of a route, or `upstream/model`. */
  readonly model: string;
  readonly route: string | null;
  /** Null when no upstream served the call. */
  readonly upstream: string | null;
  /** The model that the upstream says it served. */
  readonly servedModel: string | null;
  readonly stream: boolean;
  readonly status: number;
  readonly errorCode: string | null;
  /** Upstreams called for this call. */
  readonly attempts: number;
  /** Milliseconds until the answer ended. */
  readonly latency: number;
  /** Milliseconds until a stream's first event; null without streaming. */
  readonly firstToken: number | null;
  /** US dollars, of reported and estimated tokens; null where no price is known. */
  readonly cost: number | null;
  /** The model whose price that is. */
  readonly pricedAs: string | null;
  /** The person named by the caller, or the caller if a person; null if unknown. */
  readonly person: string | null;
  /** Of the header `x-plugboard-tags`, joined by commas. */
  readonly tags: string | null;
  /** The answer was one that was given before: no upstream was asked. */
  readonly cached: boolean;
}

/** What the call took: as the upstream says, else as estimated. */
export function tokensTaken({
  tokensIn,
  tokensOut,
  estimatedIn,
  estimatedOut,
}: TokenUsage & EstimatedTokens): number {
  return (tokensIn ?? estimatedIn ?? 0) + (tokensOut ?? estimatedOut ?? 0);
}
