/** Supersession: the older entry ends when the newer one begins, and is kept as its history. */
import type { Collection } from 'plugboard/sdk';
import { errors } from '../base/errors.js';
import type { Changes } from './changes.js';
import { WITHOUT_VECTOR, type EntryDocument } from './document.js';
import { LONGEST_KEY, type EntryChange } from './entry.js';

type Link = Pick<EntryDocument, '_id' | 'supersedes' | 'supersededBy' | 'validFrom'>;

/** An entry's name: unique among entries that are not archived. */
export interface Named {
  readonly apiKeyId: string | null;
  readonly userId: string | null;
  readonly key: string;
}

/** Entries shown per history. */
const LONGEST_HISTORY = 100;

/** Ends `older` in favour of `newer`, which is already stored. */
export async function end(changes: Changes, older: EntryDocument, newer: Link): Promise<void> {
  const validUntil = newer.validFrom ?? null;
  const ended = await changes.change(
    { _id: older._id, supersededBy: null },
    { $set: { validUntil, supersededBy: newer._id, externalStale: 1 }, $inc: { revision: 1 } },
  );
  if (ended === null) throw errors.already_superseded({ values: { id: older._id }, param: 'supersedes' });
}

/** Whether another entry superseded it: its content is history. */
export function isEnded({
  archived,
  supersededBy,
}: Pick<EntryDocument, 'archived' | 'supersededBy'>): boolean {
  return !archived && supersededBy !== null;
}

/** Only the metadata of an ended entry may change, as its content is history. Throws `already_superseded`. */
export function assertChangeable(entry: EntryDocument, { metadata: _free, ...patch }: EntryChange): void {
  if (isEnded(entry) && Object.values(patch).some((value) => value !== undefined))
    throw errors.already_superseded({ values: { id: entry._id } });
}

/** An ended entry gives its key to a current one and gets a generated key. */
export async function freeKey(changes: Changes, { apiKeyId, userId, key }: Named): Promise<void> {
  const held = { apiKeyId, userId, key, archived: false, supersededBy: { $ne: null } };
  const ended = await changes.documents.findOne(held, { projection: { _id: 1 } });
  if (ended === null) return;
  const own = `${key.slice(0, LONGEST_KEY - ended._id.length - 1)}@${ended._id}`;
  await changes.documents.updateMany(
    { key, apiKeyId, userId, archived: true, supersededBy: null },
    { $set: { key: own }, $inc: { revision: 1 } },
  );
  await changes.change({ ...held, _id: ended._id }, { $set: { key: own }, $inc: { revision: 1 } });
}

/** Undoes a supersession: the superseded entry is valid again. Returns how many were restored. */
export async function bringBackSuperseded(changes: Changes, { _id, supersedes }: Link): Promise<number> {
  if (!supersedes) return 0;
  const older = await changes.change(
    { _id: supersedes, supersededBy: _id, archived: false },
    { $set: { validUntil: null, supersededBy: null, externalStale: 1 }, $inc: { revision: 1 } },
  );
  await changes.change({ _id }, { $set: { supersedes: null }, $inc: { revision: 1 } });
  return older === null ? 0 : 1;
}

/**
 * Links a stored entry to the one that it supersedes, as in an imported file; their times do not change. Earlier links
 * of both are removed. An entry of another owner, or one that is gone, is not linked.
 */
export async function relink(changes: Changes, newer: string, older: string | null): Promise<void> {
  const entry = await changes.documents.findOne({ _id: newer, archived: false }, LINKS);
  if (entry === null) return;
  const { apiKeyId, userId = null, supersedes: before = null } = entry;
  const named = { _id: older ?? '', apiKeyId, userId, archived: false };
  const wanted = older === null || older === newer ? null : await changes.documents.findOne(named, LINKS);
  const supersedes = wanted?._id ?? null;
  if (before !== supersedes) {
    if (before !== null) await setSupersededBy(changes, before, newer, null);
    await changes.change({ _id: newer }, { $set: { supersedes }, $inc: { revision: 1 } });
  }
  if (wanted === null || wanted.supersededBy === newer) return;
  const other = wanted.supersededBy;
  if (other !== null)
    await changes.change(
      { _id: other, supersedes: wanted._id },
      { $set: { supersedes: null }, $inc: { revision: 1 } },
    );
  await setSupersededBy(changes, wanted._id, other, newer);
}

const LINKS = { projection: { apiKeyId: 1, userId: 1, supersedes: 1, supersededBy: 1 } } as const;

async function setSupersededBy(
  changes: Changes,
  id: string,
  before: string | null,
  supersededBy: string | null,
): Promise<void> {
  await changes.change(
    { _id: id, supersededBy: before, archived: false },
    { $set: { supersededBy, externalStale: 1 }, $inc: { revision: 1 } },
  );
}

/** Before an entry is deleted: links its predecessor to its successor, or makes the predecessor valid again. */
export async function bridge(changes: Changes, entry: Link): Promise<void> {
  const { _id, supersedes = null, supersededBy } = entry;
  if (supersededBy === null) {
    await bringBackSuperseded(changes, entry);
    return;
  }
  await changes.change(
    { _id: supersededBy, supersedes: _id },
    { $set: { supersedes }, $inc: { revision: 1 } },
  );
  if (supersedes === null) return;
  const next = await changes.documents.findOne({ _id: supersededBy }, { projection: WITHOUT_VECTOR });
  await changes.change(
    { _id: supersedes, supersededBy: _id },
    { $set: { supersededBy, validUntil: next?.validFrom ?? null, externalStale: 1 }, $inc: { revision: 1 } },
  );
}

/** The entry, its successors and its predecessors, newest first. */
export async function historyOf(
  documents: Collection<EntryDocument>,
  entry: EntryDocument,
): Promise<EntryDocument[]> {
  const found = [entry];
  const seen = new Set([entry._id]);
  const next = async (id: string | null | undefined): Promise<EntryDocument | null> => {
    if (!id || seen.has(id) || found.length === LONGEST_HISTORY) return null;
    seen.add(id);
    return documents.findOne({ _id: id, archived: false }, { projection: WITHOUT_VECTOR });
  };
  for (let newer = await next(entry.supersededBy); newer !== null; newer = await next(newer.supersededBy))
    found.unshift(newer);
  for (let older = await next(entry.supersedes); older !== null; older = await next(older.supersedes))
    found.push(older);
  return found;
}
