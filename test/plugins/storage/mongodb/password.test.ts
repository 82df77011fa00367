/** The password of the connection string: never in a log line, an error, or what `plugboard print` shows. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { MongoClient } from 'mongodb';
import { bootTest, LogLines } from 'plugboard/testing';
import { keeper } from '../../../support/storage/keeper.js';
import { root } from '../../../support/fixtures.js';
import { freePort, Mongod, mongodMissing } from '../../../support/mongod/mongod.js';

const PASSWORD = 'hunter2-hunter2';

describe('the password of the connection string', { skip: mongodMissing }, () => {
  let mongod: Mongod | undefined;
  before(async () => {
    mongod = await Mongod.start();
    await using client = new MongoClient(mongod.url);
    await client
      .db('admin')
      .command({ createUser: 'ada', pwd: PASSWORD, roles: [{ role: 'readWrite', db: 'kept' }] });
  });
  after(() => mongod?.[Symbol.asyncDispose]());

  /** The whole log at level trace and the error of a start, if it fails. */
  async function start(url: string, limit = 10_000): Promise<{ log: string; error: string }> {
    const log = new LogLines();
    const storage = {
      use: 'mongodb',
      url,
      database: 'kept',
      timeouts: { serverSelection: limit, connect: limit },
    };
    let error = '';
    try {
      const server = await bootTest({ plugins: [{ plugin: keeper }], storage, log });
      await server.stop();
    } catch (reason) {
      error = inspect(reason, { depth: 10, showHidden: true });
    }
    return { log: log.lines.join('\n'), error };
  }

  const at = (port: number, password = PASSWORD, rest = 'kept?authSource=admin&directConnection=true') =>
    `mongodb://ada:${password}@127.0.0.1:${port}/${rest}`;

  test('is not in the log of a start that succeeds', async () => {
    const { log, error } = await start(at(mongod!.port));
    assert.equal(error, '');
    assert.match(log, /standalone/);
    assert.doesNotMatch(log, /hunter2/);
  });

  for (const [name, url, said, limit] of [
    ['that the server refuses', () => at(mongod!.port, 'hunter2-wrong'), /refuses the credentials/],
    ['for a server that is not there', async () => at(await freePort()), /cannot be reached/, 300],
    [
      'in a connection string with a mistake',
      () => at(mongod!.port, PASSWORD, 'kept?nonsense=true'),
      /connection string/,
    ],
    ['that should have been escaped', () => at(mongod!.port, 'hunter2/hunter2'), /connection string/],
  ] as const) {
    test(`${name} stops the start with a clear error and is in none of it`, async () => {
      const { log, error } = await start(await url(), limit);
      assert.match(error, said);
      assert.doesNotMatch(error, /hunter2/);
      assert.doesNotMatch(log, /hunter2/);
    });
  }

  test('is hidden by plugboard print', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plugboard-print-'));
    try {
      const storage = `{ use: mongodb, url: '${at(mongod!.port)}' }`;
      const file = join(folder, 'config.yaml');
      await writeFile(file, `version: 1\nproviders:\n  storage: ${storage}\nplugins:\n  memory:\n`);
      const script = join(root, 'dist/tools/plugboard.js');
      const { status, stdout, stderr } = spawnSync(process.execPath, [script, 'print', file], {
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
      assert.match(stdout, /use: mongodb/);
      assert.doesNotMatch(stdout + stderr, /hunter2/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
