/** API keys at rest: SHA-256 of the key as its index, never the key itself. */
import type { Document } from 'plugboard/sdk';

export interface ApiKeyDocument extends Document {
  readonly name: string;
  /** SHA-256 of the key in hex. */
  readonly hash: string;
  readonly preview: string;
  readonly scopes: readonly string[];
  /** The tenant of the key; null or absent: the key itself. */
  readonly owner?: string | null;
  /** Addresses and networks (CIDR) that may use the key; absent or empty: all. */
  readonly addresses?: readonly string[];
  /** May be seen by everybody, e.g. in a page; absent in keys from before there were such. */
  readonly publishable?: boolean;
  /** The number of the user who made the key as a member. */
  readonly createdBy?: number;
  /** The text before a rotation, which works on for a while. */
  readonly previous?: { readonly hash: string; readonly preview: string; readonly until: Date } | null;
  /** Its text is the config's, and is changed there. */
  readonly configured?: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Apart from the keys, so that a use does not look like a change of the key to every instance's cache. */
export interface KeyUseDocument extends Document {
  readonly lastUsedAt: Date;
}
