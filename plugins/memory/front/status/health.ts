/** Health check of the storage: write, list, delete. Calls no model and removes what it wrote. */
import { newId, type Clock, type Collection, type Static } from 'plugboard/sdk';
import type { EntryDocument } from '../../engine/entries/document.js';
import { upsertOf } from '../../engine/entries/write.js';
import type { Health } from '../schema/engine.js';

const MINUTE_MS = 60_000;

/**
 * The probe is an ordinary entry, archived from the start: no list, search or index shows it. If the server crashes
 * before deleting it, it expires.
 */
export async function probe(
  entries: Collection<EntryDocument>,
  clock: Clock,
): Promise<Static<typeof Health>> {
  const begin = performance.now();
  const id = newId();
  try {
    await roundTrip(entries, id, clock.now());
    return { working: true, latencyMs: since(begin), error: null };
  } catch {
    await entries.deleteOne({ _id: id }).catch(() => {});
    return {
      working: false,
      latencyMs: since(begin),
      error: 'the storage did not write, list and delete an entry',
    };
  }
}

async function roundTrip(entries: Collection<EntryDocument>, id: string, now: number): Promise<void> {
  const expiresAt = new Date(now + MINUTE_MS).toISOString();
  const entry = { content: 'probe', key: id, type: 'factual' as const, expiresAt };
  const update = upsertOf(entry, null, new Date(now), id);
  const $set = { ...update.$set, needsReindex: 0, externalStale: 0 };
  const mine = { apiKeyId: `health:${id}`, key: id, archived: true };
  const $setOnInsert = { ...update.$setOnInsert, archivedAt: new Date(now) };
  await entries.findOneAndUpdate(mine, { ...update, $set, $setOnInsert }, { upsert: true });
  const listed = await entries.find(mine).toArray();
  const deleted = await entries.deleteOne({ _id: id });
  if (listed.length !== 1 || listed[0]?._id !== id || deleted !== 1)
    throw new Error('the round trip was not closed');
}

function since(begin: number): number {
  return Math.round((performance.now() - begin) * 100) / 100;
}
