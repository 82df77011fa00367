/** The count of commits, by which answers are kept. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore, type Row } from '../open.js';

test('the count changes with each commit, to any collection, and with no read', async (t) => {
  const { storage } = await openStore(t);
  const [one, other] = ['one', 'other'].map((name) => storage.collection<Row>({ name }));
  assert.ok(one && other);
  const counts = new Set<number | undefined>([storage.commits]);
  const writes = [
    () => one.insertOne({ _id: 'a', n: 0 }),
    () => other.insertOne({ _id: 'a', n: 0 }),
    () => one.updateOne({ _id: 'a' }, { $inc: { n: 1 } }),
    () => storage.transaction((tx) => one.with(tx).insertOne({ _id: 'b', n: 0 })),
    () => other.deleteOne({ _id: 'a' }),
  ];
  for (const write of writes) {
    await write();
    counts.add(storage.commits);
    await one.find({}).toArray();
    assert.ok(counts.has(storage.commits), 'a read is no commit');
  }
  assert.equal(counts.size, writes.length + 1);
});
