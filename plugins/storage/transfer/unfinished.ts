/** Marks a store while an import runs, so that no server starts on half of the data. */
import { UserError } from 'plugboard/sdk';
import type { WholeStore } from './whole-store.js';

/** Not part of an export. */
export const MARKS = 'storage/imports';
const MARK = { _id: 'unfinished' };

export async function markUnfinished(store: WholeStore): Promise<void> {
  await (await store.open(MARKS)).replaceOne(MARK, MARK, { upsert: true });
}

export async function markFinished(store: WholeStore): Promise<void> {
  await (await store.open(MARKS)).deleteOne(MARK);
}

/** Throws a `UserError` that says what to do. */
export async function assertNoUnfinishedImport(store: WholeStore): Promise<void> {
  if (!(await store.collections()).includes(MARKS)) return;
  if ((await (await store.open(MARKS)).findOne(MARK)) !== null)
    throw new UserError(
      'an import into this store was broken off: run the same "plugboard data import" again, or take an empty store',
    );
}
