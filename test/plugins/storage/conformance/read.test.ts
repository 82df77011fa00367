import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { suiteStore, type Anything } from '../../../support/storage/store-of-test.js';
import type { Collection, Filter, Sort } from 'plugboard/sdk';

async function idsOf(
  collection: Collection<Anything>,
  filter: unknown,
  sort: Sort = { _id: 1 },
): Promise<string[]> {
  return (await collection.find(filter as Filter<Anything>, { sort }).toArray()).map(({ _id }) => _id);
}

eachStore('filters', (store) => {
  const suite = suiteStore(store);
  const documents: Anything[] = [
    {
      _id: 'a',
      n: 1,
      s: 'apple',
      tags: ['x', 'y'],
      o: { k: 1, l: 2 },
      list: [
        { p: 1, q: 1 },
        { p: 2, q: 2 },
      ],
      d: new Date(5),
    },
    {
      _id: 'b',
      n: 2,
      s: 'Banana',
      tags: ['y'],
      o: { k: 2 },
      list: [{ p: 1, q: 2 }],
      d: new Date(6),
      z: null,
    },
    { _id: 'c', n: 3.5, s: 'cherry\nred', tags: [], nested: [[1, 2]], used: 3, limit: 5 },
    { _id: 'd', n: 10n, s: 'apple', tags: 'x', used: 5, limit: 5 },
  ];
  const cases: [name: string, filter: object, ids: string][] = [
    ['an empty filter matches all', {}, 'abcd'],
    ['a value matches equal values', { s: 'apple' }, 'ad'],
    ['a number equals a bigint of the same value', { n: 10 }, 'd'],
    ['null matches null and missing', { z: null }, 'abcd'],
    ['$eq null matches null and missing', { o: { $eq: null } }, 'cd'],
    ['$ne null matches what is there and not null', { o: { $ne: null } }, 'ab'],
    ['$ne matches missing too', { used: { $ne: 3 } }, 'abd'],
    ['a condition on an array holds for one of its items', { tags: 'x' }, 'ad'],
    ['an array value matches the array itself', { tags: ['x', 'y'] }, 'a'],
    ['an array value in another order does not match', { tags: ['y', 'x'] }, ''],
    ['an object matches with its members in order', { o: { k: 1, l: 2 } }, 'a'],
    ['an object matches only as a whole', { o: { k: 1 } }, ''],
    ['a dotted path reaches into an object', { 'o.k': 2 }, 'b'],
    ['a dotted path reaches into the objects of an array', { 'list.q': 2 }, 'ab'],
    ['a number in a path is a position', { 'list.0.q': 2 }, 'b'],
    ['$gt and $lte bound a range', { n: { $gt: 1, $lte: 3.5 } }, 'bc'],
    ['$gte and $lt on strings go by code point', { s: { $gte: 'a', $lt: 'b' } }, 'ad'],
    ['a comparison is with values of its own type only', { s: { $gt: 0 } }, ''],
    ['$gt on dates', { d: { $gt: new Date(5) } }, 'b'],
    ['$gte null matches null and missing', { z: { $gte: null } }, 'abcd'],
    ['$in matches one of several', { n: { $in: [1, 10] } }, 'ad'],
    ['$in with null matches missing', { used: { $in: [null, 3] } }, 'abc'],
    ['$in with nothing matches nothing', { n: { $in: [] } }, ''],
    ['$nin matches the others, missing too', { used: { $nin: [3] } }, 'abd'],
    ['$exists true matches null', { z: { $exists: true } }, 'b'],
    ['$exists false matches missing', { used: { $exists: false } }, 'ab'],
    ['$regex with i', { s: { $regex: /^B/i } }, 'b'],
    ['$regex: $ is the very end', { s: { $regex: /cherry$/ } }, ''],
    ['$regex: m lets $ match before a newline', { s: { $regex: /cherry$/m } }, 'c'],
    ['$regex: s lets a dot be a newline', { s: { $regex: /y.red/s } }, 'c'],
    ['different items of an array may fit', { 'list.p': 1, 'list.q': 2 }, 'ab'],
    ['$and of two values wants both in an array', { $and: [{ tags: 'x' }, { tags: 'y' }] }, 'a'],
    [
      '$regex takes \\u, and the classes of all and of nothing',
      { s: { $regex: /^\u0061[^]*[^\u0062]$/ } },
      'ad',
    ],
    ['a member called __proto__ is a member', JSON.parse('{ "__proto__": 1 }') as object, ''],
    ['$not turns a condition round and matches missing', { used: { $not: { $gt: 3 } } }, 'abc'],
    ['$and', { $and: [{ n: { $gt: 1 } }, { s: 'apple' }] }, 'd'],
    ['$or', { $or: [{ n: 1 }, { used: 3 }] }, 'ac'],
    ['$nor', { $nor: [{ n: 1 }, { used: 3 }] }, 'bd'],
  ];
  let collection: Collection<Anything> | undefined;
  for (const [name, filter, ids] of cases) {
    test(name, async () => {
      collection ??= await suite.holding(...documents);
      assert.equal((await idsOf(collection, filter)).join(''), ids);
      assert.equal(await collection.countDocuments(filter as Filter<Anything>), ids.length);
    });
  }

  test('counts the documents that have one of more than a thousand unique keys', async () => {
    const rows = await suite.collection([{ keys: { n: 1 }, unique: true, sparse: true }]);
    await rows.insertMany(
      Array.from({ length: 2_600 }, (_, n) => ({ _id: `r${n}`, ...(n % 3 === 0 ? {} : { n }) })),
    );
    const asked = Array.from({ length: 1_200 }, (_, at) => at * 2);
    const there = asked.filter((n) => n < 2_600 && n % 3 !== 0).length;
    assert.equal(await rows.countDocuments({ n: { $in: [...asked, 2, 4, -0] } }), there);
    assert.equal(await rows.countDocuments({ n: { $in: asked }, _id: 'r2' }), 1);
  });

  const refused: [string, object][] = [
    ['an unknown operator', { n: { $near: 1 } }],
    ['an unknown operator at the top', { $where: 'true' }],
    ['undefined, which would match everything', { n: undefined }],
    ['an empty $or', { $or: [] }],
    ['a bare regular expression', { s: /a/ }],
    ['an operator of MongoDB that the port leaves out', { tags: { $size: 1 } }],
    ['$in without an array', { n: { $in: 1 } }],
    ['undefined in $in', { n: { $in: [undefined] } }],
    ['operators after a member', { o: { k: 1, $gt: 1 } }],
    ['conditions in $in', { n: { $in: [{ $gt: 0 }] } }],
    ['conditions in $nin', { n: { $nin: [1, { $gt: 0 }] } }],
    ['$expr', { $expr: { $eq: ['$n', 1] } }],
    ['null', null as unknown as object],
  ];
  for (const [name, filter] of refused) {
    test(`refuses ${name}`, async () => {
      collection ??= await suite.holding(...documents);
      await assert.rejects(collection.find(filter as Filter<Anything>).toArray(), { code: 'invalid' });
      await assert.rejects(collection.deleteMany(filter as Filter<Anything>), { code: 'invalid' });
      assert.equal(await collection.countDocuments({}), 4);
    });
  }
});

