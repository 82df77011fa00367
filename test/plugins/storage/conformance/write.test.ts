import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Update } from 'plugboard/sdk';
import { eachStore } from '../../../support/stores.js';
import { suiteStore, type Anything } from '../../../support/storage/store-of-test.js';

eachStore('update operators', (store) => {
  const suite = suiteStore(store);
  const cases: [name: string, before: object, update: object, after: object][] = [
    ['$set makes the objects on its path', {}, { $set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }],
    ['$set at a position', { l: [1, 2] }, { $set: { 'l.1': 9 } }, { l: [1, 9] }],
    ['$set beyond the end fills with null', { l: [1] }, { $set: { 'l.2': 3 } }, { l: [1, null, 3] }],
    ['$unset removes', { a: 1, b: 2 }, { $unset: { a: true } }, { b: 2 }],
    ['$unset of what is not there', { b: 2 }, { $unset: { 'a.c': true } }, { b: 2 }],
    ['$inc adds', { n: 1 }, { $inc: { n: 2 } }, { n: 3 }],
    ['$inc makes what is missing', {}, { $inc: { 'a.n': 2.5 } }, { a: { n: 2.5 } }],
    ['$inc makes a number of a bigint', { n: 1n }, { $inc: { n: 1 } }, { n: 2 }],
    ['$inc by zero leaves minus zero as it is', { n: -0 }, { $inc: { n: 0 } }, { n: -0 }],
    ['$inc by zero makes a number of a bigint', { n: 2n ** 60n }, { $inc: { n: 0 } }, { n: 2 ** 60 }],
    ['$inc by zero rounds a bigint', { n: 2n ** 63n - 1n }, { $inc: { n: 0 } }, { n: 2 ** 63 }],
    ['$inc beyond 32 bits stays a number', { n: 2147483647 }, { $inc: { n: 1 } }, { n: 2147483648 }],
    ['$min keeps the lesser', { n: 5 }, { $min: { n: 3 } }, { n: 3 }],
    ['$max keeps the greater, across types', { n: 5 }, { $max: { n: 'x' } }, { n: 'x' }],
    ['$max on missing sets', {}, { $max: { n: -1 } }, { n: -1 }],
    ['$push appends', { l: [1] }, { $push: { l: 2 } }, { l: [1, 2] }],
    ['$push makes the array', {}, { $push: { l: { x: 1 } } }, { l: [{ x: 1 }] }],
    ['$push appends an array as one item', { l: [] }, { $push: { l: [1] } }, { l: [[1]] }],
    [
      '$push $each $slice keeps the last',
      { l: [1, 2] },
      { $push: { l: { $each: [3, 4], $slice: -3 } } },
      { l: [2, 3, 4] },
    ],
    [
      '$push $each $slice keeps the first',
      { l: [1, 2] },
      { $push: { l: { $each: [3], $slice: 1 } } },
      { l: [1] },
    ],
    [
      '$setOnInsert does nothing to a document that is there',
      { x: 1 },
      { $set: { x: 2 }, $setOnInsert: { y: 1 } },
      { x: 2 },
    ],
  ];
  for (const [name, before, update, after] of cases) {
    test(name, async () => {
      const collection = await suite.holding<Anything>({ _id: 'a', ...before });
      const result = await collection.updateOne({ _id: 'a' }, update as Update<Anything>);
      assert.equal(result.matched, 1);
      assert.deepEqual(await collection.findOne({}), { _id: 'a', ...after });
    });
  }

  const refused: [name: string, before: object, update: object][] = [
    ['$inc on a string', { n: 'x' }, { $inc: { n: 1 } }],
    ['$inc on null', { n: null }, { $inc: { n: 1 } }],
    ['$push on a scalar', { n: 1 }, { $push: { n: 1 } }],
    ['$set through a scalar', { n: 1 }, { $set: { 'n.a': 1 } }],
    ['$set through null', { n: null }, { $set: { 'n.a': 1 } }],
    ['$set by name into an array', { l: [{ a: 1 }] }, { $set: { 'l.a': 1 } }],
    ['a new _id', {}, { $set: { _id: 'b' } }],
    ['two operators on one path', {}, { $set: { a: 1 }, $inc: { a: 1 } }],
    ['two operators on a path and one below it', {}, { $set: { a: {}, 'a.b': 1 } }],
    ['an unknown operator', {}, { $rename: { a: 'b' } }],
    ['an operator of MongoDB that the port leaves out', { l: [1] }, { $pull: { l: 1 } }],
    ['a document in place of operators', {}, { a: 1 }],
    ['no operator at all', {}, {}],
    ['an update that is none', {}, null as unknown as object],
    ['a function', {}, { $set: { a: () => 1 } }],
    ['an integer beyond 64 bits', {}, { $set: { a: 2n ** 64n } }],
  ];
  for (const [name, before, update] of refused) {
    test(`refuses ${name} and changes nothing`, async () => {
      const document = { _id: 'a', ...before };
      const collection = await suite.holding<Anything>(document);
      const wrong = update as Update<Anything>;
      await assert.rejects(collection.updateOne({ _id: 'a' }, wrong), {
        name: 'StorageError',
        code: 'invalid',
      });
      await assert.rejects(collection.findOneAndUpdate({ _id: 'a' }, wrong), { code: 'invalid' });
      assert.deepEqual(await collection.findOne({}), document);
    });
  }
});

