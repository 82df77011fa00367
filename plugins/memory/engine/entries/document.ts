/** An entry as it is stored. Entry and vector are one document: neither outlives the other. */
import type { CollectionSpec, Document, Filter } from 'plugboard/sdk';
import type { EntryType } from '../base/schema.js';

export interface EntryDocument extends Document {
  /** The owner; null is the global pool. */
  readonly apiKeyId: string | null;
  /** The end user of the owner that it belongs to; null, or absent in older documents: all of them. */
  readonly userId?: string | null;
  readonly key: string;
  readonly type: EntryType;
  readonly content: string;
  readonly sessionId: string | null;
  /** See metadata.ts. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Estimated tokens of the content. */
  readonly tokens: number;

  /** Raised by every write to the document: an index that follows the changes ignores lower ones. */
  readonly revision: number;
  /** Raised with every new content: a vector is stored only for the content that it was made of. */
  readonly contentVersion: number;
  readonly needsReindex: 0 | 1;
  /** Failed embeddings since the last good one, and when the next may be tried. */
  readonly attempts: number;
  readonly retryAt: Date | null;
  /** Float32, little endian, of unit length; null before the first embedding. */
  readonly vector: Uint8Array | null;
  /** The model that made the vector. Vectors of two models are never compared. */
  readonly vectorModel: string | null;

  /** 1 while the point in the external store may be older than this document. */
  readonly externalStale: 0 | 1;

  /** An archived entry is hidden everywhere; it can be restored until it is purged. */
  readonly archived: boolean;
  readonly archivedAt: Date | null;
  /** The summary that took the place of an archived entry, or the entry that took the place of one that holds no more. */
  readonly supersededBy: string | null;
  /** The entry that it took the place of; absent in older documents. */
  readonly supersedes?: string | null;
  /** Since when, and until when, it holds: see validity.ts. */
  readonly validFrom?: Date | null;
  readonly validUntil?: Date | null;
  /** Set on summaries: how many entries they stand for. */
  readonly summaryOf: number | null;
  /** Set on an entry that near-duplicates were folded into: how many. */
  readonly folds?: number | null;
}

const only = (filter: Filter<EntryDocument>): Filter => filter as Filter;

export const ENTRIES: CollectionSpec = {
  name: 'entries',
  indexes: [
    { keys: { apiKeyId: 1, userId: 1, key: 1 }, unique: true, partial: only({ archived: false }) },
    { keys: { createdAt: -1, _id: 1 } },
    { keys: { apiKeyId: 1, createdAt: -1, _id: 1 } },
    { keys: { sessionId: 1, createdAt: -1, _id: 1 }, partial: only({ sessionId: { $gt: '' } }) },
    { keys: { apiKeyId: 1, sessionId: 1, createdAt: -1, _id: 1 }, partial: only({ sessionId: { $gt: '' } }) },
    { keys: { type: 1, createdAt: -1, _id: 1 } },
    { keys: { apiKeyId: 1, type: 1, createdAt: -1, _id: 1 } },
    { keys: { needsReindex: 1, retryAt: 1 }, partial: only({ needsReindex: 1 }) },
    { keys: { externalStale: 1 }, partial: only({ externalStale: 1 }) },
    { keys: { expiresAt: 1 }, sparse: true },
    { keys: { archivedAt: 1 }, partial: only({ archived: true }) },
    { keys: { supersededBy: 1 }, partial: only({ archived: true }) },
    { keys: { key: 1, apiKeyId: 1, userId: 1 }, partial: only({ archived: true }) },
  ],
};

/** What everyone may see: not archived, and not expired at `now` (milliseconds). */
export function live(now: number): Filter<EntryDocument> {
  return { archived: false, $or: [{ expiresAt: null }, { expiresAt: { $gt: new Date(now) } }] };
}

/** Everything but the vector, which is large and of no use to a reader. */
export const WITHOUT_VECTOR = { vector: 0 } as const;
/** For those who look at a few entries and let them go: what the store has decoded is not copied. */
export const TO_LOOK_AT = { projection: WITHOUT_VECTOR, shared: true } as const;
