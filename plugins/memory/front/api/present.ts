/** An entry as it goes over the wire. */
import type { EntryDocument } from '../../engine/entries/document.js';
import { unpackMetadata } from '../../engine/entries/metadata.js';
import type { Entry } from '../schema/entries.js';

export function present(entry: Omit<EntryDocument, 'vector'>): Entry {
  return {
    id: entry._id,
    content: entry.content,
    key: entry.key,
    type: entry.type,
    sessionId: entry.sessionId,
    apiKeyId: entry.apiKeyId,
    userId: entry.userId ?? null,
    metadata: unpackMetadata(entry.metadata),
    expiresAt: entry.expiresAt?.toISOString() ?? null,
    validFrom: (entry.validFrom ?? entry.createdAt).toISOString(),
    validUntil: entry.validUntil?.toISOString() ?? null,
    supersedes: entry.supersedes ?? null,
    supersededBy: entry.supersededBy,
    createdAt: entry.createdAt.toISOString(),
    updatedAt: entry.updatedAt.toISOString(),
    needsReindex: entry.needsReindex,
    standsFor: entry.summaryOf ?? entry.folds ?? 0,
  };
}
