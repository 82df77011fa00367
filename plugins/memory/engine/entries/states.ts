/**
 * Earlier contents of an entry, for clients that ask for its history. A state is archived: it is never found, is purged
 * after `retentionDays`, and is deleted with the entry.
 */
import { newId, type Collection } from 'plugboard/sdk';
import { WITHOUT_VECTOR, type EntryDocument } from './document.js';
import { FOR_ITSELF } from './originals.js';

/** States shown per entry. */
const MOST = 100;

export async function keepState(
  documents: Collection<EntryDocument>,
  { _id, ...state }: EntryDocument,
  now: number,
): Promise<void> {
  await documents.insertOne({
    ...state,
    ...FOR_ITSELF,
    _id: newId(),
    archived: true,
    archivedAt: new Date(now),
    supersedes: null,
    supersededBy: null,
    vector: null,
    vectorModel: null,
    needsReindex: 0,
    externalStale: 0,
  });
}

/** The oldest first. */
export function statesOf(
  documents: Collection<EntryDocument>,
  { apiKeyId, userId = null, key }: EntryDocument,
): Promise<EntryDocument[]> {
  const filter = { key, apiKeyId, userId, archived: true, supersededBy: null };
  return documents
    .find(filter, { sort: { archivedAt: 1, _id: 1 }, limit: MOST, projection: WITHOUT_VECTOR })
    .toArray();
}
