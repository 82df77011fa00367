/** `plugboard help` names every command that comes with the server. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { MongoClient } from 'mongodb';
import { help } from '../../tools/cli/help.js';
import { main } from '../../tools/cli/main.js';
import { root } from '../support/fixtures.js';
import { mongodbMissing, mongodbUrl } from '../support/stores.js';

test('the overview of plugboard help names every command of a plugin', (t) => {
  const log = t.mock.method(console, 'log', () => undefined);
  help([]);
  const overview = String(log.mock.calls[0]?.arguments[0]);
  log.mock.restore();
  const commands = namesIn('plugins');
  assert.ok(commands.length > 25 && commands.includes('jobs'), commands.join());
  assert.deepEqual(
    commands.filter((name) => !isNamed(name, overview)),
    [],
  );
});

test('the help of the commands of plugins says which options name the config', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-help-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const config = join(folder, 'config.yaml');
  writeFileSync(config, 'version: 1\nplugins:\n  memory:\n');
  for (const words of [['memory'], ['data'], ['keys', 'list']]) {
    const log = t.mock.method(console, 'log', () => undefined);
    const code = await main([...words, '--help', '--config', config]);
    const text = String(log.mock.calls[0]?.arguments[0]);
    log.mock.restore();
    assert.equal(code, 0);
    assert.match(text, new RegExp(`^plugboard ${words.join(' ')}`));
    assert.equal(text.match(/--config FILE and --env-file FILE/g)?.length, 1, text);
    assert.deepEqual(readdirSync(folder), ['config.yaml'], 'no store is made');
  }
});

test('the help of the commands of plugins asks no database and writes nothing into it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-help-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const config = join(folder, 'config.yaml');
  // Nobody listens there.
  const storage = '{ use: mongodb, url: "mongodb://127.0.0.1:1/plugboard" }';
  writeFileSync(config, `version: 1\nproviders:\n  storage: ${storage}\nplugins:\n  memory:\n  events:\n`);
  for (const words of [
    'keys create',
    'keys list',
    'users',
    'jobs',
    'audit verify',
    'memory',
    'events import',
  ]) {
    const log = t.mock.method(console, 'log', () => undefined);
    const code = await main([...words.split(' '), '--help', '--config', config]);
    const text = String(log.mock.calls[0]?.arguments[0]);
    log.mock.restore();
    assert.equal(code, 0, words);
    assert.match(text, new RegExp(`^plugboard ${words}`));
  }
  assert.deepEqual(readdirSync(folder), ['config.yaml']);
});

test('the help of the commands of a database leaves it empty', { skip: mongodbMissing }, async (t) => {
  const url = await mongodbUrl();
  const database = `help${process.pid}`;
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-help-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const config = join(folder, 'config.yaml');
  const storage = `{ use: mongodb, url: "${url}", database: ${database} }`;
  writeFileSync(config, `version: 1\nproviders:\n  storage: ${storage}\nplugins:\n  memory:\n`);
  const log = t.mock.method(console, 'log', () => undefined);
  assert.equal(await main(['data', '--help', '--config', config]), 0);
  assert.match(String(log.mock.calls[0]?.arguments[0]), /^plugboard data export/);
  log.mock.restore();
  const client = await MongoClient.connect(url);
  const collections = await client.db(database).listCollections().toArray();
  await client.close();
  assert.deepEqual(collections, []);
});

/** `keys list` is shown as `keys create|list|revoke`. */
function isNamed(command: string, overview: string): boolean {
  const [first = '', second = ''] = command.split(' ');
  return new RegExp(`\\b${first}\\b${second === '' ? '' : ` ([a-z]+\\|)*${second}\\b`}`).test(overview);
}

/** A command is what has a name and, right after it, a summary. */
function namesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /command[\w-]*\b.*\.ts$|import\.ts$/.test(file) && !file.includes('node_modules'))
    .flatMap((file) =>
      Array.from(
        readFileSync(join(root, folder, file), 'utf8').matchAll(/name: '([a-z]+(?: [a-z]+)?)',\s+summary:/g),
        ([, name = '']) => name,
      ),
    );
}
