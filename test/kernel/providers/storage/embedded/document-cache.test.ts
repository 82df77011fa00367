/** What was read lately is given out again only as long as it is what the store has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openStore, type Row } from './open.js';

const rows = { name: 'rows', indexes: [{ keys: { owner: 1 as const } }] };

test('a document that was read is read anew after every kind of write', async (t) => {
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

test('a write of another process is seen, and a refused one is not', async (t) => {
  const { directory, storage } = await openStore(t);
  const other = await openStore(t, { directory });
  const here = storage.collection<Row>(rows);
  const there = other.storage.collection<Row>(rows);
  await here.insertMany([
    { _id: 'a', owner: 'x', n: 1 },
    { _id: 'b', owner: 'x', n: 1 },
  ]);
  for (let n = 2; n < 20; n++) {
    await (n % 3 === 0 ? here : there).updateOne({ _id: n % 2 === 0 ? 'a' : 'b' }, { $set: { n } });
    const expected = [
      { _id: 'a', owner: 'x', n: n - (n % 2) },
      { _id: 'b', owner: 'x', n: Math.max(1, n - 1 + (n % 2)) },
    ];
    assert.deepEqual(await here.find({ owner: 'x' }, { sort: { _id: 1 } }).toArray(), expected);
    assert.deepEqual(await there.find({ owner: 'x' }, { sort: { _id: 1 } }).toArray(), expected);
    await assert.rejects(there.insertOne({ _id: 'a', n: 0 }), { code: 'duplicate_key' });
  }
});

test('a unique key leads to the document that has it now', async (t) => {
  const { directory, storage } = await openStore(t);
  const other = await openStore(t, { directory });
  const unique = { name: 'unique', indexes: [{ keys: { n: 1 as const }, unique: true }] };
  const here = storage.collection<Row>(unique);
  const there = other.storage.collection<Row>(unique);
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
