/** What config/deploy offers for containers and systemd. An image and a set of containers cannot be started here. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { parse } from 'yaml';
import { root } from '../support/fixtures.js';
import { SpawnedServer } from '../support/servers/spawned-server.js';

const folder = join(root, 'config/deploy');
const dockerfile = readFileSync(join(folder, 'Dockerfile'), 'utf8');

/** The health check as Docker runs it, without a shell. */
function healthCheck(): string[] {
  const [, command = ''] = /HEALTHCHECK[^[]*(\[.*\])/.exec(dockerfile) ?? [];
  return JSON.parse(command) as string[];
}

test('the health check of the image is well while a server answers, and fails when none does', async (t) => {
  const scratch = scratchFolder(t);
  const [node = '', ...words] = healthCheck();
  assert.equal(node, 'node');
  const server = await SpawnedServer.run(['config/minimal.yaml'], {
    env: { PORT: '0', PLUGBOARD_DATA: scratch },
  });
  const env = { ...process.env, PORT: new URL(server.url).port };
  assert.equal(spawnSync(process.execPath, words, { env }).status, 0);
  assert.equal(await server.end('SIGTERM'), 0);
  assert.equal(spawnSync(process.execPath, words, { env }).status, 1);
});

test('the image copies the script that it runs, and runs it as a user with a number', () => {
  const [, script = ''] = /ln -s \/app\/(\S+) \/usr\/local\/bin\/plugboard/.exec(dockerfile) ?? [];
  assert.ok(existsSync(join(root, script)), script);
  assert.match(dockerfile, /\nUSER \d+:\d+\n/);
  assert.match(dockerfile, /\nENTRYPOINT \["plugboard"\]\nCMD \["run"\]\n$/);
});

interface Compose {
  readonly services: Readonly<
    Record<string, { readonly command: readonly string[]; readonly environment?: Record<string, string> }>
  >;
}

test('the instances of compose.yaml have a config that passes check with their variables', () => {
  const text = readFileSync(join(folder, 'compose.yaml'), 'utf8');
  const { services } = parse(text, { merge: true }) as Compose;
  const instances = Object.entries(services).filter(([name]) => name.startsWith('plugboard'));
  assert.equal(instances.length, 2);
  for (const [, { command, environment = {} }] of instances) {
    const [run, config = ''] = command;
    assert.equal(run, 'run');
    const file = config.replace(/^\/app\//, `${root}/`);
    const sealKey = Buffer.alloc(32, 7).toString('base64');
    const env = { ...process.env, ...environment, PLUGBOARD_SEAL_KEY: sealKey };
    const script = join(root, 'dist/tools/plugboard.js');
    const checked = spawnSync(process.execPath, [script, 'check', file], { env, encoding: 'utf8' });
    assert.equal(checked.status, 0, checked.stderr);
    const members = new URL(environment['MONGODB_URI']?.replace(/mongodb:\/\/[^/]*/, 'mongodb://set') ?? '');
    assert.equal(members.searchParams.get('replicaSet'), 'rs0');
    for (const member of /\/\/([^/]*)\//.exec(environment['MONGODB_URI'] ?? '')?.[1]?.split(',') ?? [])
      assert.ok(Object.hasOwn(services, member), member);
  }
});

const systemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test(
  'systemd takes the unit without a word, and names a key that it does not know',
  { skip: !systemd && 'there is no systemd-analyze' },
  (t) => {
    const scratch = scratchFolder(t);
    const unit = readFileSync(join(folder, 'plugboard.service'), 'utf8');
    // Where node is differs from machine to machine.
    const here = unit.replace('/usr/bin/node', process.execPath);
    assert.equal(verified(here, scratch), '');
    assert.match(verified(here.replace('UMask=', 'UMaks='), scratch), /UMaks/);
  },
);

/** What systemd-analyze complains of; it ends with 0 also for an unknown key. */
function verified(unit: string, folder: string): string {
  const file = join(folder, 'plugboard.service');
  writeFileSync(file, unit);
  return spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' }).stderr;
}

function scratchFolder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), 'plugboard-deploy-'));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}
