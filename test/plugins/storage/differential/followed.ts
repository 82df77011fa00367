/** A feed of a collection's changes, read at the end of a sequence and held against what is stored. */
import assert from 'node:assert/strict';
import type { Change, ChangeFeed, Collection, ResumeToken } from 'plugboard/sdk';
import type { Anything } from '../../../support/storage/store-of-test.js';

/** No document of a sequence has this id. */
const MARK = 'mark';

export interface Followed {
  /**
   * Reads the feed to its end, once whole and once more from its middle. Throws when the documents that were there
   * at the opening, changed as the feed tells, are not those of now. Answers what must be alike on both stores: how
   * often each document was deleted.
   */
  deletions(): Promise<Readonly<Record<string, number>>>;
}

/** Opens a feed at once. `expiring`: documents may leave the reads without a change. */
export async function follow(collection: Collection<Anything>, expiring: boolean): Promise<Followed> {
  const feed = await collection.changes();
  const before = await collection.find({}).toArray();
  return {
    deletions: async () => {
      const now = await collection.find({}).toArray();
      await collection.insertOne({ _id: MARK });
      const changes = await readToMark(feed);
      await collection.deleteOne({ _id: MARK });

      const told = applied(before, changes);
      if (expiring) for (const id of told.keys()) if (!now.some(({ _id }) => _id === id)) told.delete(id);
      assert.deepEqual(told, applied(now, []), 'the feed of changes does not lead to what is stored');
      await checkResuming(collection, feed.token, changes);
      return expiring ? {} : countDeletions(changes);
    },
  };
}

async function checkResuming(
  collection: Collection<Anything>,
  end: ResumeToken,
  changes: readonly Change<Anything>[],
): Promise<void> {
  const middle = changes[Math.floor(changes.length / 2)];
  if (middle === undefined) return;
  assert.notEqual(middle.token, end);
  const rest = await readToMark(await collection.changes({ after: middle.token }));
  const expected = changes.slice(changes.indexOf(middle) + 1);
  assert.deepEqual(rest, expected, 'a feed resumed in the middle tells something else');
}

async function readToMark(feed: ChangeFeed<Anything>): Promise<Change<Anything>[]> {
  const changes: Change<Anything>[] = [];
  for await (const change of feed) {
    if (change.id === MARK) break;
    changes.push(change);
  }
  return changes;
}

function applied(before: readonly Anything[], changes: readonly Change<Anything>[]): Map<string, Anything> {
  const documents = new Map(before.map((document) => [document._id, document]));
  for (const change of changes) {
    if (change.kind === 'put') documents.set(change.id, change.document);
    else documents.delete(change.id);
  }
  return documents;
}

function countDeletions(changes: readonly Change<Anything>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, id } of changes) if (kind === 'delete') counts[id] = (counts[id] ?? 0) + 1;
  return counts;
}
