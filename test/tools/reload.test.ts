/** A running server whose config changes: SIGHUP, several files, `--env-file`, and the way back. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createAuthority, hasOpenssl } from '../support/peers/certificates.js';
import { eventually } from '../support/eventually.js';
import { root } from '../support/fixtures.js';
import { RestlessClients } from '../support/servers/restless-clients.js';
import { SpawnedServer } from '../support/servers/spawned-server.js';

let folder = '';
const file = (name: string): string => join(folder, name);

/** Answers its word, and fails to start with the word "broken". */
const PLUGIN = `
import { definePlugin, Type } from ${JSON.stringify(join(root, 'dist/kernel/sdk/index.js'))};
export default definePlugin({
  name: 'word', api: 1,
  config: Type.Object({ word: Type.String() }, { additionalProperties: false }),
  setup: ({ config }) => ({
    routes: (app) => {
      app.get('/word', () => ({ word: config.word }));
      app.get('/slow', () => new Promise((done) => setTimeout(() => done({ word: config.word }), 300)));
    },
    start: () => { if (config.word === 'broken') throw new Error('this word is broken'); },
  }),
});`;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'plugboard-reload-'));
  writeFileSync(file('word.mjs'), PLUGIN);
});
after(() => rmSync(folder, { recursive: true, force: true }));

function config(name: string, word: string, server = ''): string {
  writeFileSync(
    file(name),
    `version: 1\nserver: { port: ${port}${server} }\nplugins:\n  word: { use: ./word.mjs, word: "${word}" }\n`,
  );
  return file(name);
}

let port = 0;
before(async () => {
  port = await freePort();
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => void probe.listen(0, '127.0.0.1', done));
  const { port: free } = probe.address() as { port: number };
  await new Promise((done) => void probe.close(done));
  return free;
}

