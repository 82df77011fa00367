/** What an index knows about an entry besides its words or vector: its owner, and what can hide it. */
import type { EntryType } from './schema.js';

/** The pool an entry belongs to: the id of an API key, or null for the global pool. */
export type Owner = string | null;

export interface EntryAttributes {
  readonly owner: Owner;
  readonly type: EntryType;
  readonly session: string | null;
  /** The end user it belongs to; null: shared by all end users of the owner. */
  readonly user: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Milliseconds since the epoch. The entry is hidden from this instant on; null: never. */
  readonly expiresAt: number | null;
  /** Interval in which it is valid, milliseconds; -Infinity and Infinity: unbounded. */
  readonly validFrom: number;
  readonly validUntil: number;
  /** An archived entry (folded into a summary) stays in the index and is never found. */
  readonly archived: boolean;
}

/**
 * Conditions of a search on an entry. An absent member is no condition; `session: null` selects entries without one.
 */
export interface EntryFilter {
  readonly type?: EntryType;
  readonly session?: string | null;
  /** The end user asking: finds their own entries and shared ones; null finds shared ones only. */
  readonly user?: string | null;
  /** Entries valid at this instant, milliseconds. Default: now. */
  readonly asOf?: number;
  /** Only these entries. */
  readonly among?: ReadonlySet<string>;
}

/** A found entry. Hits are ordered by score, then newest first, then by id. */
export interface Hit {
  readonly id: string;
  readonly score: number;
  readonly createdAt: number;
}

export function byRank(a: Hit, b: Hit): number {
  return b.score - a.score || b.createdAt - a.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
