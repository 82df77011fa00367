import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Collection, StorageError } from 'plugboard/sdk';
import { openStore } from '../../../support/storage/open-store.js';
import { eachStore } from '../../../support/stores.js';
import { suiteStore, type Anything } from '../../../support/storage/store-of-test.js';

eachStore('indexes', (store) => {
  const suite = suiteStore(store);

  test('a unique index over several paths names them when it refuses', async () => {
    const collection = await suite.collection([{ keys: { owner: 1, 'a.name': -1 }, unique: true }]);
    await collection.insertOne({ _id: '1', owner: 'x', a: { name: 'n' } });
    await collection.insertOne({ _id: '2', owner: 'x', a: { name: 'm' } });
    const refused = { code: 'duplicate_key', index: 'owner,a.name' };
    await assert.rejects(collection.insertOne({ _id: '3', owner: 'x', a: { name: 'n' } }), refused);
    await assert.rejects(collection.updateOne({ _id: '2' }, { $set: { 'a.name': 'n' } }), refused);
    await assert.rejects(
      collection.replaceOne({ _id: '2' }, { _id: '2', owner: 'x', a: { name: 'n' } }),
      refused,
    );
    await assert.rejects(
      collection.bulkWrite([{ insertOne: { _id: '3', owner: 'x', a: { name: 'n' } } }]),
      refused,
    );
    assert.equal(await collection.countDocuments({}), 2);
  });

  test('unique over documents that share a value is not built, and names them', async () => {
    const config = await store.fresh();
    const first = await openStore(config);
    const rows = first.storage.collection<Anything>({ name: 'rows' });
    await first.start();
    await rows.insertMany(Array.from({ length: 30 }, (_, at) => ({ _id: `r${at % 10}.${at}`, v: at % 10 })));
    await rows.insertOne({ _id: 'alone', v: 99 });
    await first.close();
    const second = await openStore(config);
    try {
      const declare = async (): Promise<void> => {
        second.storage.collection({ name: 'rows', indexes: [{ keys: { v: 1 }, unique: true }] });
        await second.start();
      };
      await assert.rejects(declare, (error: StorageError) => {
        assert.equal(error.code, 'duplicate_key');
        assert.equal(error.index, 'v');
        assert.equal(error.documents?.length, 10);
        assert.ok(error.documents.every((id) => /^r\d\.\d+$/.test(id)));
        assert.match(error.message, /unique index on v of ".*rows".*"r\d\.\d+".*share a value; remove/);
        return true;
      });
    } finally {
      await second.close();
    }
  });

  test('a unique index that is declared later and refused fails for who asked, and calls go on', async () => {
    const opened = await openStore(await store.fresh());
    try {
      const rows = opened.storage.collection<Anything>({ name: 'rows' });
      await opened.start();
      await rows.insertMany([
        { _id: 'a', v: 1 },
        { _id: 'b', v: 1 },
      ]);
      const spec = { name: 'rows', indexes: [{ keys: { v: 1 as const }, unique: true }] };
      const unique = opened.storage.collection<Anything>(spec);
      await assert.rejects(unique.ready(), { code: 'duplicate_key', index: 'v' });
      assert.equal(await rows.countDocuments({ v: 1 }), 2);
      await opened.storage.transaction((tx) => rows.with(tx).insertOne({ _id: 'c', v: 3 }));
      await rows.updateOne({ _id: 'b' }, { $set: { v: 2 } });
      await opened.storage.collection<Anything>(spec).ready();
      await assert.rejects(rows.insertOne({ _id: 'd', v: 2 }), { code: 'duplicate_key', index: 'v' });
    } finally {
      await opened.close();
    }
  });

  test('unique takes missing for null', async () => {
    const collection = await suite.collection([{ keys: { v: 1 }, unique: true }]);
    await collection.insertOne({ _id: '1' });
    await assert.rejects(collection.insertOne({ _id: '2', v: null }), { code: 'duplicate_key', index: 'v' });
  });

  test('unique takes 1 and 1n for equal', async () => {
    const collection = await suite.collection([{ keys: { v: 1 }, unique: true }]);
    await collection.insertOne({ _id: '1', v: 1 });
    await assert.rejects(collection.insertOne({ _id: '2', v: 1n }), { code: 'duplicate_key' });
  });

  test('unique goes over the items of an array', async () => {
    const collection = await suite.collection([{ keys: { v: 1 }, unique: true }]);
    await collection.insertOne({ _id: '1', v: ['a', 'b'] });
    await assert.rejects(collection.insertOne({ _id: '2', v: ['b', 'c'] }), { code: 'duplicate_key' });
    await collection.insertOne({ _id: '3', v: ['c', 'c'] });
  });

  test('sparse over several paths holds only documents that have them all', async () => {
    const collection = await suite.collection([{ keys: { a: 1, b: 1 }, unique: true, sparse: true }]);
    await collection.insertMany([
      { _id: '1', a: 1 },
      { _id: '2', a: 1 },
      { _id: '3', a: 1, b: null },
    ]);
    await assert.rejects(collection.insertOne({ _id: '4', a: 1, b: null }), {
      code: 'duplicate_key',
      index: 'a,b',
    });
  });

  test('sparse leaves out no document that a bound of null looks for', async () => {
    const collection = await suite.collection([{ keys: { v: 1 }, sparse: true }]);
    await collection.insertMany([{ _id: '1', v: 1 }, { _id: '2', v: null }, { _id: '3' }]);
    for (const bound of [{ $lte: null }, { $gte: null }]) {
      const filter = { v: bound } as never;
      assert.deepEqual(
        (await collection.find(filter, { sort: { _id: 1 } }).toArray()).map(({ _id }) => _id),
        ['2', '3'],
      );
      assert.equal(await collection.countDocuments(filter), 2);
      assert.equal((await collection.updateMany(filter, { $set: { x: 1 } })).matched, 2);
    }
  });

  test('partial holds only documents that match', async () => {
    const collection = await suite.collection([
      { keys: { v: 1 }, unique: true, partial: { live: true } as never },
    ]);
    await collection.insertMany([
      { _id: '1', v: 1, live: true },
      { _id: '2', v: 1, live: false },
      { _id: '3', v: 1 },
    ]);
    await assert.rejects(collection.updateOne({ _id: '2' }, { $set: { live: true } }), {
      code: 'duplicate_key',
    });
    await collection.updateOne({ _id: '1' }, { $set: { live: false } });
    await collection.updateOne({ _id: '2' }, { $set: { live: true } });
  });

  test('a long value is unique too', async () => {
    const collection = await suite.collection([{ keys: { v: 1 }, unique: true }]);
    const long = 'x'.repeat(5000);
    await collection.insertOne({ _id: '1', v: `${long}a` });
    await collection.insertOne({ _id: '2', v: `${long}b` });
    await assert.rejects(collection.insertOne({ _id: '3', v: `${long}a` }), { code: 'duplicate_key' });
    assert.equal((await collection.findOne({ v: `${long}b` }))?._id, '2');
  });
});

