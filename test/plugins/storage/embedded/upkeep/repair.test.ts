/** `data repair`: what is kept of a damaged store, and that it says what it gives up before it does. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { planRepair, repair } from '../../../../../plugins/storage/embedded/upkeep/repair.js';
import { openStore, type Row } from '../open.js';

const SPEC = { name: 'rows', indexes: [{ keys: { n: 1 } }] } as const;

async function damaged(t: TestContext, harm: (bytes: Buffer) => void): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'plugboard-repair-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const { store, storage } = await openStore(t, { directory });
  await storage
    .collection<Row>(SPEC)
    .insertMany(
      Array.from({ length: 1000 }, (_, n) => ({ _id: `row${n}`, n, text: `text of ${n} `.repeat(20) })),
    );
  await store.close();
  const path = join(directory, 'data.mdb');
  const bytes = readFileSync(path);
  harm(bytes);
  writeFileSync(path, bytes);
  return directory;
}

async function rowsAfter(t: TestContext, directory: string): Promise<number> {
  const { store, storage } = await openStore(t, { directory });
  await store.settleDoubts();
  assert.deepEqual((await store.check()).faults, []);
  const rows = storage.collection<Row>(SPEC);
  const count = await rows.countDocuments({});
  assert.equal(await rows.countDocuments({ n: { $gte: 0 } }), count);
  await store.close();
  return count;
}

test('a changed document is given up by name, and all others are kept', async (t) => {
  const directory = await damaged(t, (bytes) => void (bytes[bytes.indexOf('text of 77 ')]! ^= 1));
  const before = readFileSync(join(directory, 'data.mdb'));
  assert.deepEqual(await planRepair(directory), {
    lost: ['the document "row77", which does not match its checksum'],
    documents: 999,
    made: false,
  });
  assert.ok(before.equals(readFileSync(join(directory, 'data.mdb'))), 'looking changes nothing');
  const aside = await repair(directory, new Date(0));
  assert.ok(before.equals(readFileSync(join(aside, 'data.mdb'))), 'the damaged file is put aside');
  assert.equal(await rowsAfter(t, directory), 999);
});

test('pages of documents that are gone are given up, and the others are kept', async (t) => {
  const directory = await damaged(t, (bytes) => {
    const at = Math.floor(bytes.indexOf('text of 500 ') / 4096) * 4096;
    bytes.fill(0, at, at + 4096);
  });
  const { lost, documents } = await planRepair(directory);
  assert.match(lost.join('\n'), /data\.mdb: page \d+ has the number of another page/);
  assert.match(lost.join('\n'), /documents has \d+ entries where 1000 are written down/);
  assert.ok(documents > 900 && documents < 1000);
  await repair(directory, new Date(0));
  assert.equal(await rowsAfter(t, directory), documents);
});

test('a file without its meta pages cannot be repaired, and says so', async (t) => {
  const directory = await damaged(t, (bytes) => void bytes.fill(0, 0, 8192));
  await assert.rejects(
    planRepair(directory),
    /both meta pages of "data.mdb" are damaged: nothing can be kept/,
  );
  assert.ok(readdirSync(directory).includes('data.mdb'));
});
