/** `plugboard init`: what it writes starts, and holds no secret that it found. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { initCommand } from '../../tools/cli/init/init.js';
import { main } from '../../tools/cli/main.js';
import { SpawnedServer } from '../support/servers/spawned-server.js';

/** No Ollama is looked for on the machine of the tests: the discard port answers nothing. */
const NOTHING_FOUND = { OLLAMA_HOST: '127.0.0.1:9' };

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-init-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'backend');
}

function quiet(t: TestContext): () => string {
  const log = t.mock.method(console, 'log', () => undefined);
  return () => log.mock.calls.map((call) => String(call.arguments[0])).join('\n');
}

const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');

test('the config of init serves every plugin as it is written', async (t) => {
  const folder = folderOf(t);
  const told = quiet(t);
  assert.equal(await initCommand([folder, '--yes'], { env: NOTHING_FOUND }), 0);
  assert.match(told(), /written: plugboard\.yaml.*\nmodels: none found/);
  await using server = await SpawnedServer.run([join(folder, 'plugboard.yaml')], { env: { PORT: '0' } });
  const key = /pb_[\w-]+/.exec(server.output)?.[0];
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const made = await fetch(`${server.url}/data/notes`, { method: 'POST', headers, body: '{"text":"first"}' });
  assert.equal(made.status, 201, await made.text());
  assert.ok(readdirSync(folder).includes('data'), 'the data is next to the config');
});

test('init names the services that were asked for and what these need', async (t) => {
  const folder = folderOf(t);
  quiet(t);
  await initCommand([folder, '--services', 'playground', '--yes'], { env: NOTHING_FOUND });
  const plugins = read(folder, 'plugboard.yaml').split('plugins:\n')[1] ?? '';
  assert.deepEqual(plugins.match(/^ {2}[a-z]+/gm), ['  playground', '  router']);
});

test('init names the variable of a key and never its value, and finds an Ollama', async (t) => {
  const ollama = createServer((_request, answer) => answer.end('{"version":"0.9.0"}')).listen(0, '127.0.0.1');
  t.after(() => ollama.close());
  await once(ollama, 'listening');
  const { port } = ollama.address() as AddressInfo;
  const folder = folderOf(t);
  quiet(t);
  const env = { OLLAMA_HOST: `127.0.0.1:${port}`, ANTHROPIC_API_KEY: 'sk-ant-do-not-write-me' };
  await initCommand([folder, '--yes'], { env });
  const config = read(folder, 'plugboard.yaml');
  assert.match(config, /name: anthropic, dialect: anthropic, apiKey: '\$\{ANTHROPIC_API_KEY:\?/);
  assert.ok(config.includes(`{ name: ollama, baseUrl: http://127.0.0.1:${port}/v1 }`), config);
  for (const name of readdirSync(folder)) assert.ok(!read(folder, name).includes('do-not-write-me'), name);
});

test('init for MongoDB writes a seal key that only its owner may read, and check takes it', async (t) => {
  const folder = folderOf(t);
  quiet(t);
  await initCommand([folder, '--store', 'mongodb', '--yes'], { env: NOTHING_FOUND });
  const variables = join(folder, '.env');
  assert.equal(statSync(variables).mode & 0o777, 0o600);
  assert.ok(read(folder, '.gitignore').split('\n').includes('.env'));
  assert.doesNotMatch(read(folder, '.env.example'), /SEAL_KEY=./);
  assert.equal(await main(['check', join(folder, 'plugboard.yaml'), '--env-file', variables]), 0);
});

test('init leaves a file that is there as it is, and refuses a folder with a config', async (t) => {
  const folder = folderOf(t);
  quiet(t);
  await initCommand([folder, '--yes'], { env: NOTHING_FOUND });
  const again = initCommand([folder, '--yes'], { env: NOTHING_FOUND });
  await assert.rejects(again, /there is a plugboard\.yaml in .*; name another folder/);
  rmSync(join(folder, 'plugboard.yaml'));
  writeFileSync(join(folder, '.gitignore'), 'mine\n');
  await initCommand([folder, '--yes'], { env: NOTHING_FOUND });
  assert.equal(read(folder, '.gitignore'), 'mine\n');
});

test('init asks at a terminal, and asks again after a name that it does not know', async (t) => {
  const folder = folderOf(t);
  quiet(t);
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  const answers = ['memry', 'memory', ''];
  let asked = '';
  output.on('data', (text: string) => {
    asked += text;
    if (text.endsWith('] ')) input.write(`${answers.shift()}\n`);
  });
  await initCommand([folder], { terminal: { input, output }, env: NOTHING_FOUND });
  assert.match(asked, /there is no service "memry"; did you mean "memory"\?/);
  assert.match(asked, /Which store \(embedded, mongodb\)\? \[embedded\]/);
  assert.match(
    read(folder, 'plugboard.yaml'),
    /path: '\$\{PLUGBOARD_DATA:-data\}' \}\nplugins:\n {2}memory:\n$/,
  );
});

test('init that is left before the last answer says so and writes nothing', async (t) => {
  const folder = folderOf(t);
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  output.on('data', () => input.end());
  const left = initCommand([folder], { terminal: { input, output }, env: NOTHING_FOUND });
  await assert.rejects(left, /not every question was answered: nothing is written/);
  assert.throws(() => statSync(folder));
});

test('init refuses a service or store that there is not, and writes nothing', async (t) => {
  const folder = folderOf(t);
  const refused = async (...words: string[]) => initCommand([folder, ...words], { env: NOTHING_FOUND });
  await assert.rejects(refused('--services', 'memry'), /did you mean "memory"\?/);
  await assert.rejects(refused('--services', ' , '), /name a service at least, or all/);
  await assert.rejects(refused('--store', 'postgres'), /there is no store "postgres" \(embedded, mongodb\)/);
  assert.throws(() => statSync(folder));
});