eachStore('expiry', (store) => {
  const suite = suiteStore(store);
  const indexes = [
    { keys: { at: 1 as const }, expireAfterSeconds: 60 },
    { keys: { name: 1 as const }, unique: true, sparse: true },
  ];

  test('a document is gone from the very instant on, for every call', async () => {
    const { clock } = suite;
    const collection = await suite.collection(indexes);
    const at = new Date(clock.time);
    await collection.insertMany([
      { _id: 'a', at },
      { _id: 'b', at: 'never' },
      { _id: 'c' },
      { _id: 'd', at: [at] },
    ]);
    clock.time += 59_999;
    assert.equal(await collection.countDocuments({}), 4);
    clock.time += 1;
    assert.equal(await collection.countDocuments({}), 2);
    assert.equal(await collection.findOne({ _id: 'a' }), null);
    assert.deepEqual((await collection.find({}).toArray()).map(({ _id }) => _id).sort(), ['b', 'c']);
    assert.deepEqual(await collection.distinct('_id'), ['b', 'c']);
    assert.equal((await collection.updateOne({ _id: 'a' }, { $set: { x: 1 } })).matched, 0);
    assert.equal((await collection.updateMany({}, { $set: { x: 1 } })).matched, 2);
    assert.equal(await collection.findOneAndUpdate({ _id: 'a' }, { $set: { x: 1 } }), null);
    assert.equal(await collection.findOneAndDelete({ _id: 'a' }), null);
    assert.equal(await collection.deleteOne({ _id: 'a' }), 0);
    assert.equal(await collection.deleteMany({}), 2);
  });

  for (const [name, write] of Object.entries<(collection: Collection<Anything>) => Promise<unknown>>({
    insertOne: (collection) => collection.insertOne({ _id: 'a', name: 'n', fresh: true }),
    insertMany: (collection) => collection.insertMany([{ _id: 'z' }, { _id: 'a', name: 'n', fresh: true }]),
    'an upsert': (collection) =>
      collection.updateOne({ _id: 'a' }, { $set: { name: 'n', fresh: true } }, { upsert: true }),
    'an insert with another id but the same unique name': (collection) =>
      collection.insertOne({ _id: 'b', name: 'n', fresh: true }),
    'an insert in a transaction': (collection) =>
      suite.storage.transaction((tx) => collection.with(tx).insertOne({ _id: 'a', name: 'n', fresh: true })),
  })) {
    test(`${name} takes the place of an expired document`, async () => {
      const collection = await suite.collection(indexes);
      await collection.insertOne({ _id: 'a', name: 'n', old: 1, at: new Date(suite.clock.time) });
      suite.clock.time += 60_000;
      await write(collection);
      const [found] = await collection.find({ name: 'n' }).toArray();
      assert.equal(found?.['fresh'], true);
      assert.equal(found?.['old'], undefined);
    });
  }

  for (const [name, increment] of Object.entries<(collection: Collection<Anything>) => Promise<unknown>>({
    updateMany: (collection) => collection.updateMany({ live: true }, { $inc: { n: 1 } }),
    bulkWrite: (collection) =>
      collection.bulkWrite([{ updateMany: { filter: { live: true }, update: { $inc: { n: 1 } } } }]),
  })) {
    test(`${name} among expired documents changes each of the others once`, async () => {
      const expiring = { keys: { at: 1 as const }, expireAfterSeconds: 60 };
      const collection = await suite.collection([expiring, { keys: { n: 1 }, unique: true }]);
      await collection.insertOne({ _id: 'expired', n: 12, at: new Date(suite.clock.time) });
      for (const [at, n] of [30, 20, 11].entries())
        await collection.insertOne({ _id: `${at}`, n, live: true });
      suite.clock.time += 60_000;
      await increment(collection);
      const found = await collection.find({}, { sort: { n: 1 } }).toArray();
      assert.deepEqual(
        found.map(({ n }) => n),
        [12, 21, 31],
      );
    });
  }

  test('a living document is not pushed out', async () => {
    const collection = await suite.collection(indexes);
    await collection.insertOne({ _id: 'a', at: new Date(suite.clock.time) } as Anything);
    suite.clock.time += 59_999;
    await assert.rejects(collection.insertOne({ _id: 'a' }), { code: 'duplicate_key', index: '_id' });
  });
});
