/** Change feeds on a replica set, beyond the life of a process and beyond the history of the server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResumeToken } from 'plugboard/sdk';
import { openStore } from '../../../support/storage/open-store.js';
import type { Anything } from '../../../support/storage/store-of-test.js';
import { eachStore } from '../../../support/stores.js';

eachStore('change feeds of a replica set', (store) => {
  if (store.name !== 'mongodb') return;

  test('resume where they were when the provider was closed and opened again', async () => {
    const config = await store.fresh();
    const before = await openStore(config);
    const first = before.storage.collection<Anything>({ name: 'rows' });
    const feed = await first.changes();
    await first.insertOne({ _id: 'seen' });
    for await (const change of feed) if (change.id === 'seen') break;
    const { token } = feed;
    await first.insertOne({ _id: 'not seen' });
    await feed.close();
    await before.close();

    const writer = await openStore(config);
    await writer.storage.collection<Anything>({ name: 'rows' }).insertOne({ _id: 'while away' });
    await writer.close();

    const after = await openStore(config);
    const second = after.storage.collection<Anything>({ name: 'rows' });
    const seen: string[] = [];
    for await (const change of await second.changes({ after: token })) {
      seen.push(change.id);
      if (seen.length === 2) break;
    }
    assert.deepEqual(seen, ['not seen', 'while away']);
    await after.close();
  });

  test('have lost their history when the token is older than the oplog, or is made up', async (context) => {
    const opened = await openStore(await store.fresh());
    context.after(() => opened.close());
    const collection = opened.storage.collection<Anything>({ name: 'rows' });
    const feed = await collection.changes();
    await collection.insertOne({ _id: 'a' });
    for await (const change of feed) if (change.id === 'a') break;
    const { token } = feed;
    // A token begins with the type of a timestamp (82) and its seconds in four bytes.
    const ancient = token.replace(/^82.{8}/, '8200000001') as ResumeToken;
    assert.notEqual(ancient, token);
    for (const lost of [ancient, 'ABCDEF' as ResumeToken, '' as ResumeToken])
      await assert.rejects(collection.changes({ after: lost }), { code: 'history_lost' });
  });

  test('may be left by a break and taken up again where they were', async (context) => {
    const opened = await openStore(await store.fresh());
    context.after(() => opened.close());
    const collection = opened.storage.collection<Anything>({ name: 'rows' });
    const feed = await collection.changes();
    await collection.insertMany([{ _id: 'a' }, { _id: 'b' }]);
    const seen: string[] = [];
    for (const end of ['a', 'b'])
      for await (const change of feed) {
        seen.push(change.id);
        if (change.id === end) break;
      }
    assert.deepEqual(seen, ['a', 'b']);
  });
});