eachStore('reads', (store) => {
  const suite = suiteStore(store);

  test('a dot of $regex is a character, also one of two UTF-16 units', async () => {
    const collection = await suite.holding<Anything>(
      { _id: 'a', s: '\u{1f600}' },
      { _id: 'b', s: 'é' },
      { _id: 'c', s: 'ab' },
    );
    const cases: [RegExp, string][] = [
      [/^.$/, 'ab'],
      [/^[^a]$/, 'ab'],
      [/^[😀é]/u, 'ab'],
      [/^\W$/, 'ab'],
      [/^..$/, 'c'],
    ];
    for (const [expression, ids] of cases) {
      const $regex = new RegExp(expression.source);
      assert.equal((await idsOf(collection, { s: { $regex } })).join(''), ids, expression.source);
    }
  });

  test('sort follows the order of types', async () => {
    const values = {
      a0: null,
      b0: -1,
      b1: 2n,
      b2: 2.5,
      c0: '',
      c1: 'Z',
      c2: 'a',
      c3: '\uffff',
      c4: '\u{1f600}',
      d0: { a: 1 },
      d1: { b: 1 },
      f0: new Uint8Array([9]),
      f1: new Uint8Array([1, 2]),
      g0: false,
      g1: true,
      h0: new Date(-5),
      h1: new Date(5),
    };
    const collection = await suite.holding(...Object.entries(values).map(([_id, v]) => ({ _id, v })));
    const ids = Object.keys(values);
    assert.deepEqual(await idsOf(collection, {}, { v: 1 }), ids);
    assert.deepEqual(await idsOf(collection, {}, { v: -1 }), ids.reverse());
  });

  test('sort takes the least item of an array going up, the greatest going down', async () => {
    const collection = await suite.holding<Anything>(
      { _id: 'a', v: [1, 9] },
      { _id: 'b', v: 5 },
      { _id: 'c', v: [] },
    );
    assert.deepEqual(await idsOf(collection, {}, { v: 1 }), ['c', 'a', 'b']);
    assert.deepEqual(await idsOf(collection, {}, { v: -1 }), ['a', 'b', 'c']);
  });

  test('skip and limit cut a page out of the sorted', async () => {
    const collection = await suite.holding(...[...'abcde'].map((_id) => ({ _id })));
    const page = await collection.find({}, { sort: { _id: -1 }, skip: 1, limit: 2 }).toArray();
    assert.deepEqual(page, [{ _id: 'd' }, { _id: 'c' }]);
    await assert.rejects(collection.find({}, { limit: 0 }).toArray(), { code: 'invalid' });
  });

  test('projection keeps or leaves out, the id kept unless told', async () => {
    const collection = await suite.holding<Anything>({
      _id: 'a',
      x: 1,
      o: { k: 1, l: 2 },
      list: [{ p: 1, q: 2 }],
    });
    const project = (projection: Record<string, 0 | 1>) => collection.findOne({}, { projection });
    assert.deepEqual(await project({ x: 1 }), { _id: 'a', x: 1 });
    assert.deepEqual(await project({ 'o.k': 1, _id: 0 }), { o: { k: 1 } });
    assert.deepEqual(await project({ 'list.p': 1, _id: 0 }), { list: [{ p: 1 }] });
    assert.deepEqual(await project({ o: 0, list: 0 }), { _id: 'a', x: 1 });
    assert.deepEqual(await collection.findOne({}, { projection: { _id: 1 }, sort: { x: 1 } }), { _id: 'a' });
    assert.deepEqual(await project({ _id: 1, o: 0, list: 0 }), { _id: 'a', x: 1 });
    assert.deepEqual(await project({ _id: 0 }), { x: 1, o: { k: 1, l: 2 }, list: [{ p: 1, q: 2 }] });
    await assert.rejects(project({ x: 1, o: 0 }), { code: 'invalid' });
    for (const flag of [2, -1, 0.5, true, false, '1', null, {}])
      await assert.rejects(project({ x: flag as 1 }), { code: 'invalid' });
  });

  test('a document that is shared has what was asked for, and stays as it was read', async () => {
    const collection = await suite.holding<Anything>({ _id: 'a', x: 1, o: { k: 1 }, list: [1, 2] });
    const options = { projection: { x: 1, o: 1 }, shared: true } as const;
    const read = async (): Promise<Anything> => (await collection.find({ _id: 'a' }, options).toArray())[0]!;
    const [first, second] = [await read(), await read()];
    await collection.updateOne({ _id: 'a' }, { $set: { x: 2, 'o.k': 2 } });
    for (const { _id, x, o } of [first, second])
      assert.deepEqual({ _id, x, o }, { _id: 'a', x: 1, o: { k: 1 } });
    const { x, o } = await read();
    assert.deepEqual({ x, o }, { x: 2, o: { k: 2 } });
    assert.deepEqual(await collection.findOne({}), { _id: 'a', x: 2, o: { k: 2 }, list: [1, 2] });
  });

  for (const [where, indexes] of [
    ['in memory', []],
    ['by an index', [{ keys: { n: 1 as const } }]],
  ] as const) {
    test(`NaN is before every number, after null, and equal to itself alone, ${where}`, async () => {
      const collection = await suite.collection<Anything>(indexes);
      const values = { nan: NaN, low: -Infinity, zero: 0, high: Infinity, none: null, text: 'NaN' };
      await collection.insertMany(Object.entries(values).map(([_id, n]) => ({ _id, n })));
      const order: Sort = { n: 1, _id: 1 };
      assert.deepEqual(await idsOf(collection, {}, order), ['none', 'nan', 'low', 'zero', 'high', 'text']);
      assert.deepEqual(await idsOf(collection, { n: NaN }), ['nan']);
      assert.deepEqual(await idsOf(collection, { n: { $gte: NaN } }), ['nan']);
      assert.deepEqual(await idsOf(collection, { n: { $lte: NaN } }), ['nan']);
      for (const none of [{ $gt: NaN }, { $lt: NaN }])
        assert.deepEqual(await idsOf(collection, { n: none }), []);
      assert.deepEqual(await idsOf(collection, { n: { $lt: 0 } }), ['low']);
      assert.deepEqual(await idsOf(collection, { n: { $ne: NaN } }), ['high', 'low', 'none', 'text', 'zero']);
    });
  }

  test('a cursor is read item by item and may be left early', async () => {
    const collection = await suite.holding(...Array.from({ length: 300 }, (_, at) => ({ _id: String(at) })));
    let seen = 0;
    for await (const document of collection.find({})) {
      assert.equal(typeof document._id, 'string');
      if (++seen === 250) break;
    }
    assert.equal(seen, 250);
  });

  test('distinct unwinds arrays and answers in the order of types', async () => {
    const collection = await suite.holding<Anything>(
      { _id: 'a', v: ['x', 2] },
      { _id: 'b', v: 2n },
      { _id: 'c', v: null },
      { _id: 'd', v: 'x' },
      { _id: 'e' },
    );
    assert.deepEqual(await collection.distinct('v'), [null, 2, 'x']);
    const indexed = await suite.collection([{ keys: { v: 1 } }]);
    await indexed.insertMany([{ _id: 'a', v: [] }, { _id: 'b' }, { _id: 'c', v: 1 }]);
    assert.deepEqual(await indexed.distinct('v'), [1]);
    assert.deepEqual(await collection.distinct('v', { _id: 'd' }), ['x']);
  });

  test('distinct over an indexed path does not take a missing member for null', async () => {
    const collection = await suite.collection<Anything>([{ keys: { v: 1 } }]);
    await collection.insertMany([{ _id: 'a' }, { _id: 'b', v: 1 }]);
    assert.deepEqual(await collection.distinct('v'), [1]);
    await collection.insertOne({ _id: 'c', v: null });
    assert.deepEqual(await collection.distinct('v'), [null, 1]);
  });

  test('group makes one of the documents with equal values, in the order of the first ones', async () => {
    const rows = [
      { _id: 'a', by: 2, n: 5, s: 'x' },
      { _id: 'b', by: 1, n: 2.5 },
      { _id: 'c', by: 2, n: -1, s: 'y' },
      { _id: 'd', n: 7 },
      { _id: 'e', by: null, n: null, s: 'b' },
      { _id: 'f', by: 2, s: 'w' },
      { _id: 'g', by: '2' },
    ];
    const folds = [
      { fold: 'count', of: 'n' },
      { fold: 'sum', of: 'n' },
      { fold: 'min', of: 's' },
      { fold: 'max', of: 'n' },
    ] as const;
    // By an index whose order is another one, by one that lacks documents, and without.
    const sparse = { keys: { by: 1, n: 1 }, unique: true, sparse: true } as const;
    for (const indexes of [[], [{ keys: { by: -1 } }] as const, [sparse]]) {
      const collection = await suite.collection<Anything>(indexes);
      await collection.insertMany(rows);
      assert.deepEqual(await collection.group({}, { by: ['by'], folds }), [
        { by: [2], count: 3, folds: [2, 4, 'w', 5] },
        { by: [1], count: 1, folds: [1, 2.5, null, 2.5] },
        { by: [null], count: 2, folds: [1, 7, 'b', 7] },
        { by: ['2'], count: 1, folds: [0, 0, null, null] },
      ]);
      assert.deepEqual(await collection.group({ by: { $gte: 1 } }, { by: [], folds }), [
        { by: [], count: 4, folds: [3, 6.5, 'w', 5] },
      ]);
      assert.deepEqual(await collection.group({ by: 2 }, { by: ['by', 's'] }), [
        { by: [2, 'x'], count: 1, folds: [] },
        { by: [2, 'y'], count: 1, folds: [] },
        { by: [2, 'w'], count: 1, folds: [] },
      ]);
      const unordered = await collection.group({ by: { $gte: 1 } }, { by: ['by'], folds, inAnyOrder: true });
      assert.deepEqual(unordered.map(({ by: [value], count }) => [value, count]).sort(), [
        [1, 1],
        [2, 3],
      ]);
      const there = { n: { $gte: -1 }, by: { $gte: 1 } };
      assert.deepEqual(
        await collection.group(there, { by: ['by'], folds: [folds[1]], present: ['by', 'n'] }),
        [
          { by: [2], count: 2, folds: [4] },
          { by: [1], count: 1, folds: [2.5] },
        ],
      );
      assert.equal((await collection.group({}, { by: ['_id'], limit: 3 })).length, 3);
      assert.deepEqual(await collection.group({ by: 9 }, { by: [] }), []);
    }
  });

  test('group takes undotted members and gives up with its signal', async () => {
    const collection = await suite.holding<Anything>({ _id: 'a', o: { k: 1 } });
    const invalid = { name: 'StorageError', code: 'invalid' };
    for (const by of [['o.k'], ['$o'], ['']]) {
      await assert.rejects(async () => collection.group({}, { by }), invalid);
    }
    assert.deepEqual(await collection.group({}, { by: ['o'] }), [{ by: [{ k: 1 }], count: 1, folds: [] }]);
    await assert.rejects(
      collection.group({}, { by: [], signal: AbortSignal.abort(new Error('enough')) }),
      /enough/,
    );
  });

  test('every kind of value comes back as it was', async () => {
    const document = {
      _id: 'all',
      null: null,
      int: 42,
      big: 2 ** 40,
      float: 0.1,
      bigint: 2n ** 62n,
      small: 5n,
      text: 'ünï\u{1f600}\0',
      date: new Date(1234567890123),
      bytes: new Uint8Array([0, 255]),
      list: [1, [2, { deep: true }], new Uint8Array([1])],
      schema: { $ref: '#/x', $id: 'y', 'a.b': { 'c.d': 1 } },
      empty: { list: [], object: {}, text: '' },
      gone: undefined,
    };
    const { gone: _, ...stored } = document;
    const collection = await suite.holding<Anything>(document);
    assert.deepEqual(await collection.findOne({ _id: 'all' }), stored);
  });

  test('explain tells the access path', async () => {
    const collection = await suite.collection([{ keys: { owner: 1, at: -1 } }]);
    await collection.insertOne({ _id: '1', owner: 'x', at: 1 });
    assert.deepEqual(await collection.explain({ _id: '1' }), { access: 'id', index: null, sort: 'none' });
    assert.deepEqual(await collection.explain({ owner: 'x' }, { sort: { at: -1 } }), {
      access: 'index',
      index: 'owner,at',
      sort: 'index',
    });
    assert.deepEqual(await collection.explain({ at: 1 }, { sort: { q: 1 } }), {
      access: 'scan',
      index: null,
      sort: 'memory',
    });
  });

  test('a projection to a member called __proto__ keeps that alone', async () => {
    const collection = await suite.holding<Anything>({ _id: 'a', x: 1 });
    const projection = JSON.parse('{ "__proto__": 1 }') as Record<string, 1>;
    assert.deepEqual(await collection.findOne({}, { projection }), { _id: 'a' });
  });

  test('two plugins with a collection of one name do not meet', async () => {
    const [one, other] = ['one', 'other'].map((plugin) =>
      suite.open.storageOf(plugin).collection<Anything>({ name: 'same' }),
    );
    await one!.insertOne({ _id: 'a' });
    assert.equal(await other!.countDocuments({}), 0);
  });
});
