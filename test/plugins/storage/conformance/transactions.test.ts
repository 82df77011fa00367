import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isStorageError,
  type Collection,
  type Filter,
  type Update,
  type WriteOperation,
} from 'plugboard/sdk';
import { eachStore } from '../../../support/stores.js';
import { suiteStore, type Anything } from '../../../support/storage/store-of-test.js';

eachStore('transactions', (store) => {
  const suite = suiteStore(store);

  test('all is stored together and the value of the work returned', async () => {
    const [one, other] = [await suite.collection(), await suite.collection()];
    const value = await suite.storage.transaction(async (tx) => {
      await one.with(tx).insertOne({ _id: 'a' });
      await other.with(tx).insertMany([{ _id: 'b' }, { _id: 'c' }]);
      return 42;
    });
    assert.equal(value, 42);
    assert.deepEqual([await one.countDocuments({}), await other.countDocuments({})], [1, 2]);
  });

  test('a throw rolls back everything and is thrown on', async () => {
    const collection = await suite.holding({ _id: 'a', n: 1 });
    const mine = new Error('mine');
    const work = suite.storage.transaction(async (tx) => {
      const inside = collection.with(tx);
      await inside.updateOne({ _id: 'a' }, { $set: { n: 2 } });
      await inside.insertOne({ _id: 'b', n: 1 });
      await inside.deleteMany({ n: 2 });
      throw mine;
    });
    await assert.rejects(work, mine);
    assert.deepEqual(await collection.find({}).toArray(), [{ _id: 'a', n: 1 }]);
  });

  test('reads inside see its own writes, reads outside do not', async () => {
    const collection = await suite.holding({ _id: 'a', n: 1 });
    await suite.storage.transaction(async (tx) => {
      const inside = collection.with(tx);
      await inside.updateOne({ _id: 'a' }, { $set: { n: 2 } });
      await inside.insertOne({ _id: 'b', n: 3 });
      assert.equal(await inside.countDocuments({ n: { $gte: 2 } }), 2);
      assert.deepEqual(
        (await inside.find({}, { sort: { n: -1 } }).toArray()).map(({ _id }) => _id),
        ['b', 'a'],
      );
      assert.equal((await collection.findOne({ _id: 'a' }))?.['n'], 1);
      assert.equal(await collection.countDocuments({}), 1);
    });
    assert.equal(await collection.countDocuments({ n: { $gte: 2 } }), 2);
  });

  test('calls that are made at once are all done', async () => {
    const collection = await suite.collection();
    await suite.storage.transaction(async (tx) => {
      await Promise.all([...'abcdef'].map((_id) => collection.with(tx).insertOne({ _id })));
    });
    assert.equal(await collection.countDocuments({}), 6);
  });

  test('a duplicate inside refuses the whole, by its code', async () => {
    const collection = await suite.holding({ _id: 'a' });
    const work = suite.storage.transaction(async (tx) => {
      await collection.with(tx).insertOne({ _id: 'b' });
      await collection.with(tx).insertOne({ _id: 'a' });
    });
    await assert.rejects(work, { code: 'duplicate_key', index: '_id' });
    assert.equal(await collection.countDocuments({}), 1);
  });

  test('a refusal that the work swallows rolls back all the same', async () => {
    const collection = await suite.holding({ _id: 'a' });
    const work = suite.storage.transaction(async (tx) => {
      await collection.with(tx).insertOne({ _id: 'b' });
      await collection
        .with(tx)
        .insertOne({ _id: 'a' })
        .catch(() => {});
    });
    await assert.rejects(work, { code: 'duplicate_key' });
    assert.equal(await collection.countDocuments({}), 1);
  });

  const unknown = { $rename: { a: 'b' } } as Update<Anything>;
  for (const [name, refuse] of Object.entries<(inside: Collection<Anything>) => Promise<unknown>>({
    'a bulk write that is refused half way': (inside) =>
      inside.bulkWrite([
        { updateOne: { filter: { _id: 'b' }, update: { $set: { n: 1 } }, upsert: true } },
        { replaceOne: { filter: { _id: 'b' }, replacement: { _id: 'e' } } },
      ]),
    'an unknown operator of an update': (inside) => inside.updateOne({ _id: 'a' }, unknown),
    'two operators on one path': (inside) => inside.updateMany({}, { $set: { n: 0 }, $inc: { n: 0 } }),
    'an update without a match': (inside) => inside.findOneAndUpdate({ _id: 'z' }, unknown),
    'an unknown bulk operation': (inside) =>
      inside.bulkWrite([{ upsertOne: {} }] as unknown as WriteOperation<Anything>[]),
    'a value that cannot be stored': (inside) => inside.insertOne({ _id: 'c', f: () => 1 }),
    'a filter of findOne': (inside) => inside.findOne({ n: { $near: 1 } } as Filter<Anything>),
    'a filter of find': (inside) => inside.find({ n: { $near: 1 } } as Filter<Anything>).toArray(),
    'a cursor that is gone through': async (inside) => {
      for await (const _ of inside.find({}, { limit: 0 }));
    },
    'a path of distinct': (inside) => inside.distinct('$n'),
  })) {
    test(`${name} rolls back when the work swallows it, and refuses what follows`, async () => {
      const collection = await suite.holding<Anything>({ _id: 'a' });
      let refusal: unknown;
      const later: unknown[] = [];
      const keep = (error: unknown): void => void later.push(error);
      const work = suite.storage.transaction(async (tx) => {
        const inside = collection.with(tx);
        await inside.insertOne({ _id: 'first' });
        await refuse(inside).catch((error: unknown) => (refusal = error));
        await inside.insertOne({ _id: 'last' }).catch(keep);
        await inside.findOne({ _id: 'a' }).catch(keep);
      });
      await assert.rejects(work, (error) => error === refusal);
      assert.ok(isStorageError(refusal, 'invalid'));
      assert.deepEqual(later, [refusal, refusal]);
      assert.deepEqual(await collection.find({}).toArray(), [{ _id: 'a' }]);
    });
  }

  test('read and write by many at once loses no update, and few of them run again and again', async () => {
    const collection = await suite.holding<{ _id: string; n: number }>({ _id: 'a', n: 0 });
    let runs = 0;
    await Promise.all(
      Array.from({ length: 64 }, () =>
        suite.storage.transaction(async (tx) => {
          runs += 1;
          const found = await collection.with(tx).findOne({ _id: 'a' });
          await collection.with(tx).updateOne({ _id: 'a' }, { $set: { n: (found?.n ?? 0) + 1 } });
        }),
      ),
    );
    assert.equal((await collection.findOne({ _id: 'a' }))?.n, 64);
    assert.ok(runs < 64 * 4, `${runs} runs`);
  });

  test('a transaction that has ended takes no more calls', async () => {
    const collection = await suite.collection();
    const left = await suite.storage.transaction(async (tx) => collection.with(tx));
    await assert.rejects(left.insertOne({ _id: 'a' }), { code: 'invalid' });
  });

  test('bulkWrite inside is all or nothing', async () => {
    const collection = await suite.holding({ _id: 'a' });
    const work = suite.storage.transaction((tx) =>
      collection.with(tx).bulkWrite([{ insertOne: { _id: 'b' } }, { insertOne: { _id: 'a' } }]),
    );
    await assert.rejects(work, { code: 'duplicate_key' });
    assert.equal(await collection.countDocuments({}), 1);
  });
});