function isFree(taken: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.on('error', () => resolve(false));
    probe.listen(taken, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

const word = async (): Promise<string> => {
  const answer = await fetch(`http://127.0.0.1:${port}/word`).catch(() => undefined);
  return answer === undefined ? 'unreachable' : ((await answer.json()) as { word: string }).word;
};

test('SIGHUP takes a good config in the same process, refuses a bad one, and goes back from one that fails', async () => {
  const path = config('hup.yaml', 'one');
  await using server = await SpawnedServer.run([path]);
  assert.equal(await word(), 'one');

  config('hup.yaml', 'two');
  const slow = fetch(`${server.url}/slow`).then((answer) => answer.json());
  await fetch(`${server.url}/-/live`);
  server.kill('SIGHUP');
  await eventually(async () => (await word()) === 'two', 'the new config answers');
  assert.deepEqual(await slow, { word: 'one' }, 'the request in flight ended first');

  config('hup.yaml', 'three', ', prot: 1');
  server.kill('SIGHUP');
  await eventually(() => /goes on with the one that it has/.test(server.output), 'the problems are said');
  assert.match(
    server.output,
    /hup\.yaml:2:\d+ error server\.prot: unknown key "prot"; did you mean "port"\?/,
  );
  assert.equal(await word(), 'two');

  rmSync(path);
  server.kill('SIGHUP');
  await eventually(() => /there is no such file/.test(server.output), 'the missing file is said');

  config('hup.yaml', 'broken');
  server.kill('SIGHUP');
  await eventually(() => /going back to the old one/.test(server.output), 'the failure is said');
  await eventually(async () => (await word()) === 'two', 'the old config answers again');
  assert.match(server.output, /this word is broken/);

  config('hup.yaml', 'four');
  server.kill('SIGHUP');
  server.kill('SIGHUP');
  await eventually(async () => (await word()) === 'four', 'the next good config answers');
  assert.equal(await server.end('SIGTERM'), 0);
});

for (const secure of [false, true]) {
  const name = `no ${secure ? 'https' : 'http'} request is refused, cut off or answered 5xx by reloads; the port may change`;
  test(name, { skip: secure && !hasOpenssl() ? 'no openssl' : false }, async () => {
    const authority = secure ? createAuthority(folder, 'reload') : undefined;
    const pem = authority?.issue('first') ?? '';
    const tls = secure ? `, tls: { cert: ${pem}, key: ${pem} }` : '';
    const path = config('busy.yaml', 'one', tls);
    await using server = await SpawnedServer.run([path]);
    const ca = authority && readFileSync(authority.caFile);
    const url = `http${secure ? 's' : ''}://127.0.0.1:${port}/word`;
    await using clients = new RestlessClients<{ word: string }>(url, ca);
    const reload = (to: string): void => {
      config('busy.yaml', to, tls);
      server.kill('SIGHUP');
    };
    const allHear = (expected: string): Promise<void> =>
      eventually(() => clients.all(({ word }) => word === expected), `all hear "${expected}"`);
    await allHear('one');
    reload('two');
    await allHear('two');
    reload('broken');
    await eventually(() => /going back to the old one.*ready: /s.test(server.output), 'the old one is back');
    reload('three');
    await allHear('three');
    if (authority !== undefined) {
      const good = authority.issue('second');
      writeFileSync(pem, 'no certificate');
      reload('four');
      await eventually(
        () => /busy\.yaml:\d+:\d+ error server\.tls/.test(server.output),
        'the bad file is said',
      );
      // The old config goes on too, whose files are bad by now.
      config('busy.yaml', 'broken', `, tls: { cert: ${good}, key: ${good} }`);
      server.kill('SIGHUP');
      await eventually(
        () => /the old one stays in force.*ready: /s.test(server.output),
        'the old one is back',
      );
      writeFileSync(pem, readFileSync(good));
      reload('three');
      await eventually(
        () => (server.output.match(/ready: .* https:/g) ?? []).length >= 6,
        'it reloads again',
      );
    }
    await clients.end();
    assert.deepEqual(clients.faults, []);

    const other = await freePort();
    writeFileSync(path, readFileSync(path, 'utf8').replace(String(port), String(other)));
    await using movers = new RestlessClients<{ word: string }>(url.replace(String(port), String(other)), ca);
    server.kill('SIGHUP');
    await eventually(() => movers.all(({ word }) => word === 'three'), 'the other port answers');
    await movers.end();
    await eventually(() => isFree(port), 'the old port is closed');
    assert.equal(await server.end('SIGTERM'), 0);
  });
}

test('a port that another process has is found before the server that runs is drained', async () => {
  const path = config('port.yaml', 'one');
  await using server = await SpawnedServer.run([path]);
  const other = createServer();
  await new Promise<void>((done) => void other.listen(0, '127.0.0.1', done));
  const taken = (other.address() as { port: number }).port;
  writeFileSync(
    path,
    `version: 1\nserver:\n  port: ${taken}\nplugins:\n  word: { use: ./word.mjs, word: two }\n`,
  );
  server.kill('SIGHUP');
  await eventually(() => server.output.includes('goes on with the one that it has'), 'it is said');
  assert.match(server.output, new RegExp(`port\\.yaml:3:9 error server\\.port: port ${taken} .*in use`));
  assert.equal(await word(), 'one');
  await new Promise((done) => void other.close(done));
});

test('several files make one config, paths are meant from the first, and --env-file fills in variables', async () => {
  const base = config('base.yaml', '${WORD}');
  mkdirSync(file('etc'), { recursive: true });
  writeFileSync(file('etc/over.yaml'), 'plugins:\n  word: { word: "${WORD} over" }\n');
  writeFileSync(file('.env'), 'WORD="from the file"\nOTHER=1\n');
  const words = [base, file('etc/over.yaml'), '--env-file', file('.env')];
  await using server = await SpawnedServer.run(words);
  assert.equal(await word(), 'from the file over');
  writeFileSync(file('.env'), 'WORD=changed\n');
  server.kill('SIGHUP');
  await eventually(async () => (await word()) === 'changed over', 'the new variable is in force');
});

test('the environment comes before --env-file, and each file of check --each stands alone', () => {
  const script = join(root, 'dist/tools/plugboard.js');
  const run = (words: readonly string[]) =>
    spawnSync(process.execPath, [script, ...words], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', WORD: 'from the environment' },
    });
  const base = config('env.yaml', '${WORD}');
  writeFileSync(file('.env'), 'WORD=unused\n');
  assert.equal(run(['check', base, '--env-file', file('.env')]).status, 0);
  writeFileSync(file('part.yaml'), 'log: { level: loud }\n');
  const together = run(['check', base, file('part.yaml')]);
  assert.deepEqual([together.status, together.stderr.match(/^\S+/)?.[0]], [2, 'part.yaml:1:15']);
  const each = run(['check', '--each', base, file('part.yaml')]);
  assert.match(each.stdout, /env\.yaml: ok/);
  assert.match(each.stderr, /the key "version" is missing/);
});

test('run --watch goes on with the old code of a plugin while the new one does not load', async () => {
  const path = config('watch.yaml', 'one');
  await using server = await SpawnedServer.run(['--watch', path]);
  writeFileSync(file('word.mjs'), 'export default {;');
  await eventually(() => server.output.includes('the server goes on as it was'), 'the fault is said');
  assert.equal(await word(), 'one');
  writeFileSync(file('word.mjs'), PLUGIN.replace('word: config.word }', "word: config.word + '!' }"));
  await eventually(async () => (await word()) === 'one!', 'the new code answers');
  assert.equal(await server.end('SIGTERM'), 0);
});

test('a plugin in a folder without plugboard is told to install it', () => {
  const lonely = mkdtempSync(join(tmpdir(), 'lonely-'));
  writeFileSync(
    join(lonely, 'index.mjs'),
    "import { definePlugin } from 'plugboard/sdk';\nexport default definePlugin({});\n",
  );
  writeFileSync(join(lonely, 'c.yaml'), 'version: 1\nplugins:\n  lonely: { use: ./index.mjs }\n');
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, 'dist/tools/plugboard.js'), 'check', 'c.yaml'],
    {
      cwd: lonely,
      encoding: 'utf8',
    },
  );
  rmSync(lonely, { recursive: true });
  assert.equal(status, 2);
  assert.match(
    stderr,
    /c\.yaml:3:18 error .*it imports "plugboard", which is not installed there; run npm install plugboard in/,
  );
});