eachStore('writes', (store) => {
  const suite = suiteStore(store);

  test('an id is taken once', async () => {
    const collection = await suite.holding({ _id: 'a' });
    await assert.rejects(collection.insertOne({ _id: 'a' }), { code: 'duplicate_key', index: '_id' });
  });

  test('the stack of a refused write names who called', async () => {
    const collection = await suite.holding<Anything>({ _id: 'a' });
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      insertsTwice: () => collection.insertOne({ _id: 'a' }),
      insertsManyTwice: () => collection.insertMany([{ _id: 'a' }]),
      writesInBulkTwice: () => collection.bulkWrite([{ insertOne: { _id: 'a' } }]),
    };
    for (const [name, call] of Object.entries(calls)) {
      const { [name]: caller } = {
        async [name]() {
          await call();
        },
      };
      const others = Array.from({ length: 3 }, (_, at) => collection.insertOne({ _id: `${name}${at}` }));
      await assert.rejects(caller ?? call, ({ stack }: Error) => stack?.includes(name) === true);
      await Promise.all(others);
    }
  });

  test('an id is a string', async () => {
    const collection = await suite.collection();
    await assert.rejects(collection.insertOne({ _id: 5 as unknown as string }), { code: 'invalid' });
    await assert.rejects(collection.insertOne({} as Anything), { code: 'invalid' });
  });

  test('updates tell what they matched and what they changed', async () => {
    const collection = await suite.holding<Anything>({ _id: 'a', x: 1 }, { _id: 'b', x: 2 });
    assert.deepEqual(await collection.updateMany({}, { $set: { x: 1 } }), {
      matched: 2,
      modified: 1,
      upsertedId: null,
    });
    assert.deepEqual(await collection.updateOne({ _id: 'z' }, { $set: { x: 1 } }), {
      matched: 0,
      modified: 0,
      upsertedId: null,
    });
  });

  test('a $push whose item $slice drops again counts as a change', async () => {
    const collection = await suite.holding<Anything>({ _id: 'a', list: [1] });
    const push = (items: unknown[]) => ({ $push: { list: { $each: items, $slice: 1 } } });
    assert.equal((await collection.updateOne({ _id: 'a' }, push([2]))).modified, 1);
    assert.equal((await collection.updateOne({ _id: 'a' }, push([]))).modified, 0);
    assert.deepEqual(await collection.findOne({ _id: 'a' }), { _id: 'a', list: [1] });
  });

  test('an upsert inserts the equality parts of the filter, the update and $setOnInsert', async () => {
    const collection = await suite.collection();
    const filter = { _id: 'a', 'o.k': 1, $and: [{ z: { $eq: 'q' } }], n: { $gt: 5 } };
    const update = { $set: { x: 1 }, $setOnInsert: { y: 2 } };
    const result = await collection.updateOne(filter, update, { upsert: true });
    assert.deepEqual(result, { matched: 0, modified: 0, upsertedId: 'a' });
    assert.deepEqual(await collection.findOne({}), { _id: 'a', o: { k: 1 }, z: 'q', x: 1, y: 2 });
  });

  test('an upsert without an id is refused', async () => {
    const collection = await suite.collection();
    await assert.rejects(collection.updateOne({ x: 1 }, { $set: { y: 1 } }, { upsert: true }), {
      code: 'invalid',
    });
    assert.equal(await collection.countDocuments({}), 0);
  });

  test('64 upserts at once make one document and lose no increment', async () => {
    const collection = await suite.collection([{ keys: { login: 1 }, unique: true }]);
    const results = await Promise.all(
      Array.from({ length: 64 }, (_, at) =>
        collection.updateOne(
          { login: 'octocat' },
          { $inc: { hits: 1 }, $setOnInsert: { _id: `id-${at}` } },
          { upsert: true },
        ),
      ),
    );
    assert.equal(results.filter(({ upsertedId }) => upsertedId !== null).length, 1);
    const [only, ...others] = await collection.find({}).toArray();
    assert.deepEqual(others, []);
    assert.equal(only?.['hits'], 64);
  });

  test('$set puts zero in the place of minus zero, and counts it', async () => {
    const collection = await suite.holding<Anything>({ _id: 'a', n: -0 });
    assert.equal((await collection.updateOne({ _id: 'a' }, { $set: { n: 0 } })).modified, 1);
    assert.ok(Object.is((await collection.findOne({}))?.['n'], 0));
  });

  test('a replacement by the same document modifies nothing, wherever its id is', async () => {
    const collection = await suite.holding<Anything>({ _id: 'a', x: 1 });
    const same = await collection.replaceOne({ _id: 'a' }, { x: 1, _id: 'a' });
    assert.deepEqual(same, { matched: 1, modified: 0, upsertedId: null });
  });

  test('an upsert inserts the id of its filter despite a condition that nothing can meet', async () => {
    const collection = await suite.collection();
    const filter = { _id: 'a', n: { $in: [] } };
    assert.equal((await collection.updateOne(filter, { $set: { x: 1 } }, { upsert: true })).upsertedId, 'a');
    await assert.rejects(collection.replaceOne({ _id: 'b' }, { _id: 'c' }, { upsert: true }), {
      code: 'invalid',
    });
  });

  test('replaceOne replaces all but the id', async () => {
    const collection = await suite.holding<Anything>({ _id: 'a', x: 1, y: 2 });
    assert.equal((await collection.replaceOne({ x: 1 }, { _id: 'a', z: 3 })).modified, 1);
    assert.deepEqual(await collection.findOne({}), { _id: 'a', z: 3 });
    await assert.rejects(collection.replaceOne({ z: 3 }, { _id: 'b' }), { code: 'invalid' });
    assert.equal((await collection.replaceOne({ _id: 'c' }, { _id: 'c' }, { upsert: true })).upsertedId, 'c');
  });

  test('findOneAndUpdate answers the state after, or before, or null', async () => {
    const collection = await suite.holding<Anything>({ _id: 'a', n: 1 }, { _id: 'b', n: 2 });
    const inc = { $inc: { n: 10 } };
    assert.deepEqual(await collection.findOneAndUpdate({}, inc, { sort: { n: -1 } }), { _id: 'b', n: 12 });
    assert.deepEqual(await collection.findOneAndUpdate({ _id: 'a' }, inc, { returning: 'before' }), {
      _id: 'a',
      n: 1,
    });
    assert.equal(await collection.findOneAndUpdate({ _id: 'z' }, inc), null);
    assert.equal(
      await collection.findOneAndUpdate({ _id: 'y' }, inc, { upsert: true, returning: 'before' }),
      null,
    );
    assert.deepEqual(
      await collection.findOneAndUpdate({ _id: 'z' }, inc, { upsert: true, projection: { n: 1, _id: 0 } }),
      {
        n: 10,
      },
    );
  });

  test('deletes tell how many', async () => {
    const collection = await suite.holding(...[...'abcd'].map((_id) => ({ _id })));
    assert.equal(await collection.deleteOne({ _id: 'a' }), 1);
    assert.equal(await collection.deleteOne({ _id: 'a' }), 0);
    assert.deepEqual(await collection.findOneAndDelete({}, { sort: { _id: -1 } }), { _id: 'd' });
    assert.equal(await collection.deleteMany({}), 2);
    assert.equal(await collection.findOneAndDelete({}), null);
  });

  test('bulkWrite runs in order, counts, and stops at the first refusal', async () => {
    const collection = await suite.collection();
    const result = await collection.bulkWrite([
      { insertOne: { _id: 'a', n: 1 } },
      { insertOne: { _id: 'b', n: 1 } },
      { updateMany: { filter: {}, update: { $inc: { n: 1 } } } },
      { updateOne: { filter: { _id: 'c' }, update: { $set: { n: 5 } }, upsert: true } },
      { replaceOne: { filter: { _id: 'b' }, replacement: { _id: 'b', m: 1 } } },
      { deleteOne: { filter: { _id: 'a' } } },
      { deleteMany: { filter: { n: 5 } } },
    ]);
    assert.deepEqual(result, { inserted: 2, matched: 3, modified: 3, deleted: 2, upserted: 1 });
    const stopped = collection.bulkWrite([
      { insertOne: { _id: 'd' } },
      { insertOne: { _id: 'b' } },
      { insertOne: { _id: 'e' } },
    ]);
    await assert.rejects(stopped, { code: 'duplicate_key', index: '_id' });
    assert.deepEqual(
      (await collection.find({}, { sort: { _id: 1 } }).toArray()).map(({ _id }) => _id),
      ['b', 'd'],
    );
  });

  test('a document over 16 MiB is too large', async () => {
    const collection = await suite.collection();
    const text = 'x'.repeat(17 * 1024 * 1024);
    await assert.rejects(collection.insertOne({ _id: 'a', text }), { code: 'too_large' });
    await assert.rejects(collection.insertMany([{ _id: 'a', text }]), { code: 'too_large' });
    await collection.insertOne({ _id: 'a', text: text.slice(0, 9 * 1024 * 1024) });
    await assert.rejects(
      collection.updateOne({ _id: 'a' }, { $set: { more: text.slice(0, 9 * 1024 * 1024) } }),
      {
        code: 'too_large',
      },
    );
  });

  test('a document of 100 levels is stored, a deeper one and one that holds itself are refused', async () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : { in: nested(levels - 1) });
    const circle: Record<string, unknown> = { _id: 'c' };
    circle['self'] = [circle];
    const collection = await suite.collection();
    await collection.insertOne({ _id: 'a', v: nested(100) });
    const refused = { code: 'invalid', message: /nested deeper than 100 levels/ };
    await assert.rejects(collection.insertOne({ _id: 'b', v: nested(101) }), refused);
    await assert.rejects(collection.replaceOne({ _id: 'a' }, { _id: 'a', v: nested(101) }), refused);
    await assert.rejects(collection.insertMany([circle as unknown as Anything]), refused);
    assert.equal(await collection.countDocuments({}), 1);
  });

  test('no error shows a value that was refused', async () => {
    const collection = await suite.collection([{ keys: { token: 1 }, unique: true }]);
    await collection.insertOne({ _id: 'a', token: 'hunter2' });
    for (const wrong of [
      () => collection.insertOne({ _id: 'b', token: 'hunter2' }),
      () => collection.insertMany([{ _id: 'b', token: 'hunter2' }]),
      () => collection.updateOne({ _id: 'a' }, { $set: { 'token.x': 1 } }),
    ]) {
      const error: unknown = await wrong().then(
        () => assert.fail('was stored'),
        (reason: unknown) => reason,
      );
      const { message, cause, stack } = error as Error;
      assert.doesNotMatch(`${message} ${String(cause)} ${stack}`, /hunter2/);
    }
  });
});
