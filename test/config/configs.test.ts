/** The configs that come with the server start, and the schema for editors is that of the plugins. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/fixtures.js';
import { SpawnedServer } from '../support/servers/spawned-server.js';
import { mongodbMissing, mongodbUrl } from '../support/stores.js';

async function starts(file: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'plugboard-config-'));
  const server = await SpawnedServer.run([file], { env: { PORT: '0', PLUGBOARD_DATA: data, ...env } });
  const ready = await fetch(`${server.url}/-/ready`);
  assert.equal(ready.status, 200, await ready.text());
  assert.equal(await server.end('SIGTERM'), 0);
  await rm(data, { recursive: true, force: true });
  return server.output;
}

test('config/default.yaml starts every plugin on a machine with Node alone, and prints the credentials once', async () => {
  const output = await starts('config/default.yaml');
  for (const plugin of ['ratelimit', 'authorizations', 'router', 'playground', 'memory', 'dataquery'])
    assert.match(output, new RegExp(`${plugin} \\d+ ms`));
  assert.equal(output.match(/\bpb_[\w-]+/g)?.length, 1);
});

test('config/minimal.yaml starts the one plugin that it names, without credentials', async () => {
  const output = await starts('config/minimal.yaml');
  assert.match(output, /ready: 1 plugin, /);
});

test('config/mongodb.yaml starts on MongoDB', { skip: mongodbMissing }, async () => {
  await starts('config/mongodb.yaml', {
    MONGODB_URI: await mongodbUrl(),
    MONGODB_DATABASE: `config-${randomUUID()}`,
    PLUGBOARD_SEAL_KEY: randomBytes(32).toString('base64'),
    HOST: '127.0.0.1',
  });
});

test('config/plugboard.schema.json is what `plugboard schema` writes', () => {
  const { stdout } = spawnSync(process.execPath, [join(root, 'dist/tools/plugboard.js'), 'schema'], {
    encoding: 'utf8',
  });
  assert.equal(
    readFileSync(join(root, 'config/plugboard.schema.json'), 'utf8'),
    stdout,
    'run `npm run plugboard -- schema config/plugboard.schema.json`',
  );
});
