/** Commands of plugins while a server runs: they run in it, over the socket in the folder of its store. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { eventually } from '../support/eventually.js';
import { root } from '../support/fixtures.js';
import { SpawnedServer } from '../support/servers/spawned-server.js';

const script = join(root, 'dist/tools/plugboard.js');
let folder = '';
let server: SpawnedServer;

/** A plugin whose commands say where they run. */
const PLUGIN = `
import { definePlugin, Type, UserError } from ${JSON.stringify(join(root, 'dist/kernel/sdk/index.js'))};
export default definePlugin({
  name: 'probe', api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  setup: () => ({ provides: {}, commands: [
    { name: 'probe where', summary: 'pid and folder', run: ({ stdout, cwd }) => void stdout.write(process.pid + ' ' + cwd + '\\n') },
    { name: 'probe echo', summary: 'what it reads', async run({ stdin, stdout }) { for await (const part of stdin) stdout.write(part); } },
    { name: 'probe much', summary: '8 MB', async run({ stdout }) {
      for (let at = 0; at < 128; at += 1) if (!stdout.write('x'.repeat(65536))) await new Promise((go) => stdout.once('drain', go));
    } },
    { name: 'probe lines', summary: '4 MB that nobody waits for', run({ stdout }) {
      for (let at = 0; at < 20000; at += 1) stdout.write('x'.repeat(199) + '\\n');
    } },
    { name: 'probe wait', summary: 'until it is aborted', run: ({ stdout, signal }) => new Promise((_, reject) => {
      stdout.write('waiting\\n');
      signal.addEventListener('abort', () => reject(new UserError('aborted')));
    }) },
    { name: 'probe fail', summary: 'throws', run: () => { throw new Error('inner fault'); } },
    { name: 'probe refuse', summary: 'refuses', run: () => { throw new UserError('not like this'); } },
  ] }),
});`;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plugboard-socket-'));
  writeFileSync(join(folder, 'probe.mjs'), PLUGIN);
  const config = `version: 1\nserver: { port: 0 }\nplugins:\n  probe: { use: ./probe.mjs }\n  memory:\n`;
  writeFileSync(join(folder, 'plugboard.yaml'), config);
  server = await SpawnedServer.run([], { cwd: folder });
});
after(async () => {
  await server.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function plugboard(words: readonly string[], input = '') {
  const child = spawn(process.execPath, [script, ...words], { cwd: folder, stdio: 'pipe' });
  // One that refuses its words does not read.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const exited = once(child, 'exit');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = (await exited) as [number | null];
  return { status, stdout, stderr };
}

const isAlone = (pid: string | undefined): boolean => pid !== String(server.pid);

test('a command runs in the running server, in the folder where it was typed', async () => {
  const { status, stdout, stderr } = await plugboard(['probe', 'where']);
  assert.equal(status, 0, stderr);
  const [pid, cwd] = stdout.trim().split(' ');
  assert.deepEqual([isAlone(pid), cwd], [false, folder]);
});

test('the socket is for its owner alone', () => {
  assert.equal(statSync(join(folder, 'data/commands.sock')).mode & 0o777, 0o600);
});

test('a key made by a command opens the running server at once', async () => {
  const { key } = JSON.parse(
    (await plugboard(['keys', 'create', 'one', '--scope', '*', '--json'])).stdout,
  ) as {
    key: string;
  };
  const answer = await fetch(`${server.url}/api/memory`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(answer.status, 200);
});

test('standard input and large outputs pass through', async () => {
  const sent = 'ä line\n'.repeat(50_000);
  assert.equal((await plugboard(['probe', 'echo'], sent)).stdout, sent);
  assert.equal((await plugboard(['probe', 'much'])).stdout.length, 128 * 65536);
  assert.equal((await plugboard(['probe', 'lines'])).stdout.length, 4_000_000);
});

test('a client that leaves in the middle of an output harms nobody', async () => {
  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    const child = spawn(process.execPath, [script, 'probe', 'lines'], { cwd: folder, stdio: 'pipe' });
    await once(child.stdout, 'data');
    child.kill(signal);
    await once(child, 'exit');
  }
  assert.equal((await plugboard(['probe', 'where'])).stdout.split(' ')[0], String(server.pid));
});

test('mistakes, failures, help and unknown words answer as they do without a server', async () => {
  assert.deepEqual(await plugboard(['probe', 'refuse']), {
    status: 2,
    stdout: '',
    stderr: 'not like this\n',
  });
  const failed = await plugboard(['probe', 'fail']);
  assert.deepEqual([failed.status, failed.stderr], [1, 'inner fault; the log of the server has the rest\n']);
  await eventually(() => /inner fault.*a command failed/.test(server.output), 'the log has the failure');
  assert.match((await plugboard(['help', 'probe'])).stdout, /^plugboard probe where\n {2}pid and folder/);
  assert.match((await plugboard(['probe', 'whre'])).stderr, /there is no command "probe whre"; did you mean/);
  assert.match((await plugboard(['probe', 'where', 'x'])).stderr, /unexpected argument "x"/);
});

test('paths of a command are relative to where it was typed, and a file that is not there harms nobody', async () => {
  assert.equal((await plugboard(['memory', 'export', 'out.ndjson'])).status, 0);
  assert.equal(readFileSync(join(folder, 'out.ndjson'), 'utf8'), '');
  const missing = await plugboard(['memory', 'import', 'nowhere.ndjson']);
  assert.deepEqual([missing.status, missing.stderr.includes('ENOENT')], [2, true]);
  assert.equal((await fetch(`${server.url}/-/live`)).status, 200);
});

test('an interrupt reaches the command in the server', async () => {
  const child = spawn(process.execPath, [script, 'probe', 'wait'], { cwd: folder, stdio: 'pipe' });
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  const stderr = text(child.stderr);
  const [code] = (await once(child, 'exit')) as [number];
  assert.deepEqual([code, await stderr], [2, 'aborted\n']);
});

test('a stop aborts the commands that run, and takes the socket away', async () => {
  const child = spawn(process.execPath, [script, 'probe', 'wait'], { cwd: folder, stdio: 'pipe' });
  await once(child.stdout, 'data');
  const exited = once(child, 'exit');
  assert.equal(await server.end('SIGTERM'), 0);
  assert.notEqual((await exited)[0], 0);
  assert.ok(!existsSync(join(folder, 'data/commands.sock')));
});

test('what a killed server leaves hinders neither a command nor the next server', async () => {
  server = await SpawnedServer.run([], { cwd: folder });
  await server.end('SIGKILL');
  assert.ok(existsSync(join(folder, 'data/commands.sock')), 'the socket is left');
  const [pid] = (await plugboard(['probe', 'where'])).stdout.split(' ');
  assert.ok(isAlone(pid));
  server = await SpawnedServer.run([], { cwd: folder });
  const [again] = (await plugboard(['probe', 'where'])).stdout.split(' ');
  assert.ok(!isAlone(again));
});
