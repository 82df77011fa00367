/** A call as the server records it. */
export interface Call {
  readonly at: string;
  readonly key: string;
  readonly purpose: string;
  /** As the client asked for it. */
  readonly model: string;
  readonly route: string | null;
  readonly upstream: string | null;
  readonly servedModel: string | null;
  readonly person: string | null;
  /** By commas. */
  readonly tags: string | null;
  readonly stream: boolean;
  readonly status: number;
  readonly errorCode: string | null;
  readonly attempts: number;
  /** Milliseconds. */
  readonly latency: number;
  readonly firstToken: number | null;
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  readonly tokensCached: number | null;
  readonly tokensCacheWritten: number | null;
  readonly tokensReasoning: number | null;
  readonly estimatedIn: number | null;
  readonly estimatedOut: number | null;
  /** US dollars; null: no price is known. */
  readonly cost: number | null;
  readonly pricedAs: string | null;
  /** The answer was one that was given before. */
  readonly cached: boolean;
}
