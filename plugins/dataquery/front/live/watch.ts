/** Whether whoever holds a connection open still may. */
import type { Caller } from '../../engine/policies/caller.js';

/** Throws when the credential no longer holds. */
export type Watch = () => Promise<Caller>;

/** Milliseconds between two looks at a credential: a revoked key and an expired token end with what they opened. */
export const RECHECK = 5_000;
