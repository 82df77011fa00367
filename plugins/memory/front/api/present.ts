/** An entry in the shape of the API. */
import type { EntryDocument } from '../../engine/entries/document.js';
import { unpackMetadata } from '../../engine/entries/metadata.js';
import type { ExtractionDocument } from '../../engine/extraction/record.js';
import type { Entry } from '../schema/entries.js';
import type { Extraction } from '../schema/extraction.js';

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

/** Without the conversation, which is deleted once it is read. */
export function presentExtraction(record: Omit<ExtractionDocument, 'turns'>): Extraction {
  const {
    _id: id,
    apiKeyId,
    userId,
    sessionId,
    createdAt,
    state,
    stored,
    refused,
    refusedCount,
    error,
  } = record;
  return {
    id,
    apiKeyId,
    userId,
    sessionId,
    createdAt: createdAt.toISOString(),
    state,
    stored: [...stored],
    refused: [...refused],
    refusedCount,
    error,
  };
}
