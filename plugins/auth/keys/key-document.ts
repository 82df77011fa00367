/** API keys at rest: indexed by their SHA-256, never stored themselves. */
import type { Document } from 'plugboard/sdk';

export interface ApiKeyDocument extends Document {
  readonly name: string;
  /** SHA-256 of the key in hex. */
  readonly hash: string;
  readonly preview: string;
  readonly scopes: readonly string[];
  /** The key's tenant; null or absent: the key itself. */
  readonly owner?: string | null;
  /** Addresses and networks (CIDR) that may use the key; absent or empty: all. */
  readonly addresses?: readonly string[];
  /** May be public, e.g. in a web page; absent in older keys. */
  readonly publishable?: boolean;
  /** The number of the user who made the key as a member. */
  readonly createdBy?: number;
  /** The previous text of a rotation, which works for a while. */
  readonly previous?: { readonly hash: string; readonly preview: string; readonly until: Date } | null;
  /** Its text comes from the config, and is changed there. */
  readonly configured?: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Separate from the keys, so that a use does not look like a change to every instance's cache. */
export interface KeyUseDocument extends Document {
  readonly lastUsedAt: Date;
}
