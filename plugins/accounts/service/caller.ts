/** Who asks, and as what. */
import type { Platform } from '../platform/platforms.js';
import type { KeyedRequest } from '../idempotency/request.js';

export interface Caller {
  readonly platform: Platform;
  /** Absent without an idempotency key. */
  readonly request: KeyedRequest | undefined;
  /** The account's own people, on the page of an account link. */
  readonly hosted?: boolean;
}

export interface Answer {
  /** JSON, as it is sent and kept for replays. */
  readonly text: string;
  /** It is the answer of an earlier request with the same idempotency key. */
  readonly replayed: boolean;
}
