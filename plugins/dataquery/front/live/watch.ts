/** Whether the caller of an open connection is still allowed. */
import type { Caller } from '../../engine/policies/caller.js';

/** Throws if the credential is no longer valid. */
export type Watch = () => Promise<Caller>;

/** Milliseconds between two checks of a credential: a revoked key or an expired token ends its connections. */
export const RECHECK = 5_000;
