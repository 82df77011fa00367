import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Filter, Update } from 'plugboard/sdk';
import { eachStore } from '../../../support/stores.js';
import { suiteStore, type Anything } from '../../../support/storage/store-of-test.js';

eachStore('upserts', (store) => {
  const suite = suiteStore(store);

  const inserted: [name: string, filter: object, document: object][] = [
    ['an equality', { x: 1 }, { x: 1 }],
    ['an equality with null', { x: { $eq: null } }, { x: null }],
    ['an array that is looked for', { x: [1, 2] }, { x: [1, 2] }],
    ['the parts of an $and', { $and: [{ x: 1 }, { o: { k: 2 } }] }, { o: { k: 2 }, x: 1 }],
    ['an $or of one part', { $or: [{ x: 1, 'o.k': 2 }] }, { o: { k: 2 }, x: 1 }],
    ['an $in of one value', { x: { $in: [1] } }, { x: 1 }],
    ['an $in of one value twice', { x: { $in: [1, 1n] } }, { x: 1 }],
    ['nothing of an $or of two parts', { $or: [{ x: 1 }, { x: 1 }] }, {}],
    ['nothing of an $in of two values', { x: { $in: [1, 2] } }, {}],
    ['nothing of other conditions', { x: { $gt: 1 }, $nor: [{ y: 1 }], z: { $not: { $ne: 1 } } }, {}],
    ['paths in their order', { z: 1, 'o.l': 2, b: 3, 'o.k': 4 }, { b: 3, o: { k: 4, l: 2 }, z: 1 }],
  ];
  for (const [name, filter, document] of inserted) {
    test(`insert ${name}`, async () => {
      const collection = await suite.collection();
      const wanted = { _id: 'a', ...filter } as Filter<Anything>;
      const result = await collection.updateOne(wanted, { $set: { new: true } }, { upsert: true });
      assert.equal(result.upsertedId, 'a');
      const found = await collection.findOne({});
      const expected = { _id: 'a', ...document, new: true };
      assert.deepEqual(found, expected);
      assert.equal(JSON.stringify(found), JSON.stringify(expected));
    });
  }

  for (const [name, filter] of Object.entries({
    $in: { _id: { $in: ['a'] } },
    'an $or of one part': { $or: [{ _id: 'a' }] },
  })) {
    test(`take their id from ${name}`, async () => {
      const collection = await suite.collection();
      const wanted = filter as unknown as Filter<Anything>;
      assert.equal(
        (await collection.updateOne(wanted, { $set: { x: 1 } }, { upsert: true })).upsertedId,
        'a',
      );
      const other = collection.replaceOne(
        JSON.parse(JSON.stringify(filter).replace('"a"', '"b"')) as Filter<Anything>,
        { _id: 'c' },
        { upsert: true },
      );
      await assert.rejects(other, { code: 'invalid' });
      assert.deepEqual(await collection.find({}).toArray(), [{ _id: 'a', x: 1 }]);
    });
  }

  const refused: [name: string, filter: object, update: object][] = [
    ['another _id by $set', {}, { $set: { _id: 'd' } }],
    ['another _id by $setOnInsert', {}, { $setOnInsert: { _id: 'd' } }],
    ['a filter that names a path twice', { x: 1, $and: [{ x: 2 }] }, { $set: { y: 1 } }],
    ['a filter that names a path twice with one value', { $and: [{ x: 1 }, { x: 1 }] }, { $set: { y: 1 } }],
    ['a filter that names a path and one below it', { o: { k: 1 }, 'o.l': 2 }, { $set: { y: 1 } }],
    ['an $and that is not a list', { $and: 5 }, { $set: { y: 1 } }],
    ['an $and of null', { $and: [null] }, { $set: { y: 1 } }],
  ];
  for (const [name, others, given] of refused) {
    test(`are refused with ${name}`, async () => {
      const collection = await suite.collection();
      const filter = { _id: 'a', ...others } as Filter<Anything>;
      const update = given as Update<Anything>;
      const upsert = true;
      for (const call of [
        () => collection.updateOne(filter, update, { upsert }),
        () => collection.findOneAndUpdate(filter, update, { upsert }),
        () => collection.bulkWrite([{ updateOne: { filter, update, upsert } }]),
      ])
        await assert.rejects(call, { name: 'StorageError', code: 'invalid' });
      assert.equal(await collection.countDocuments({}), 0);
    });
  }

  test('with another _id are no matter where a document is found', async () => {
    const collection = await suite.holding<Anything>({ _id: 'a' });
    const update = { $set: { x: 1 }, $setOnInsert: { _id: 'd' } };
    assert.equal((await collection.updateOne({ _id: 'a' }, update, { upsert: true })).modified, 1);
    assert.deepEqual(await collection.find({}).toArray(), [{ _id: 'a', x: 1 }]);
  });
});
