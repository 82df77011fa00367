/** `data check`, `data backup` and `data restore`, on a server that is running. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { STORAGE } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';
import { entriesOf } from '../../../../../kernel/providers/storage/embedded/lmdb/key-space.js';
import { openStore, type Row } from './open.js';
import { keeper } from '../../../../support/keeper.js';

test('a backup taken from a running server brings everything back, and indexes agree', async () => {
  await using server = await bootTest({ plugins: [{ plugin: keeper }] });
  const rows = server
    .service(STORAGE)
    .collection<Row>({ name: 'rows', indexes: [{ keys: { a: 1 } }, { keys: { b: 1 }, unique: true }] });
  await rows.insertMany(Array.from({ length: 300 }, (_, at) => ({ _id: `r${at}`, a: [at % 7, 'x'], b: at })));
  const feed = await rows.changes();
  const copy = join(server.baseDir, 'copy');
  assert.equal((await server.command(['data', 'backup', copy])).code, 0);
  await rows.deleteMany({ b: { $lt: 200 } });
  await rows.insertOne({ _id: 'late', b: 5 });
  const restored = await server.command(['data', 'restore', copy]);
  assert.equal(restored.code, 0, restored.stderr);
  assert.equal(await rows.countDocuments({ a: 'x' }), 300);
  assert.equal(await rows.findOne({ _id: 'late' }), null);
  await rows.insertOne({ _id: 'after', b: 1000 });
  const checked = await server.command(['data', 'check']);
  assert.deepEqual([checked.code, checked.stdout], [0, '301 documents and 902 index entries agree\n']);
  await assert.rejects(feed[Symbol.asyncIterator]().next(), { code: 'history_lost' });
});

test('a backup does not write into a folder that holds something', async () => {
  await using server = await bootTest({ plugins: [{ plugin: keeper }] });
  const { code, stderr } = await server.command(['data', 'backup', '.']);
  assert.equal(code, 2);
  assert.match(stderr, /is not empty; name a new folder/);
});

test('the check names the index and the document that disagree', async (t) => {
  const { store, storage } = await openStore(t);
  const rows = storage.collection<Row>({ name: 'rows', indexes: [{ keys: { a: 1 } }] });
  await rows.insertMany([
    { _id: 'kept', a: 1 },
    { _id: 'lost', a: 2 },
  ]);
  assert.deepEqual(store.check().faults, []);
  store.environment.write((writer) => {
    const walk = writer.walk('indexes', { start: Buffer.from([0]), end: Buffer.alloc(5, 0xff) });
    const [, second] = [...entriesOf(walk)];
    writer.remove('indexes', second!.key);
  });
  assert.deepEqual(store.check().faults, [
    'test/rows, index a: the document "lost" is missing',
    'test/rows, index a: 1 entries where the documents have 2',
  ]);
});
