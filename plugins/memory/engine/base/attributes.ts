/** What an index knows of an entry besides its words or its vector: whose it is, and what can hide it. */
import type { EntryType } from './schema.js';

/** The pool an entry belongs to: the id of an API key, or null for the global pool. */
export type Owner = string | null;

export interface EntryAttributes {
  readonly owner: Owner;
  readonly type: EntryType;
  readonly session: string | null;
  /** The end user it belongs to; null: all of the owner's. */
  readonly user: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Milliseconds since the epoch. The entry is hidden from this very instant; null: never. */
  readonly expiresAt: number | null;
  /** Since when and until when it holds in the world, milliseconds; -Infinity and Infinity: always. */
  readonly validFrom: number;
  readonly validUntil: number;
  /** An archived entry (folded into a summary) keeps its place and is never found. */
  readonly archived: boolean;
}

/** What a search asks of an entry. An absent member asks nothing; `session: null` asks for entries of no session. */
export interface EntryFilter {
  readonly type?: EntryType;
  readonly session?: string | null;
  /** The end user who asks: finds their own entries and those of nobody; null finds those of nobody alone. */
  readonly user?: string | null;
  /** Entries that hold at this instant, milliseconds. Default: now. */
  readonly asOf?: number;
  /** Nothing but these entries. */
  readonly among?: ReadonlySet<string>;
}

/** A found entry. Lists of hits are ordered by score, then the newest first, then by id. */
export interface Hit {
  readonly id: string;
  readonly score: number;
  readonly createdAt: number;
}

export function byRank(a: Hit, b: Hit): number {
  return b.score - a.score || b.createdAt - a.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
