import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootTest, LogLines } from 'plugboard/testing';
import { STORAGE } from 'plugboard/sdk';
import { keeper } from '../../../support/storage/keeper.js';
import { freePort, mongodMissing } from '../../../support/mongod/mongod.js';
import type { Anything } from '../../../support/storage/store-of-test.js';

test(
  'a server on memory-server has transactions and change feeds, says that it forgets, and leaves no process',
  { skip: mongodMissing },
  async () => {
    const log = new LogLines();
    const server = await bootTest({
      plugins: [{ plugin: keeper }],
      storage: { use: 'memory-server', download: false },
      log,
    });
    const storage = server.service(STORAGE);
    const collection = storage.collection<Anything>({ name: 'rows' });
    const feed = await collection.changes();
    await storage.transaction(async (tx) => collection.with(tx).insertOne({ _id: 'a', n: 1n }));
    for await (const change of feed) {
      assert.deepEqual(change.kind === 'put' && change.document, { _id: 'a', n: 1n });
      break;
    }
    const { statusCode, body } = await server.inject('/-/ready');
    assert.equal(statusCode, 200, body);
    assert.match(log.lines.join('\n'), /this store forgets everything when the server stops/);
    await server.stop();
    await assert.rejects(storage.ping(), { code: 'unavailable' });
  },
);

test('without a mongod, and without leave to download one, the start says where one could be put', async () => {
  const { MONGOMS_SYSTEM_BINARY: named, PATH: path } = process.env;
  delete process.env['MONGOMS_SYSTEM_BINARY'];
  process.env['PATH'] = '/nowhere';
  try {
    const start = bootTest({
      plugins: [{ plugin: keeper }],
      storage: { use: 'memory-server', download: false },
    });
    await assert.rejects(start, /no mongod .*PATH.*MONGOMS_SYSTEM_BINARY.*download/);
  } finally {
    process.env['PATH'] = path;
    if (named !== undefined) process.env['MONGOMS_SYSTEM_BINARY'] = named;
  }
});

test('a binary that is none is refused by its name', async () => {
  for (const [binary, said] of [
    ['/nowhere/mongod', /"\/nowhere\/mongod"/],
    [process.execPath, /does not tell the version of a mongod/],
  ] as const) {
    const start = bootTest({
      plugins: [{ plugin: keeper }],
      storage: { use: 'memory-server', binary, download: false },
    });
    await assert.rejects(start, said);
  }
});

test('where the download fails, the start says what could not be fetched and what to do instead', async () => {
  const { MONGOMS_SYSTEM_BINARY: named, PATH: path, MONGOMS_DOWNLOAD_MIRROR: mirror } = process.env;
  delete process.env['MONGOMS_SYSTEM_BINARY'];
  process.env['PATH'] = '/nowhere';
  process.env['MONGOMS_DOWNLOAD_MIRROR'] = `http://127.0.0.1:${await freePort()}`;
  try {
    const start = bootTest({
      plugins: [{ plugin: keeper }],
      // A version that no cache has.
      storage: { use: 'memory-server', version: '6.0.1' },
    });
    await assert.rejects(start, /mongod cannot be downloaded: .*MONGOMS_SYSTEM_BINARY/s);
  } finally {
    process.env['PATH'] = path;
    if (named !== undefined) process.env['MONGOMS_SYSTEM_BINARY'] = named;
    if (mirror === undefined) delete process.env['MONGOMS_DOWNLOAD_MIRROR'];
    else process.env['MONGOMS_DOWNLOAD_MIRROR'] = mirror;
  }
});
