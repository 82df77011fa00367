/** An entry as stored. Entry and vector are one document, so neither outlives the other. */
import type { CollectionSpec, Document, Filter } from 'plugboard/sdk';
import type { EntryType } from '../base/schema.js';

export interface EntryDocument extends Document {
  /** The owner; null is the global pool. */
  readonly apiKeyId: string | null;
  /** The end user it belongs to; null, or absent in older documents: shared. */
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

  /** Incremented by every write to the document: an index that follows the changes ignores lower ones. */
  readonly revision: number;
  /** Incremented with every new content: a vector is stored only for the content it was made from. */
  readonly contentVersion: number;
  readonly needsReindex: 0 | 1;
  /** Failed embeddings since the last success, and when the next attempt is due. */
  readonly attempts: number;
  readonly retryAt: Date | null;
  /** Float32, little endian, unit length; null before the first embedding. */
  readonly vector: Uint8Array | null;
  /** The model that made the vector. Vectors of different models are never compared. */
  readonly vectorModel: string | null;

  /** 1 while the point in the external store may be older than this document. */
  readonly externalStale: 0 | 1;

  /** An archived entry is hidden everywhere; it can be restored until it is purged. */
  readonly archived: boolean;
  readonly archivedAt: Date | null;
  /** The summary that replaced an archived entry, or the entry that superseded one that is no longer valid. */
  readonly supersededBy: string | null;
  /** The entry that it supersedes; absent in older documents. */
  readonly supersedes?: string | null;
  /** Validity interval: see validity.ts. */
  readonly validFrom?: Date | null;
  readonly validUntil?: Date | null;
  /** Set on summaries: the number of entries it stands for. */
  readonly summaryOf: number | null;
  /** Set on an entry into which near-duplicates were folded: their number. */
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

/** Visible entries: not archived, and not expired at `now` (milliseconds). */
export function live(now: number): Filter<EntryDocument> {
  return { archived: false, $or: [{ expiresAt: null }, { expiresAt: { $gt: new Date(now) } }] };
}

/** Everything but the vector, which is large and useless to readers. */
export const WITHOUT_VECTOR = { vector: 0 } as const;
/** For short reads that do not modify the entries: decoded documents are not copied. */
export const TO_LOOK_AT = { projection: WITHOUT_VECTOR, shared: true } as const;
