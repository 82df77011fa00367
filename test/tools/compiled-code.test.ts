/** Code that V8 compiled, kept for the next start. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { Script } from 'node:vm';
import { compiledFile, readCompiled, writeCompiled } from '../../tools/bundle/compiled-code.js';
import { root } from '../support/fixtures.js';
import { SpawnedServer } from '../support/spawned-server.js';

let folder = '';
let file = '';
const SOURCE = '(function () { return 7; })';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plugboard-compiled-'));
  file = join(folder, 'script.cjs');
  writeFileSync(file, SOURCE);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function compile(): Buffer {
  const script = new Script(SOURCE);
  assert.equal((script.runInThisContext() as () => number)(), 7);
  return script.createCachedData();
}

test('V8 takes what was kept of a script', () => {
  assert.equal(readCompiled(file), undefined);
  writeCompiled(file, compile());
  const cachedData = readCompiled(file);
  assert.ok(cachedData);
  assert.equal(new Script(SOURCE, { cachedData }).cachedDataRejected, false);
  assert.equal(readdirSync(folder).length, 2, 'nothing unfinished is left');
});

test('what was kept of an older script is not taken, though the new one is as long', () => {
  writeCompiled(file, compile());
  writeFileSync(file, SOURCE.replace('7', '8'));
  const later = new Date(Date.now() + 1_000);
  utimesSync(file, later, later);
  assert.equal(readCompiled(file), undefined);
});

test('a part of it that a killed process left is not taken', () => {
  const code = compile();
  writeFileSync(`${compiledFile(file)}.4711`, code.subarray(0, code.length / 2));
  assert.equal(readCompiled(file), undefined);
});

test('where it cannot be written, nothing is thrown and nothing is left', () => {
  const nowhere = join(file, 'not-a-folder.cjs');
  writeCompiled(nowhere, compile());
  assert.equal(readCompiled(nowhere), undefined);
  assert.deepEqual(readdirSync(folder), ['script.cjs']);
});

test('a server keeps what it compiled when it stops, and V8 takes it for the server', async () => {
  const config = join(folder, 'plugboard.yaml');
  writeFileSync(config, 'version: 1\nserver: { port: 0 }\n');
  const bundle = join(root, 'dist/server/server.cjs');
  rmSync(compiledFile(bundle), { force: true });
  const server = await SpawnedServer.run([config], { env: { NODE_V8_COVERAGE: '' } });
  assert.equal(await server.end('SIGTERM'), 0);
  const cachedData = readCompiled(bundle);
  assert.ok(cachedData);
  assert.equal(new Script(readFileSync(bundle, 'latin1'), { cachedData }).cachedDataRejected, false);
});

test('a run that does not come to serve keeps nothing: a later one would compile the rest again and again', () => {
  // With a flag of its own it has a file of its own, which no other test writes.
  const node = (...words: string[]) =>
    spawnSync(process.execPath, ['--no-use-osr', ...words], {
      env: { ...process.env, NODE_V8_COVERAGE: '' },
      encoding: 'utf8',
    });
  const tag = node('-p', 'require("node:v8").cachedDataVersionTag().toString(16)').stdout.trim();
  assert.ok(!compiledFile('').includes(tag));
  const command = join(root, 'dist/tools/plugboard.js');
  assert.equal(node(command, 'run', '--help').status, 0);
  assert.equal(node(command, 'run', join(folder, 'nowhere.yaml')).status, 2);
  assert.deepEqual(
    readdirSync(join(root, 'dist/server')).filter((name) => name.includes(tag)),
    [],
  );
});
