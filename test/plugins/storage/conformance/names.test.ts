/** Names that JavaScript, BSON or a path has a meaning for: as members, as paths and as operators. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Collection, Filter, FindOptions, Update } from 'plugboard/sdk';
import { eachStore } from '../../../support/stores.js';
import { suiteStore, type Anything } from '../../../support/storage/store-of-test.js';

/** `__proto__` too is a member of its own. */
function holding(name: string, value: unknown): Record<string, unknown> {
  return JSON.parse(`{ ${JSON.stringify(name)}: ${JSON.stringify(value)} }`) as Record<string, unknown>;
}

eachStore('names that every object inherits', (store) => {
  const suite = suiteStore(store);

  for (const name of ['__proto__', 'constructor', 'toString']) {
    test(`${name} is missing where no member has the name`, async () => {
      const collection = await suite.collection();
      await collection.insertMany([{ _id: 'a' }, { _id: 'b', ...holding(name, 1) }]);
      const idsOf = async (condition: unknown): Promise<string> => {
        const found = await collection.find(holding(name, condition), { sort: { _id: 1 } }).toArray();
        return found.map(({ _id }) => _id).join('');
      };
      assert.equal(await idsOf(null), 'a');
      assert.equal(await idsOf(1), 'b');
      assert.equal(await idsOf({ $exists: true }), 'b');
      assert.equal(await idsOf({ $exists: false }), 'a');
      assert.equal(await idsOf({ $ne: null }), 'b');
    });

    test(`${name} is kept and left out by a projection like any other`, async () => {
      const inner = { ...holding(name, { y: 1 }), x: 2 };
      const document = { _id: 'a', ...holding(name, { z: 3 }), o: inner };
      const collection = await suite.holding<Anything>(document);
      const project = (projection: object) =>
        collection
          .findOne({}, { projection } as FindOptions<Anything>)
          .then((found) => JSON.stringify(found));
      assert.equal(await project({ o: 0 }), JSON.stringify({ _id: 'a', ...holding(name, { z: 3 }) }));
      assert.equal(
        await project({ _id: 0, 'o.x': 0 }),
        JSON.stringify({ ...holding(name, { z: 3 }), o: holding(name, { y: 1 }) }),
      );
      assert.equal(await project({ _id: 0, ...holding(name, 1) }), JSON.stringify(holding(name, { z: 3 })));
      assert.equal(
        await project({ _id: 0, [`o.${name}.y`]: 1 }),
        JSON.stringify({ o: holding(name, { y: 1 }) }),
      );
    });

    test(`${name} is not an operator`, async () => {
      const collection = await suite.holding<Anything>({ _id: 'a', x: 1 });
      const update = { $set: { x: 2 }, ...holding(name, { y: 1 }) } as Update<Anything>;
      const filter = { x: { $gt: 0, ...holding(name, 1) } } as Filter<Anything>;
      const refused = { name: 'StorageError', code: 'invalid' };
      await assert.rejects(collection.updateOne({ _id: 'a' }, update), refused);
      await assert.rejects(collection.find(filter).toArray(), refused);
      assert.deepEqual(await collection.findOne({}), { _id: 'a', x: 1 });
    });
  }
});

eachStore('paths that are none', (store) => {
  const suite = suiteStore(store);
  const calls: Record<string, (collection: Collection<Anything>, path: string) => Promise<unknown>> = {
    'a sort': (collection, path) => collection.find({}, { sort: { [path]: 1 } }).toArray(),
    'a projection': (collection, path) => collection.findOne({}, { projection: { [path]: 1 } }),
    distinct: (collection, path) => collection.distinct(path),
    $set: (collection, path) => collection.updateOne({ _id: 'a' }, { $set: { [path]: 1 } }),
    $unset: (collection, path) => collection.updateOne({ _id: 'a' }, { $unset: { [path]: true } }),
  };
  for (const [name, call] of Object.entries(calls)) {
    test(`are refused by ${name}`, async () => {
      const collection = await suite.holding<Anything>({ _id: 'a', x: 1 });
      for (const path of ['', '.', 'x.', '.x', 'x..y', '$', '$x', 'x.$', 'x.$[]', 'x\0y'])
        await assert.rejects(call(collection, path), { name: 'StorageError', code: 'invalid' }, `"${path}"`);
      await assert.doesNotReject(call(collection, 'y.0.a b'));
    });
  }

  test('are refused by a filter where no member can have the name', async () => {
    const collection = await suite.holding<Anything>({ _id: 'a' });
    for (const path of ['$x', 'x\0y'])
      await assert.rejects(collection.findOne({ [path]: null }), { code: 'invalid' });
  });
});

eachStore('members that cannot be stored', (store) => {
  const suite = suiteStore(store);

  test('_bsontype is refused wherever it is', async () => {
    const collection = await suite.holding<Anything>({ _id: 'a' });
    const value = { _bsontype: 'Long', low: 1, high: 0 };
    for (const call of [
      () => collection.insertOne({ _id: 'b', x: value }),
      () => collection.insertOne({ _id: 'b', _bsontype: 'Long' }),
      () => collection.insertMany([{ _id: 'b', x: [value] }]),
      () => collection.updateOne({ _id: 'z' }, { $set: { x: value } }),
      () => collection.updateOne({ _id: 'z' }, { $push: { x: { $each: [value] } } }),
      () => collection.replaceOne({ _id: 'a' }, { _id: 'a', x: { y: value } }),
      () => collection.findOne({ x: value }),
      () => collection.findOne({ x: { $in: [value] } }),
    ])
      await assert.rejects(call, { name: 'StorageError', code: 'invalid' });
    assert.deepEqual(await collection.find({}).toArray(), [{ _id: 'a' }]);
  });

  test('a replacement takes no member that begins with $, at the top', async () => {
    const collection = await suite.holding<Anything>({ _id: 'a' });
    const refused = { code: 'invalid', message: /\$x/ };
    const replacement = { _id: 'a', $x: 1 };
    await assert.rejects(collection.replaceOne({ _id: 'a' }, replacement), refused);
    await assert.rejects(
      collection.bulkWrite([{ replaceOne: { filter: { _id: 'a' }, replacement } }]),
      refused,
    );
    assert.deepEqual(await collection.find({}).toArray(), [{ _id: 'a' }]);
    await collection.replaceOne({ _id: 'a' }, { _id: 'a', o: { $x: 1 } });
    assert.deepEqual(await collection.findOne({}), { _id: 'a', o: { $x: 1 } });
  });

  test('what cannot be stored cannot be looked for, nor put where nothing matches', async () => {
    const circle: Record<string, unknown> = {};
    circle['a'] = [circle];
    circle['b'] = circle;
    const nested = (levels: number): unknown => (levels === 0 ? 1 : { in: nested(levels - 1) });
    const collection = await suite.holding<Anything>({ _id: 'a' });
    for (const value of [circle, nested(103), new Map(), () => 1, Symbol('s'), 2n ** 64n, new Date(NaN)])
      for (const call of [
        () => collection.findOne({ x: value }),
        () => collection.countDocuments({ x: { $gte: value } } as Filter<Anything>),
        () => collection.deleteMany({ x: { $nin: [value] } } as Filter<Anything>),
        () => collection.updateOne({ _id: 'z' }, { $set: { x: value } }),
        () => collection.updateOne({ _id: 'z' }, { $push: { x: value } }),
      ])
        await assert.rejects(call, { name: 'StorageError', code: 'invalid' });
    assert.equal(await collection.countDocuments({ x: nested(100) }), 0);
  });
});
