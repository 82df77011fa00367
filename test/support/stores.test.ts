import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MongoClient } from 'mongodb';
import { eachStore } from './stores.js';

eachStore('a fresh store', (store) => {
  test('is another one at every call', async () => {
    const [one, two] = [await store.fresh(), await store.fresh()];
    assert.equal(one.use, store.name);
    assert.notDeepEqual(one, two);
  });

  if (store.name !== 'mongodb') return;
  test('lies on a mongod with transactions', async () => {
    const { url } = await store.fresh();
    await using client = new MongoClient(String(url));
    const hello = await client.db('admin').command({ hello: 1 });
    assert.equal(typeof hello['setName'], 'string');
  });
});
