/** `data export` and `data import`: from each store to each store, with everything kept. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { PassThrough } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { SECRETS, STORAGE, type Document } from 'plugboard/sdk';
import { bootTest, type TestServer } from 'plugboard/testing';
import { wholeStore } from '../../../../plugins/storage/embedded/whole-store.js';
import { exportAll } from '../../../../plugins/storage/transfer/export.js';
import { importAll } from '../../../../plugins/storage/transfer/import.js';
import { ProgressLine } from '../../../../plugins/storage/transfer/progress-line.js';
import { sealer } from '../../../support/storage/keeper.js';
import { eachStore, type StoreConfig } from '../../../support/stores.js';
import { openStore } from '../embedded/open.js';

interface Row extends Document {
  readonly [field: string]: unknown;
}

const KEY = Buffer.alloc(32, 7).toString('base64');
const plugins = [{ plugin: sealer }];
const INDEXES = [{ keys: { n: 1 } }, { keys: { unique: 1 }, unique: true }] as const;

function boot(storage: StoreConfig, ...keys: string[]): Promise<TestServer> {
  return bootTest({ plugins, storage, ...(keys.length > 0 && { secrets: { keys: keys } }) });
}

const rowsOf = (server: TestServer) =>
  server.service(STORAGE).collection<Row>({ name: 'rows', indexes: INDEXES });

function row(at: number): Row {
  return {
    _id: `row ${String(at).padStart(5, '0')} ${at % 3 === 0 ? '\u{1f600}' : 'é'}`,
    n: at / 4,
    unique: `u${at}`,
    when: new Date(1_700_000_000_000 + at),
    large: 2n ** 60n + BigInt(at),
    bytes: new Uint8Array([at % 256, 0, 255]),
    deep: { list: [at, null, { a: true }], empty: {} },
  };
}

function newFolder(t: TestContext): string {
  const parent = mkdtempSync(join(tmpdir(), 'plugboard-transfer-'));
  t.after(() => rmSync(parent, { recursive: true, force: true }));
  return join(parent, 'moved');
}

async function run(server: TestServer, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await server.command(words);
  assert.equal(code, 0, stderr);
  return stdout;
}

eachStore('export and import from', (from) => {
  eachStore('to', (to) => {
    test('all collections, ids, dates and sealed secrets are kept', async (t) => {
      const directory = newFolder(t);
      const all = Array.from({ length: 1300 }, (_, at) => row(at));
      const source = await boot(await from.fresh(), KEY);
      await rowsOf(source).insertMany(all);
      await source.service(STORAGE, 'other').collection<Row>({ name: 'empty' }).countDocuments({});
      const sealed = source.service(SECRETS).seal('hunter2', 'test');
      assert.match(
        await run(source, 'data', 'export', directory),
        /exported \d+ documents of \d+ collections/,
      );
      await source.stop();

      const storage = await to.fresh();
      const target = await boot(storage, KEY);
      await rowsOf(target).insertOne({ _id: 'was here', unique: 'u1' });
      const refused = await target.command(['data', 'import', directory]);
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /has documents in .*; add --replace/);
      assert.match(
        await run(target, 'data', 'import', directory, '--replace'),
        /imported \d+ documents of \d+ collections.*; all are as they were exported/,
      );
      await target.stop();

      await using again = await boot(storage, KEY);
      assert.deepEqual(
        await rowsOf(again)
          .find({}, { sort: { unique: 1 } })
          .toArray(),
        sorted(all),
      );
      assert.equal(await rowsOf(again).countDocuments({ n: { $gte: 300 } }), 100);
      assert.equal(again.service(SECRETS).open(sealed, 'test'), 'hunter2');
    });
  });

  test('no server starts on half of an import', async () => {
    const storage = await from.fresh();
    const server = await boot(storage, KEY);
    // What an import leaves that is killed.
    await server.service(STORAGE, 'storage').collection({ name: 'imports' }).insertOne({ _id: 'unfinished' });
    await server.stop();
    await assert.rejects(boot(storage, KEY), /an import into this store was broken off/);
  });

  test('an export that is broken off goes on where it was', async (t) => {
    const directory = newFolder(t);
    await using source = await boot(await from.fresh(), KEY);
    await rowsOf(source).insertMany(Array.from({ length: 1300 }, (_, at) => row(at)));
    // As a kill at its very beginning leaves it.
    mkdirSync(directory);
    writeFileSync(join(directory, 'export.unfinished.json.new'), '{');
    await run(source, 'data', 'export', directory);
    const whole = readFileSync(join(directory, 'test.rows.bson'));
    const manifest = JSON.parse(readFileSync(join(directory, 'export.json'), 'utf8')) as {
      store: string;
      collections: { name: string; checksum: number }[];
    };
    // As a kill in the middle of the second page leaves it.
    const first = whole.indexOf(Buffer.from(row(500)._id)) - 13;
    const current = {
      name: 'test/rows',
      file: 'test.rows.bson',
      documents: 500,
      bytes: first,
      checksum: crc32(whole.subarray(0, first)),
      last: row(499)._id,
    };
    const done = manifest.collections.filter(({ name }) => name !== 'test/rows');
    rmSync(join(directory, 'export.json'));
    writeFileSync(
      join(directory, 'export.unfinished.json'),
      JSON.stringify({ ...manifest, collections: done, current }),
    );
    truncateSync(join(directory, 'test.rows.bson'), first + 100);
    await run(source, 'data', 'export', directory);
    assert.ok(whole.equals(readFileSync(join(directory, 'test.rows.bson'))));
  });
});

test('an import with --replace that was interrupted goes on without it', async (t) => {
  const directory = newFolder(t);
  const progress = new ProgressLine(new PassThrough());
  const [source, target] = [await openStore(t), await openStore(t)];
  const all = Array.from({ length: 10 }, (_, at) => row(at));
  await source.storage.collection<Row>({ name: 'rows' }).insertMany(all);
  const { signal } = new AbortController();
  await exportAll(wholeStore(source.store), directory, { progress, signal });

  const rows = target.storage.collection<Row>({ name: 'rows' });
  await rows.insertOne({ _id: 'was here' });
  const into = wholeStore(target.store);
  const options = { progress, signal, hasSealKey: false };
  await assert.rejects(
    importAll(into, directory, { ...options, replace: false }),
    /has documents in test\/rows/,
  );
  const interrupted = { ...options, signal: AbortSignal.abort(), replace: true };
  await assert.rejects(importAll(into, directory, interrupted), /interrupted; run the same command again/);
  // As a kill leaves it after the first page, before that is noted.
  await rows.insertMany(all.slice(0, 5));
  await importAll(into, directory, { ...options, replace: false });
  assert.equal(await rows.countDocuments({}), all.length);
});

test('an export that was cut, changed or not finished is not imported', async (t) => {
  const store: StoreConfig = { use: 'embedded', path: `${newFolder(t)}-store` };
  await using server = await boot(store);
  await rowsOf(server).insertMany(Array.from({ length: 10 }, (_, at) => row(at)));
  const harms: Record<string, (directory: string) => void> = {
    'bytes where the export wrote': (directory) => truncateSync(join(directory, 'test.rows.bson'), 100),
    'was changed since': (directory) => {
      const path = join(directory, 'test.rows.bson');
      writeFileSync(path, readFileSync(path).fill(1, 200, 201));
    },
    'there is no export': (directory) => rmSync(join(directory, 'export.json')),
  };
  for (const [said, harm] of Object.entries(harms)) {
    const directory = newFolder(t);
    await run(server, 'data', 'export', directory);
    harm(directory);
    const { code, stderr } = await server.command(['data', 'import', directory, '--replace']);
    assert.equal(code, 2);
    assert.ok(stderr.includes(said), stderr);
    assert.equal(await rowsOf(server).countDocuments({}), 10);
  }
});

test('the generated sealing key goes along, and joins the one of the folder that it comes to', async (t) => {
  const directory = newFolder(t);
  const source = await boot({ use: 'embedded', path: `${directory}-source` });
  const sealed = source.service(SECRETS).seal('hunter2', 'test');
  await run(source, 'data', 'export', directory);
  await source.stop();
  const storage: StoreConfig = { use: 'embedded', path: `${directory}-target` };
  const target = await boot(storage);
  await run(target, 'data', 'import', directory, '--replace');
  await target.stop();
  await using again = await boot(storage);
  assert.equal(again.service(SECRETS).open(sealed, 'test'), 'hunter2');
});

function sorted(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => (String(a['unique']) < String(b['unique']) ? -1 : 1));
}
