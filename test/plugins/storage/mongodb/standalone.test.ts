/** A mongod outside of a replica set: what works, and what is refused in clear words. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ResumeToken } from 'plugboard/sdk';
import { logEntries } from '../../../support/log-entries.js';
import { Mongod, mongodMissing } from '../../../support/mongod/mongod.js';
import { openStore, type OpenStore } from '../../../support/storage/open-store.js';
import type { Anything } from '../../../support/storage/store-of-test.js';

describe('a standalone mongod', { skip: mongodMissing }, () => {
  const log = logEntries();
  let mongod: Mongod | undefined;
  let store: OpenStore | undefined;
  before(async () => {
    mongod = await Mongod.start();
    store = await openStore({ use: 'mongodb', url: mongod.url, database: 'standalone' }, { log });
  });
  after(async () => {
    await store?.close();
    await mongod?.[Symbol.asyncDispose]();
  });
  const collectionOf = async (name: string) => {
    const collection = store!.storage.collection<Anything>({ name });
    await store!.start();
    return collection;
  };

  test('is reported in one line of the log at the start, and by the readiness check', async () => {
    assert.deepEqual(log.at('warn'), [
      'this MongoDB is a standalone server: transactions are refused and change feeds hold this server’s own ' +
        'writes only; start mongod with --replSet to have both',
    ]);
    assert.deepEqual(await store!.check(), { deployment: 'standalone' });
  });

  test('refuses a transaction with "unsupported" and what to do, before its work has begun', async () => {
    let begun = false;
    const refused = store!.storage.transaction(async () => {
      begun = true;
    });
    await assert.rejects(refused, { code: 'unsupported', message: /--replSet/ });
    assert.equal(begun, false);
  });

  test('feeds bring every kind of write of this process, in order, with the documents', async () => {
    const collection = await collectionOf('every_kind');
    await collection.insertOne({ _id: 'before' });
    const feed = await collection.changes();
    await collection.insertOne({ _id: 'a', n: 1 });
    await collection.insertMany([{ _id: 'b' }, { _id: 'c' }]);
    await collection.updateOne({ _id: 'u' }, { $set: { n: 1 } }, { upsert: true });
    await collection.updateMany({ n: 1 }, { $inc: { n: 1 } });
    await collection.replaceOne({ _id: 'b' }, { _id: 'b', m: 1 });
    await collection.findOneAndUpdate({ _id: 'a' }, { $set: { n: 9 } });
    await collection.bulkWrite([{ deleteOne: { filter: { _id: 'c' } } }, { insertOne: { _id: 'd' } }]);
    await collection.findOneAndDelete({ _id: 'before' });
    await collection.deleteMany({ m: 1 });
    await collection.insertOne({ _id: 'end' });
    const seen: unknown[] = [];
    for await (const change of feed) {
      if (change.id === 'end') break;
      seen.push(change.kind === 'put' ? change.document : `-${change.id}`);
    }
    assert.deepEqual(seen, [
      { _id: 'a', n: 1 },
      { _id: 'b' },
      { _id: 'c' },
      { _id: 'u', n: 1 },
      { _id: 'a', n: 2 },
      { _id: 'u', n: 2 },
      { _id: 'b', m: 1 },
      { _id: 'a', n: 9 },
      '-c',
      { _id: 'd' },
      '-before',
      '-b',
    ]);
  });

  test('a feed resumes after a token of this process; one of another process has lost its history', async () => {
    const collection = await collectionOf('resumed');
    const feed = await collection.changes();
    await collection.insertOne({ _id: 'a' });
    await collection.insertOne({ _id: 'b' });
    const ids: string[] = [];
    for await (const change of await collection.changes({ after: feed.token })) {
      ids.push(change.id);
      if (change.id === 'b') break;
    }
    assert.deepEqual(ids, ['a', 'b']);
    const foreign = '00000000-0000-4000-8000-000000000000:0' as ResumeToken;
    await assert.rejects(collection.changes({ after: foreign }), { code: 'history_lost' });
  });
});
