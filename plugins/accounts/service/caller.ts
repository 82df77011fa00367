/** The caller and its role. */
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
  /** JSON, as sent and as kept for replays. */
  readonly text: string;
  /** Whether an earlier request with the same idempotency key got this answer. */
  readonly replayed: boolean;
}
