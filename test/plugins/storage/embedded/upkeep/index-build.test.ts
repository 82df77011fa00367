/** An index over existing documents is built in steps, concurrently with everything else. */
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import type { StorageError } from 'plugboard/sdk';
import { openStore, type Opened, type Row } from '../open.js';

const COUNT = 20_000;
const BY_N = { name: 'rows', indexes: [{ keys: { n: 1 } }] } as const;
const UNIQUE = { name: 'rows', indexes: [{ keys: { n: 1 }, unique: true }] } as const;

const idAt = (at: number): string => `r${String(at).padStart(6, '0')}`;

async function filled(t: TestContext): Promise<Opened> {
  const opened = await openStore(t);
  const rows = opened.storage.collection<Row>({ name: 'rows' });
  for (let at = 0; at < COUNT; at += 1000)
    await rows.insertMany(
      Array.from({ length: 1000 }, (_, more) => ({ _id: idAt(at + more), n: at + more })),
    );
  return opened;
}

/** Resolves when some documents are in the index. */
async function begun({ store }: Opened): Promise<number> {
  const all = { start: Buffer.alloc(4), end: Buffer.alloc(8, 0xff) };
  for (;;) {
    const entries = store.environment.latest.count('indexes', all);
    if (entries > 0) return entries;
    await turn();
  }
}

test('reads and writes go on while an index is built, and queries use it when it is complete', async (t) => {
  const opened = await filled(t);
  const rows = opened.storage.collection<Row>(BY_N);
  assert.ok((await begun(opened)) < COUNT);
  assert.equal((await rows.explain({ n: 7 })).access, 'scan');
  await rows.updateOne({ _id: idAt(3) }, { $set: { n: -3 } });
  await rows.updateOne({ _id: idAt(COUNT - 3) }, { $set: { n: -4 } });
  await rows.deleteOne({ _id: idAt(4) });
  await rows.deleteOne({ _id: idAt(COUNT - 4) });
  await rows.insertOne({ _id: 'a', n: -5 });
  await opened.storage.transaction((tx) => rows.with(tx).insertOne({ _id: 'z', n: -6 }));
  assert.equal((await rows.explain({ n: 7 })).access, 'scan', 'all of that was in the middle of it');
  assert.equal(await rows.countDocuments({ n: { $lt: 0 } }), 4);
  await rows.ready();
  assert.equal((await rows.explain({ n: 7 })).index, 'n');
  assert.equal(await rows.countDocuments({ n: { $lt: 0 } }), 4);
  const { entries, faults } = await opened.store.check();
  assert.deepEqual([entries, faults], [COUNT, []]);
});

test('a build that the end of the server broke off goes on at the next start', async (t) => {
  const opened = await filled(t);
  opened.storage.collection<Row>(BY_N);
  const entries = await begun(opened);
  await opened.store.close();
  const later = await openStore(t, { directory: opened.directory });
  const rows = later.storage.collection<Row>(BY_N);
  assert.ok((await begun(later)) >= entries, 'what was built is there');
  await rows.ready();
  assert.equal((await rows.explain({ n: 7 })).index, 'n');
  assert.deepEqual(await later.store.check(), { documents: COUNT, entries: COUNT, faults: [] });
  await later.store.close();
});

test('a document that gives up a shared key in the middle of a unique build takes no entry along', async (t) => {
  const opened = await filled(t);
  const last = idAt(COUNT - 1);
  await opened.storage.collection<Row>({ name: 'rows' }).updateOne({ _id: last }, { $set: { n: 0 } });
  const rows = opened.storage.collection<Row>(UNIQUE);
  await begun(opened);
  await rows.updateOne({ _id: last }, { $set: { n: COUNT } });
  await assert.rejects(rows.insertOne({ _id: 'x', n: COUNT }), { code: 'duplicate_key', index: 'n' });
  await rows.ready();
  assert.equal((await rows.findOne({ n: 0 }))?._id, idAt(0));
  assert.deepEqual(await opened.store.check(), { documents: COUNT, entries: COUNT, faults: [] });
});

test('a unique index that documents violate is not used, names them, and is built once they are gone', async (t) => {
  const opened = await filled(t);
  const before = opened.storage.collection<Row>({ name: 'rows' });
  await before.insertOne({ _id: 'again', n: COUNT - 1 });
  const rows = opened.storage.collection<Row>(UNIQUE);
  await assert.rejects(opened.store.ready(), (error: StorageError) => {
    assert.deepEqual(new Set(error.documents), new Set(['again', idAt(COUNT - 1)]));
    return error.code === 'duplicate_key' && error.index === 'n';
  });
  assert.equal((await rows.explain({ n: 7 })).access, 'scan');
  await rows.deleteOne({ _id: idAt(COUNT - 1) });
  await opened.store.close();
  const later = await openStore(t, { directory: opened.directory });
  await later.storage.collection<Row>(UNIQUE).ready();
  assert.deepEqual(await later.store.check(), { documents: COUNT, entries: COUNT, faults: [] });
  await later.store.close();
});

test('an index that is dropped loses its entries concurrently with other work', async (t) => {
  const opened = await filled(t);
  await opened.storage.collection<Row>(BY_N).ready();
  await opened.store.close();
  const later = await openStore(t, { directory: opened.directory });
  const rows = later.storage.collection<Row>({ name: 'rows' });
  assert.equal((await rows.explain({ n: 7 })).access, 'scan');
  await rows.ready();
  const all = { start: Buffer.alloc(4), end: Buffer.alloc(8, 0xff) };
  assert.equal(later.store.environment.latest.count('indexes', all), 0);
  await later.store.close();
});
