/** `data check`, `data backup` and `data restore`, on a server that is running. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { SECRETS, STORAGE } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';
import { entriesOf } from '../../../../plugins/storage/embedded/lmdb/key-space.js';
import { openStore, type Row } from './open.js';
import { keeper, sealer } from '../../../support/storage/keeper.js';

test('a backup taken from a running server brings everything back, and indexes agree', async () => {
  await using server = await bootTest({ plugins: [{ plugin: sealer }] });
  const rows = server
    .service(STORAGE)
    .collection<Row>({ name: 'rows', indexes: [{ keys: { a: 1 } }, { keys: { b: 1 }, unique: true }] });
  await rows.insertMany(Array.from({ length: 300 }, (_, at) => ({ _id: `r${at}`, a: [at % 7, 'x'], b: at })));
  const feed = await rows.changes();
  const secrets = server.service(SECRETS);
  const sealed = secrets.seal('hunter2', 'test');
  const copy = join(server.baseDir, 'copy');
  assert.equal((await server.command(['data', 'backup', copy])).code, 0);
  await rows.deleteMany({ b: { $lt: 200 } });
  await rows.insertOne({ _id: 'late', b: 5 });
  const restored = await server.command(['data', 'restore', copy]);
  assert.equal(restored.code, 0, restored.stderr);
  assert.match(restored.stderr, /^the server serves them; restart it/);
  assert.equal(await rows.countDocuments({ a: 'x' }), 300);
  assert.equal(await rows.findOne({ _id: 'late' }), null);
  await rows.insertOne({ _id: 'after', b: 1000 });
  const checked = await server.command(['data', 'check']);
  assert.equal(checked.code, 0);
  assert.match(checked.stdout, /^\d+ documents and \d+ index entries agree\n$/);
  await assert.rejects(feed[Symbol.asyncIterator]().next(), { code: 'history_lost' });

  // A fresh folder, which has made a sealing key of its own.
  const storage = { use: 'embedded', path: join(server.baseDir, 'fresh') };
  const other = await bootTest({ plugins: [{ plugin: sealer }], storage });
  const there = other.service(SECRETS).seal('theirs', 'test');
  assert.equal((await other.command(['data', 'restore', copy])).code, 0);
  await other.stop();
  await using again = await bootTest({ plugins: [{ plugin: sealer }], storage });
  assert.equal(again.service(SECRETS).open(sealed, 'test'), 'hunter2');
  assert.equal(again.service(SECRETS).open(there, 'test'), 'theirs');
  assert.equal(await again.service(STORAGE).collection<Row>({ name: 'rows' }).countDocuments({}), 300);
});

test('a backup that was cut, changed or not finished is refused, and nothing is changed', async (t) => {
  await using server = await bootTest({ plugins: [{ plugin: keeper }] });
  const rows = server.service(STORAGE).collection<Row>({ name: 'rows' });
  await rows.insertMany(
    Array.from({ length: 300 }, (_, at) => ({ _id: `r${at}`, text: 'some text '.repeat(20) })),
  );
  const harms: Record<string, (copy: string) => void> = {
    'is not a whole backup': (copy) => rmSync(join(copy, 'backup.json')),
    'there is no backup in': (copy) => rmSync(join(copy, 'data.mdb')),
    'is damaged: ': (copy) => truncateSync(join(copy, 'data.mdb'), 50_000),
    'does not match its checksum': (copy) => {
      const bytes = readFileSync(join(copy, 'data.mdb'));
      bytes[bytes.indexOf('some text')]! ^= 1;
      writeFileSync(join(copy, 'data.mdb'), bytes);
    },
  };
  for (const [said, harm] of Object.entries(harms)) {
    const copy = mkdtempSync(join(tmpdir(), 'plugboard-copy-'));
    t.after(() => rmSync(copy, { recursive: true }));
    assert.equal((await server.command(['data', 'backup', copy])).code, 0);
    harm(copy);
    const { code, stderr } = await server.command(['data', 'restore', copy]);
    assert.equal(code, 2);
    assert.ok(stderr.includes(said), stderr);
    assert.equal(await rows.countDocuments({}), 300);
  }
});

test('a backup does not write into a folder that holds something', async () => {
  await using server = await bootTest({ plugins: [{ plugin: keeper }] });
  const { code, stderr } = await server.command(['data', 'backup', '.']);
  assert.equal(code, 2);
  assert.match(stderr, /is not empty; name a new folder/);
  writeFileSync(join(server.baseDir, 'file'), '');
  for (const command of ['backup', 'export']) {
    const refused = await server.command(['data', command, join(server.baseDir, 'file/copy')]);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /cannot be written by the user .* \((?:ENOTDIR|EEXIST)\); name a folder/);
  }
});

test('the check names the index and the document that disagree', async (t) => {
  const { store, storage } = await openStore(t);
  const rows = storage.collection<Row>({ name: 'rows', indexes: [{ keys: { a: 1 } }] });
  await rows.insertMany([
    { _id: 'kept', a: 1 },
    { _id: 'lost', a: 2 },
  ]);
  assert.deepEqual((await store.check()).faults, []);
  await store.environment.commit((writer) => {
    const walk = writer.walk('indexes', { start: Buffer.from([0]), end: Buffer.alloc(5, 0xff) });
    const [, second] = [...entriesOf(walk)];
    writer.remove('indexes', second!.key);
  });
  assert.deepEqual((await store.check()).faults, [
    'test/rows, index a: the document "lost" is missing',
    'test/rows, index a: 1 entries where the documents have 2',
  ]);
});
