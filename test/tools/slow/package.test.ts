/** The package as its users have it: packed, installed in a project of their own, run, upgraded. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { root } from '../../support/fixtures.js';
import { SpawnedServer } from '../../support/servers/spawned-server.js';

let folder = '';
let project = '';

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'plugboard-package-'));
  project = join(folder, 'project');
});
after(() => rmSync(folder, { recursive: true, force: true }));

const npm = (cwd: string, ...words: string[]): string =>
  execFileSync('npm', [...words, '--no-audit', '--no-fund', '--ignore-scripts'], { cwd, encoding: 'utf8' });

/** The package under another version, packed. */
function packed(version: string): string {
  const copy = join(folder, `source-${version}`);
  mkdirSync(copy);
  for (const part of ['dist', 'config', 'docs', 'CHANGELOG.md', 'README.md', 'LICENSE'])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object;
  writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...manifest, version }));
  const [file = ''] = npm(copy, 'pack', '--silent').trim().split('\n').slice(-1);
  return join(copy, file);
}

const script = (): string => join(project, 'node_modules/plugboard/dist/tools/plugboard.js');

function keyIn(output: string): string {
  return /(pb_\S+)/.exec(output)?.[1] ?? '';
}

test('a project installs it with npm ci, runs it without a config, and upgrades without a loss', async () => {
  mkdirSync(project);
  const first = packed('0.1.0');
  const manifest = (file: string) =>
    writeFileSync(
      join(project, 'package.json'),
      JSON.stringify({ name: 'project', private: true, dependencies: { plugboard: `file:${file}` } }),
    );
  manifest(first);
  npm(project, 'install');
  rmSync(join(project, 'node_modules'), { recursive: true });
  npm(project, 'ci');

  const env = { PORT: '0' };
  const server = await SpawnedServer.run([], { cwd: project, script: script(), env });
  const key = keyIn(server.output);
  assert.ok(server.output.includes(`the data is in ${join(project, 'data')}`), server.output);
  assert.match(server.output, /make an API key: http:\S+\/console, or plugboard keys create/);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ key: 'a', content: 'kept over the upgrade' });
  const written = await fetch(`${server.url}/api/memory`, { method: 'POST', headers, body });
  assert.ok(written.ok, await written.text());
  assert.equal(await server.end('SIGTERM'), 0);
  assert.ok(existsSync(join(project, 'data')));
  assert.ok(!existsSync(join(project, 'node_modules/plugboard/data')));

  manifest(packed('0.1.1'));
  npm(project, 'install');
  const installed = readFileSync(join(project, 'node_modules/plugboard/package.json'), 'utf8');
  assert.equal((JSON.parse(installed) as { version: string }).version, '0.1.1');
  const upgraded = await SpawnedServer.run([], { cwd: project, script: script(), env });
  const list = await fetch(`${upgraded.url}/api/memory`, { headers });
  assert.match(await list.text(), /kept over the upgrade/);
  assert.equal(await upgraded.end('SIGTERM'), 0);
});

test('speech says which package its built-in voices need, and speaks once it is installed', async () => {
  const env = { PORT: '0', PLUGBOARD_DATA: join(folder, 'speech') };
  const speak = async (
    server: SpawnedServer,
    key: string,
  ): Promise<{ status: number; type: string | null; text: string }> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ voice: 'sera', input: '안녕하세요.' });
    const response = await fetch(`${server.url}/api/v1/audio/speech`, { method: 'POST', headers, body });
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    };
  };
  const without = await SpawnedServer.run([], { cwd: project, script: script(), env });
  const key = keyIn(without.output);
  assert.match(
    without.output,
    /the embedded speech engine is not installed: npm install plugboard-engine-espeak-ng/,
  );
  const refused = await speak(without, key);
  assert.equal(refused.status, 502);
  assert.match(refused.text, /npm install plugboard-engine-espeak-ng/);
  assert.equal(await without.end('SIGTERM'), 0);
  assert.ok(!existsSync(join(project, 'node_modules/@echogarden')), 'no package under GPL is installed');

  const [engine = ''] = npm(join(root, 'engines/espeak-ng'), 'pack', '--silent', '--pack-destination', folder)
    .trim()
    .split('\n')
    .slice(-1);
  npm(project, 'install', join(folder, engine));
  const server = await SpawnedServer.run([], { cwd: project, script: script(), env });
  const spoken = await speak(server, key);
  assert.deepEqual([spoken.status, spoken.type], [200, 'audio/mpeg']);
  assert.equal(await server.end('SIGTERM'), 0);
});

test('create-plugin of the installed package makes a plugin whose own tests pass', () => {
  execFileSync(process.execPath, [script(), 'create-plugin', 'guest-book', '--page'], {
    cwd: project,
    encoding: 'utf8',
  });
  const plugin = join(project, 'guest-book');
  execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: plugin, encoding: 'utf8' });
  // Under the variable of this runner, the plugin's own would run nothing.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const output = execFileSync('npm', ['test'], { cwd: plugin, encoding: 'utf8', env });
  assert.match(output, /^(#|ℹ) fail 0$/m);
  assert.equal(readFileSync(join(plugin, '.gitignore'), 'utf8'), 'node_modules/\ndist/\ndata/\n');
  execFileSync('npm', ['run', 'lint'], { cwd: plugin, encoding: 'utf8', env });
  assert.ok(existsSync(join(plugin, '.github/workflows/test.yml')));
  const [{ files }] = JSON.parse(npm(plugin, 'pack', '--dry-run', '--json')) as [
    { files: { path: string }[] },
  ];
  const paths = files.map(({ path }) => path);
  assert.ok(paths.includes('page/guest-book.js'), paths.join());
  assert.ok(paths.includes('dist/index.js') && !paths.some((path) => path.includes('.test.')), paths.join());
});

test('of a package that came from a registry, create-plugin depends on the version', () => {
  const lock = join(project, 'node_modules/.package-lock.json');
  const installed = readFileSync(lock, 'utf8');
  // As npm writes it for a package of a registry.
  const fromRegistry = installed.replace(
    /("node_modules\/plugboard": \{[^}]*?)"resolved": "file:[^"]*",/,
    '$1',
  );
  assert.notEqual(fromRegistry, installed);
  writeFileSync(lock, fromRegistry);
  execFileSync(process.execPath, [script(), 'create-plugin', 'other-book'], { cwd: project });
  const manifest = readFileSync(join(project, 'other-book/package.json'), 'utf8');
  const { devDependencies } = JSON.parse(manifest) as { devDependencies: Record<string, string> };
  assert.equal(devDependencies['plugboard'], '^0.1.1');
});

test('npm start of a made plugin serves it, and the console with its page', async () => {
  const server = await SpawnedServer.run([], {
    cwd: join(project, 'guest-book'),
    script: script(),
    env: { PORT: '0' },
  });
  assert.equal((await fetch(`${server.url}/guest-book`)).status, 200);
  assert.equal((await fetch(`${server.url}/console/guest-book/guest-book`)).status, 200);
  const page = await fetch(`${server.url}/console/pages/guest-book/guest-book/guest-book.js`);
  assert.match(await page.text(), /export const mount/);
  assert.equal(await server.end('SIGTERM'), 0);
});
