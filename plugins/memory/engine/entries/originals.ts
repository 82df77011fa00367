/**
 * Originals of an entry: near-duplicates folded into it, or the entries its summary was made from. They are archived as
 * long as the entry covers their content, restored when it no longer does, and deleted with it.
 */
import type { Collection } from 'plugboard/sdk';
import type { Changes } from './changes.js';
import { WITHOUT_VECTOR, type EntryDocument } from './document.js';
import type { EntryChange, EntryPatch, NewEntry } from './entry.js';
import { packMetadata } from './metadata.js';
import { freeKey } from './supersession.js';
import { vectorFields, type KnownVector } from './write.js';

/** On an entry without originals. */
export const FOR_ITSELF = { summaryOf: null, folds: null } as const;

export function standsForOthers({ summaryOf, folds }: Pick<EntryDocument, 'summaryOf' | 'folds'>): boolean {
  return summaryOf !== null || Boolean(folds);
}

/** What a write sets of the members that are searched and filtered by. */
export type Said = Pick<NewEntry, 'expiresAt'> & Pick<EntryPatch, 'content' | 'type'> & SaidOfPlace;

interface SaidOfPlace {
  readonly sessionId?: string | null;
  /** All metadata of the entry after the write, packed. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A new state under the key of an entry: metadata is merged. */
export function saidBy(entry: NewEntry, before: Pick<EntryDocument, 'metadata'>): Said {
  const { content, type, sessionId = null, expiresAt = null, metadata = {} } = entry;
  return { content, type, sessionId, expiresAt, metadata: { ...before.metadata, ...packMetadata(metadata) } };
}

/** A change: its metadata replaces the old metadata. */
export function saidByPatch({ content, type, metadata, expiresAt }: EntryChange): Said {
  return {
    ...(expiresAt !== undefined && { expiresAt }),
    ...(content !== undefined && { content }),
    ...(type !== undefined && { type }),
    ...(metadata !== undefined && { metadata: packMetadata(metadata) }),
  };
}

/**
 * Whether an entry still covers its originals after a write. Originals never expire. A near-duplicate has the same type
 * and no additional metadata; a summary was made from the texts alone.
 */
export function saysTheSame(before: EntryDocument, said: Said): boolean {
  const { content = before.content, sessionId = before.sessionId, expiresAt = null } = said;
  if (content !== before.content || sessionId !== before.sessionId || expiresAt !== null) return false;
  if (before.summaryOf !== null) return true;
  const { type = before.type, metadata = before.metadata } = said;
  return type === before.type && hasAll(metadata, before.metadata);
}

/** Whether one entry's metadata has every member of another's. */
export function hasAll(
  metadata: Readonly<Record<string, string>>,
  members: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(members).every(([name, value]) => metadata[name] === value);
}

export interface BroughtBack {
  readonly restored: number;
  /** Still archived: their keys belong to other memories now. */
  readonly kept: number;
}

/** Vector of a content, if available without a call: for an entry whose vector was dropped while it was archived. */
type VectorOf = (content: string) => Promise<KnownVector>;

/** Restores the originals of an entry. */
export async function bringBack(
  changes: Changes,
  id: string,
  now: number,
  vectorOf: VectorOf,
): Promise<BroughtBack> {
  const originals = await changes.documents
    .find({ supersededBy: id, archived: true }, { projection: WITHOUT_VECTOR })
    .toArray();
  let restored = 0;
  // Of two with the same key the later one wins.
  for (const original of originals.sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())) {
    if (await unarchive(changes, original, now, vectorOf)) restored += 1;
  }
  return { restored, kept: originals.length - restored };
}

/** False: another live entry has its key. */
export async function unarchive(
  changes: Changes,
  { _id, apiKeyId, userId = null, key, content, vectorModel }: EntryDocument,
  now: number,
  vectorOf: VectorOf,
): Promise<boolean> {
  await freeKey(changes, { apiKeyId, userId, key });
  const holder = await changes.documents.findOne(
    { apiKeyId, userId, key, archived: false },
    { projection: WITHOUT_VECTOR },
  );
  if (holder !== null) {
    if (!isExpired(holder, now)) return false;
    await changes.remove([holder._id]);
  }
  const vector = vectorModel === null ? vectorFields(await vectorOf(content)) : {};
  const live = { archived: false, archivedAt: null, supersededBy: null, externalStale: 1 as const };
  await changes.change({ _id, archived: true }, { $set: { ...live, ...vector }, $inc: { revision: 1 } });
  return true;
}

export function isExpired({ expiresAt }: Pick<EntryDocument, 'expiresAt'>, now: number): boolean {
  return expiresAt !== null && expiresAt.getTime() <= now;
}

/**
 * Archived states of a memory that was written again since: they must not return under a key that was given up by a
 * deletion or a rename.
 */
export async function earlierStates(
  documents: Collection<EntryDocument>,
  { apiKeyId, userId = null, key }: Pick<EntryDocument, 'apiKeyId' | 'userId' | 'key'>,
): Promise<string[]> {
  const found = await documents
    .find({ key, apiKeyId, userId, archived: true }, { projection: { _id: 1 } })
    .toArray();
  const under = await Promise.all(found.map(({ _id }) => originalsOf(documents, _id)));
  return [...found.map(({ _id }) => _id), ...under.flat()];
}

/** All entries archived under an entry, transitively: near-duplicates of an entry that was itself folded. */
export async function originalsOf(documents: Collection<EntryDocument>, id: string): Promise<string[]> {
  const found = new Set<string>();
  for (let under = [id]; under.length > 0;) {
    const originals = await documents
      .find({ supersededBy: { $in: under }, archived: true }, { projection: { _id: 1 } })
      .toArray();
    under = originals.flatMap(({ _id }) => (found.has(_id) ? [] : [_id]));
    for (const each of under) found.add(each);
  }
  return [...found];
}
