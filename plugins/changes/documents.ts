/** What the outbox stores: the endpoints, and one delivery per change and endpoint that wants it. */
import type { Carried, CollectionSpec, Document } from 'plugboard/sdk';

export interface EndpointDocument extends Document {
  readonly url: string;
  /** Exact types, `v2.core.*`, or `*`. */
  readonly types: readonly string[];
  readonly description: string;
  readonly paused: boolean;
  /** Why the server paused it; null when a person did, or nobody. */
  readonly pausedBecause: string | null;
  readonly sealedSecret: string;
  readonly createdAt: Date;
  /** When a listener last asked for its changes; its `url` is empty. */
  readonly askedAt?: Date;
  /** Missing in the operator's. */
  readonly own?: {
    /** The plugin that manages it, and whose changes are all that it gets. */
    readonly plugin: string;
    readonly group: string;
    /** JSON: its keys may be the caller's, and stores treat `$` and dots specially. */
    readonly more: string;
  };
}

/** `held`: its endpoint is paused. `dead`: given up, until somebody sends it again. */
export type DeliveryState = 'waiting' | 'held' | 'delivered' | 'dead';

export interface DeliveryDocument extends Document {
  readonly endpoint: string;
  /** The id of the change, the same for all endpoints and attempts. */
  readonly change: string;
  readonly type: string;
  /** Prefixed with the plugin. */
  readonly subject: string;
  /** Greater than that of all pending when the change was made. */
  readonly order: number;
  readonly body: string;
  /** From the work that made the change. */
  readonly carried?: Carried;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** When it is sent next; while it is being sent, when another instance may take it over. */
  readonly dueAt: Date;
  /** Waits for an earlier change of its subject. */
  readonly blocked: boolean;
  /** Sent again by hand: waits for nothing. */
  readonly again: boolean;
  /** Deleted as soon as it is over. */
  readonly erases?: true;
  /** Of the current attempt: results of older ones are dropped. */
  readonly claim: string | null;
  readonly createdAt: Date;
  readonly last: LastAttempt | null;
  /** When it is deleted. */
  readonly expireAt?: Date;
}

/** Due time of what a listener fetches itself. */
export const NEVER = new Date(8.64e15);

/**
 * Milliseconds. Whoever ends a delivery takes up the one that waits for it; a waiting one looks by itself only in case
 * that sender died.
 */
export const RECHECK = 60_000;

const DAY = 24 * 3_600_000;

/** Milliseconds for which these are kept. */
export const KEPT = { delivered: 3 * DAY, dead: 30 * DAY };

export interface LastAttempt {
  readonly at: Date;
  /** How long it took. */
  readonly milliseconds?: number;
  /** Null if no response came. */
  readonly status: number | null;
  /** Null when it was delivered. */
  readonly error: string | null;
}

export const ENDPOINTS: CollectionSpec = {
  name: 'endpoints',
  indexes: [{ keys: { 'own.plugin': 1, 'own.group': 1 } }],
};

export const DELIVERIES: CollectionSpec = {
  name: 'deliveries',
  indexes: [
    { keys: { state: 1, dueAt: 1 } },
    { keys: { endpoint: 1, state: 1, dueAt: 1 } },
    { keys: { subject: 1, endpoint: 1, state: 1, order: 1 } },
    { keys: { endpoint: 1, state: 1, order: -1 } },
    { keys: { createdAt: -1, _id: -1 } },
    { keys: { endpoint: 1, createdAt: -1, _id: -1 } },
    { keys: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
};
