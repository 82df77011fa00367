import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change, ChangeFeed, ResumeToken } from 'plugboard/sdk';
import { eachStore } from '../../../support/stores.js';
import { suiteStore, type Anything } from '../../../support/storage/store-of-test.js';

/** Reads until a change says `end`; `+a` is a put of a, `-a` a deletion. */
async function readToEnd(feed: ChangeFeed<Anything>): Promise<string[]> {
  const seen: string[] = [];
  for await (const change of feed) {
    if (change.id === 'end') break;
    seen.push(`${change.kind === 'put' ? '+' : '-'}${change.id}`);
  }
  return seen;
}

eachStore('change feeds', (store) => {
  const suite = suiteStore(store);

  test('bring every later change, in the order in which it was stored', async () => {
    const collection = await suite.holding<Anything>({ _id: 'before' });
    const feed = await collection.changes();
    await collection.insertOne({ _id: 'a', n: 1 });
    await collection.insertMany([{ _id: 'b' }, { _id: 'c' }]);
    await collection.updateOne({ _id: 'a' }, { $set: { n: 2 } });
    await collection.replaceOne({ _id: 'b' }, { _id: 'b', m: 1 });
    await collection.deleteOne({ _id: 'c' });
    await suite.storage.transaction(async (tx) => {
      await collection.with(tx).insertOne({ _id: 'd' });
      await collection.with(tx).deleteOne({ _id: 'before' });
    });
    await collection.insertOne({ _id: 'end' });
    // A put carries the newest state, so one of a document that is gone by now may be left out: its deletion follows.
    const seen = (await readToEnd(feed)).filter((change) => change !== '+c');
    assert.deepEqual(seen, ['+a', '+b', '+a', '+b', '-c', '+d', '-before']);
  });

  test('carry the document', async () => {
    const collection = await suite.collection();
    const feed = await collection.changes();
    const document = { _id: 'a', bytes: new Uint8Array([1]), n: 5n, at: new Date(7) };
    await collection.insertOne(document);
    const iterator = feed[Symbol.asyncIterator]();
    const { value } = (await iterator.next()) as { value: Change<Anything> };
    assert.equal(value.kind, 'put');
    assert.deepEqual(value.kind === 'put' && value.document, document);
    await feed.close();
  });

  test('know nothing of what was rolled back or of other collections', async () => {
    const [collection, other] = [await suite.collection(), await suite.collection()];
    const feed = await collection.changes();
    await other.insertOne({ _id: 'x' });
    await suite.storage
      .transaction(async (tx) => {
        await collection.with(tx).insertOne({ _id: 'y' });
        throw new Error('back');
      })
      .catch(() => {});
    await collection.insertOne({ _id: 'end' });
    assert.deepEqual(await readToEnd(feed), []);
  });

  test('resume after a token, of a change or of the feed', async () => {
    const collection = await suite.collection();
    const feed = await collection.changes();
    const start = feed.token;
    for (const _id of ['a', 'b', 'c', 'end']) await collection.insertOne({ _id });
    const tokens: ResumeToken[] = [];
    for await (const change of feed) {
      tokens.push(change.token);
      assert.equal(feed.token, change.token);
      if (change.id === 'end') break;
    }
    assert.deepEqual(await readToEnd(await collection.changes({ after: start })), ['+a', '+b', '+c']);
    assert.deepEqual(await readToEnd(await collection.changes({ after: tokens[1]! })), ['+c']);
  });

  test('refuse a token that is none of this store', async () => {
    const collection = await suite.collection();
    await assert.rejects(collection.changes({ after: 'nonsense' as ResumeToken }), { code: 'history_lost' });
  });

  test('end when they are closed and when their signal is aborted', async () => {
    const collection = await suite.collection();
    const stopping = new AbortController();
    const [one, other] = [await collection.changes(), await collection.changes({ signal: stopping.signal })];
    const ends = [one, other].map(async (feed) => {
      for await (const change of feed) assert.fail(`a change from nowhere: ${change.id}`);
    });
    await one.close();
    stopping.abort();
    await Promise.all(ends);
  });
});
