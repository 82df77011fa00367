/** What was read lately is given out again only as long as it is what the store has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DocumentCache } from '../../../../../plugins/storage/embedded/lmdb/cache/document-cache.js';
import { openStore, type Row } from '../open.js';

const rows = { name: 'rows', indexes: [{ keys: { owner: 1 as const } }] };

test('a document is read again after every kind of write', async (t) => {
  const { storage } = await openStore(t);
  const collection = storage.collection<Row>(rows);
  const read = (): Promise<Row | null> => collection.findOne({ _id: 'a' });
  await collection.insertOne({ _id: 'a', n: 1 });
  assert.deepEqual(
    [await read(), await read()],
    [
      { _id: 'a', n: 1 },
      { _id: 'a', n: 1 },
    ],
  );
  await collection.updateOne({ _id: 'a' }, { $set: { n: 2 } });
  assert.deepEqual(await read(), { _id: 'a', n: 2 });
  await collection.replaceOne({ _id: 'a' }, { _id: 'a', m: 3 });
  assert.deepEqual(await read(), { _id: 'a', m: 3 });
  await storage.transaction(async (tx) => {
    await collection.with(tx).updateOne({ _id: 'a' }, { $set: { m: 4 } });
    assert.deepEqual(await read(), { _id: 'a', m: 3 });
    assert.deepEqual(await collection.with(tx).findOne({ _id: 'a' }), { _id: 'a', m: 4 });
  });
  assert.deepEqual(await read(), { _id: 'a', m: 4 });
  await collection.deleteOne({ _id: 'a' });
  assert.equal(await read(), null);
});

test('changes that no read asks for are not collected without end, and none of them is missed', () => {
  const cache = new DocumentCache(2 ** 20);
  const add = (n: number) => cache.add(1, 'a', 100, () => ({ _id: 'a', n }));
  cache.moveTo(0);
  add(1);
  assert.equal(add(1)?.document['n'], 1, 'kept when it is asked for again');
  const others = Array.from({ length: 1000 }, (_, at) => ({ collection: 1, id: `r${at}` }));
  cache.changes(1, [{ collection: 1, id: 'a' }]);
  let commit = 1;
  for (let changed = 0; changed < 250_000; changed += others.length) cache.changes(++commit, others);
  assert.ok(cache.waiting <= 100_000);
  cache.moveTo(commit);
  assert.equal(cache.get(1, 'a'), undefined);
  add(2);
  cache.changes(commit + 1, others);
  cache.moveTo(commit + 1);
  assert.equal(cache.get(1, 'a')?.document['n'], 2, 'what did not change is kept again');
});

test('a unique key leads to the document that has it now', async (t) => {
  const { storage } = await openStore(t);
  const unique = { name: 'unique', indexes: [{ keys: { n: 1 as const }, unique: true }] };
  const here = storage.collection<Row>(unique);
  const there = storage.collection<Row>(unique);
  const holders = async (): Promise<string[]> => {
    const found = await here.find({ n: { $in: [1, 2, 3] } }).toArray();
    return found.map(({ _id, n }) => `${String(n)}:${_id}`).sort();
  };
  await here.insertMany([
    { _id: 'a', n: 1 },
    { _id: 'b', n: 2 },
  ]);
  for (const _ of ['not kept', 'kept']) assert.deepEqual(await holders(), ['1:a', '2:b']);
  await here.updateOne({ _id: 'a' }, { $set: { n: 3 } });
  assert.deepEqual(await holders(), ['2:b', '3:a']);
  await here.updateOne({ _id: 'b' }, { $set: { n: 1 } });
  assert.deepEqual(await holders(), ['1:b', '3:a']);
  await there.deleteOne({ n: 3 });
  // What another process commits is seen from the next turn of the event loop on.
  await nextTurn();
  assert.deepEqual(await holders(), ['1:b']);
  await there.insertOne({ _id: 'c', n: 2 });
  await nextTurn();
  assert.deepEqual(await holders(), ['1:b', '2:c']);
  assert.equal((await here.findOne({ n: 2 }))?._id, 'c');
  assert.equal(await here.countDocuments({ n: { $in: [1, 2, 3] } }), 2);
});

test('what a reader does to a document changes nothing for the next one', async (t) => {
  const { storage } = await openStore(t);
  const collection = storage.collection<Row>(rows);
  const stored = {
    _id: 'a',
    owner: 'x',
    at: new Date(5),
    bytes: new Uint8Array([1, 2]),
    list: [{ deep: [1] }],
    ['__proto__']: { own: true },
  };
  Object.defineProperty(stored, '__proto__', { value: { own: true }, enumerable: true });
  await collection.insertOne(stored);
  for (let round = 0; round < 3; round++) {
    const [document] = await collection.find({ owner: 'x' }).toArray();
    assert.deepEqual(Object.entries(document!), Object.entries(stored));
    (document!['at'] as Date).setTime(9);
    (document!['bytes'] as Uint8Array)[0] = 9;
    (document!['list'] as { deep: number[] }[])[0]!.deep.push(9);
    Object.assign(document!, { owner: 'changed' });
    const [part] = await collection.find({ owner: 'x' }, { projection: { list: 1, _id: 0 } }).toArray();
    assert.deepEqual(part, { list: [{ deep: [1] }] });
    (part!['list'] as unknown[]).pop();
  }
});

test('more than the cache holds, and more than one document may take, is read all the same', async (t) => {
  const { storage } = await openStore(t, { cacheBytes: 20_000 });
  const collection = storage.collection<Row>(rows);
  const text = (n: number): string => String(n).repeat(500);
  await collection.insertMany(
    Array.from({ length: 200 }, (_, n) => ({ _id: `row${n}`, owner: 'x', text: text(n) })),
  );
  await collection.insertOne({ _id: 'large', owner: 'x', text: text(9).repeat(200) });
  for (let round = 0; round < 2; round++)
    for (let n = 0; n < 200; n++)
      assert.deepEqual(await collection.findOne({ _id: `row${n}` }), {
        _id: `row${n}`,
        owner: 'x',
        text: text(n),
      });
  for (let round = 0; round < 2; round++)
    assert.equal((await collection.findOne({ _id: 'large' }))!['text'], text(9).repeat(200));
});

test('a restored backup replaces what was read before it', async (t) => {
  const { store, storage, directory } = await openStore(t);
  const collection = storage.collection<Row>(rows);
  await collection.insertOne({ _id: 'a', n: 1 });
  await store.backup(`${directory}/copy`);
  await collection.updateOne({ _id: 'a' }, { $set: { n: 2 } });
  await collection.insertOne({ _id: 'b', n: 2 });
  assert.deepEqual(
    [await collection.findOne({ _id: 'a' }), await collection.findOne({ _id: 'b' })],
    [
      { _id: 'a', n: 2 },
      { _id: 'b', n: 2 },
    ],
  );
  await store.restore(`${directory}/copy`);
  assert.deepEqual(
    [await collection.findOne({ _id: 'a' }), await collection.findOne({ _id: 'b' })],
    [{ _id: 'a', n: 1 }, null],
  );
});

test('a collection that is kept whole is read again after every kind of write', async (t) => {
  const { storage } = await openStore(t);
  const here = storage.collection<Row>({ name: 'whole' });
  const there = storage.collection<Row>({ name: 'whole' });
  const expected = new Map<string, number>();
  const agree = async (): Promise<void> => {
    const ids = [...expected.keys()].sort();
    // Read, collected, kept.
    for (let time = 0; time < 3; time++) {
      const all = await here.find({}).toArray();
      assert.deepEqual(
        all,
        ids.map((_id) => ({ _id, n: expected.get(_id) })),
      );
      all.forEach((row) => Object.assign(row, { n: 'changed' }));
      const backwards = await here.find({}, { sort: { _id: -1 }, projection: { _id: 1 } }).toArray();
      assert.deepEqual(
        backwards.map(({ _id }) => _id),
        ids.toReversed(),
      );
      const even = await here.find({ n: { $in: [0, 2, 4, 6, 8] } }).toArray();
      assert.deepEqual(
        even.map(({ _id }) => _id),
        ids.filter((id) => expected.get(id)! % 2 === 0),
      );
    }
  };
  await agree();
  for (let n = 0; n < 5; n++) {
    expected.set(`row${n}`, n);
    await (n % 2 === 0 ? here : there).insertOne({ _id: `row${n}`, n });
    // What another process commits is seen from the next turn of the event loop on.
    await nextTurn();
    await agree();
  }
  expected.set('row3', 8);
  await here.updateOne({ _id: 'row3' }, { $set: { n: 8 } });
  await agree();
  await storage.transaction(async (tx) => {
    await here.with(tx).updateMany({ n: 8 }, { $set: { n: 6 } });
    assert.equal((await here.with(tx).find({ n: 6 }).toArray()).length, 1);
    await agree();
    expected.set('row3', 6);
  });
  await agree();
  expected.delete('row0');
  await there.deleteOne({ _id: 'row0' });
  await nextTurn();
  await agree();
});

test('a collection that changes while it is read from end to end is kept as nobody saw it', async (t) => {
  const { storage } = await openStore(t);
  const collection = storage.collection<Row>({ name: 'moving' });
  await collection.insertMany(Array.from({ length: 2000 }, (_, n) => ({ _id: `row${n}`, n: 0 })));
  for (let round = 1; round <= 4; round++) {
    let seen = 0;
    for await (const { n } of collection.find({})) {
      assert.equal(n, round - 1);
      if (++seen === 700) {
        await collection.updateMany({}, { $set: { n: round } });
        assert.equal((await collection.findOne({ _id: 'row1' }))!['n'], round);
      }
    }
    assert.equal(seen, 2000);
  }
  for (let time = 0; time < 3; time++) assert.equal(await collection.countDocuments({ n: 4 }), 2000);
});

test('what lies beyond the cache is read all the same, from end to end', async (t) => {
  const { storage } = await openStore(t, { cacheBytes: 20_000 });
  const collections = ['x', 'y', 'z'].map((name) => storage.collection<Row>({ name }));
  for (const collection of collections)
    await collection.insertMany(
      Array.from({ length: collection.name === 'z' ? 500 : 50 }, (_, n) => ({
        _id: `row${n}`,
        of: collection.name,
        text: 'x'.repeat(60),
      })),
    );
  for (let time = 0; time < 4; time++)
    for (const collection of collections) {
      const all = await collection.find({}).toArray();
      assert.equal(all.length, collection.name === 'z' ? 500 : 50);
      assert.ok(all.every((row) => row['of'] === collection.name));
    }
});

test('groups over an index are the same by its entries, by the documents, and by those that are kept', async (t) => {
  const { storage } = await openStore(t);
  const collection = storage.collection<Row>({ name: 'grouped', indexes: [{ keys: { kind: 1, n: 1 } }] });
  const rows = Array.from({ length: 2_000 }, (_, n) => ({ _id: `row${n}`, kind: n % 7, n: n % 10 }));
  await collection.insertMany(rows);
  const agree = async (): Promise<void> => {
    const groups = await collection.group(
      { kind: { $gte: 1 }, n: { $lt: 9 } },
      { by: ['kind'], folds: [{ fold: 'sum', of: 'n' }] },
    );
    const sums = new Map<number, number>();
    for (const { kind, n } of rows) if (kind >= 1 && n < 9) sums.set(kind, (sums.get(kind) ?? 0) + n);
    assert.deepEqual(new Map(groups.map(({ by, folds }) => [by[0], folds[0]])), sums);
  };
  for (let round = 0; round < 2; round += 1) {
    // After so many the documents have been gone through twice, and are kept.
    for (let time = 0; time < 12; time += 1) await agree();
    rows[3]!.n = 7 - round;
    await collection.updateOne({ _id: 'row3' }, { $set: { n: 7 - round } });
  }
  await agree();
});

test('documents are decoded to be kept when reading entries in their place has cost as much', () => {
  const { whole } = new DocumentCache(3_000);
  const asked = (): boolean[] => Array.from({ length: 8 }, () => whole.readEntries(1, 80, 100));
  assert.deepEqual(asked(), [false, false, false, false, false, false, false, true]);
  whole.drop(1);
  assert.deepEqual(asked().indexOf(true), 7, 'counted from nothing after a change');
  whole.wasRead(1, 1_001);
  assert.ok(!whole.readEntries(1, 10_000, 100), 'more than is kept');
});
