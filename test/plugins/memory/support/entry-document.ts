/** Entries as they are stored, for what works on documents alone. */
import { estimateTokens } from '../../../../plugins/memory/engine/base/tokens.js';
import type { EntryDocument } from '../../../../plugins/memory/engine/entries/document.js';

let count = 0;
/** A stored entry of the text: the next one, of Ann. */
export function entryDocument(content: string, fields: Partial<EntryDocument> = {}): EntryDocument {
  count += 1;
  const at = new Date(1_700_000_000_000 + count);
  return {
    _id: `id-${String(count).padStart(4, '0')}`,
    apiKeyId: 'ann',
    key: `key-${count}`,
    type: 'factual',
    content,
    sessionId: null,
    metadata: {},
    expiresAt: null,
    createdAt: at,
    updatedAt: at,
    tokens: estimateTokens(content),
    revision: 1,
    contentVersion: 1,
    needsReindex: 0,
    attempts: 0,
    retryAt: null,
    vector: null,
    vectorModel: null,
    externalStale: 0,
    archived: false,
    archivedAt: null,
    supersededBy: null,
    summaryOf: null,
    ...fields,
  };
}
