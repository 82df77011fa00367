/** Work that grows: each write of a transaction, and each value of a list, costs the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SortedKeys } from '../../../../../plugins/storage/embedded/write/sorted-keys.js';
import { openStore, type Row } from '../open.js';

test('a range of the keys that a transaction wrote is in order, whatever the order of the writes', () => {
  const keys = new SortedKeys();
  const all = Array.from({ length: 5000 }, (_, at) => String((at * 7919) % 5000).padStart(5, '0'));
  for (const [at, key] of all.entries()) {
    keys.add(key);
    if (at % 500 === 0) keys.between('', '~');
  }
  assert.deepEqual(keys.between('', '~'), all.toSorted());
  assert.deepEqual(keys.between('00010', '00013'), ['00010', '00011', '00012']);
  assert.deepEqual(keys.between('9', '99'), []);
});

test('a transaction of 4,000 updates that each search an index gives the event loop back', async (t) => {
  const { store, storage } = await openStore(t);
  const rows = storage.collection<Row>({ name: 'rows', indexes: [{ keys: { n: 1 } }] });
  let turns = 0;
  const ticking = setInterval(() => turns++, 1);
  t.after(() => clearInterval(ticking));
  await storage.transaction(async (tx) => {
    const inside = rows.with(tx);
    for (let n = 0; n < 2000; n++) {
      await inside.insertOne({ _id: `r${n}`, n });
      const { modified } = await inside.updateMany({ n: { $gte: n } }, { $set: { n: n + 0.5 } });
      assert.equal(modified, 1);
    }
  });
  assert.ok(turns > 5, `${turns} turns`);
  assert.equal(await rows.countDocuments({ n: { $gte: 1000 } }), 1000);
  assert.deepEqual((await store.check()).faults, []);
});

test('$in finds numbers, bigints, dates and objects by value, also in a long list', async (t) => {
  const { storage } = await openStore(t);
  const rows = storage.collection<Row>({ name: 'rows' });
  await rows.insertMany([
    { _id: 'number', v: 7 },
    { _id: 'bigint', v: 8n },
    { _id: 'large', v: 2n ** 60n + 1n },
    { _id: 'date', v: new Date(5) },
    { _id: 'object', v: { a: 1 } },
    { _id: 'array', v: [1, 9] },
    { _id: 'nan', v: NaN },
    { _id: 'none' },
    { _id: 'other', v: -1 },
  ]);
  const many = Array.from({ length: 10_000 }, (_, at) => at + 1000);
  const list = [...many, 7n, 8, 2n ** 60n + 1n, new Date(5), { a: 1 }, 9, NaN, null];
  const found = await rows.find({ v: { $in: list } }).toArray();
  assert.deepEqual(found.map(({ _id }) => _id).toSorted(), [
    'array',
    'bigint',
    'date',
    'large',
    'nan',
    'none',
    'number',
    'object',
  ]);
  assert.equal(await rows.countDocuments({ v: { $in: [2n ** 60n, 2 ** 60] } }), 0);
});
