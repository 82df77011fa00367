/** What the outbox stores: the endpoints, and one delivery for each change and endpoint that wants it. */
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
  /** Of one that asks for its changes itself, when it last did; its `url` is empty. */
  readonly askedAt?: Date;
  /** Missing in those of the operator. */
  readonly own?: {
    /** The plugin that manages it and whose changes alone it is told of. */
    readonly plugin: string;
    readonly group: string;
    /** JSON: names in it may be a caller's, and a store has its own idea of `$` and dots. */
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
  /** With the plugin in front. */
  readonly subject: string;
  /** Greater than that of whatever had not arrived when its change was made. */
  readonly order: number;
  readonly body: string;
  /** Of the work that made the change. */
  readonly carried?: Carried;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** When it is sent next; while it is being sent, when another instance may take it over. */
  readonly dueAt: Date;
  /** Waits for an earlier change of its subject. */
  readonly blocked: boolean;
  /** Sent again by hand: it waits for nothing. */
  readonly again: boolean;
  /** Of the attempt under way: a result of an older one is dropped. */
  readonly claim: string | null;
  readonly createdAt: Date;
  readonly last: LastAttempt | null;
  /** From then on it is forgotten. */
  readonly expireAt?: Date;
}

/** When what a listener asks for itself is sent. */
export const NEVER = new Date(8.64e15);

/**
 * Milliseconds. A delivery that waits for an earlier one is taken up by whoever ends that one; it looks by itself in case
 * who should have is dead.
 */
export const RECHECK = 60_000;

const DAY = 24 * 3_600_000;

/** Milliseconds for which what is over is kept. */
export const KEPT = { delivered: 3 * DAY, dead: 30 * DAY };

export interface LastAttempt {
  readonly at: Date;
  /** How long it took. */
  readonly milliseconds?: number;
  /** Null where no answer came. */
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
    { keys: { endpoint: 1, subject: 1, state: 1, order: 1 } },
    { keys: { endpoint: 1, state: 1, order: -1 } },
    { keys: { createdAt: -1, _id: -1 } },
    { keys: { endpoint: 1, createdAt: -1, _id: -1 } },
    { keys: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
};
