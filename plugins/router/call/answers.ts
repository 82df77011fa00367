/** What a client is answered. */
import type { Readable } from 'node:stream';
import type { PassedAnswer } from './passed-answer.js';

export interface Answer {
  /** JSON, ready to send: whole, or as it comes from the upstream when it is large. */
  readonly body: string | PassedAnswer;
  /** The name of the upstream that served it. */
  readonly upstream: string;
  /** US dollars; null or left out if unknown when the answer begins. */
  readonly cost?: number | null;
  readonly cache?: CacheUse;
}

/** Of a call that may be cached: whether its answer was. */
export type CacheUse = 'hit' | 'miss';

export interface StreamAnswer {
  readonly events: Readable;
  readonly upstream: string;
  readonly cache?: CacheUse;
}
