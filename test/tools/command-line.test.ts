/** The command line as a user meets it: its output and its exit code. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { eventually } from '../support/eventually.js';
import { root } from '../support/fixtures.js';
import { command } from '../support/servers/command.js';
import { SpawnedServer } from '../support/servers/spawned-server.js';

const script = join(root, 'dist/tools/plugboard.js');
let folder = '';

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'plugboard-cli-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const variables = () => ({
  NO_COLOR: '1',
  A_KEY: 'hunter2-hunter2',
  PLUGBOARD_DATA: join(folder, 'data'),
});

function plugboard(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...variables() },
  });
  return { status, stdout, stderr };
}

/** Where a process is not the point. */
const here = (t: TestContext, ...words: string[]) => command(t, words, { folder, env: variables() });

function config(name: string, plugins: string, server = '{ port: 0 }'): string {
  const file = join(folder, name);
  writeFileSync(file, `version: 1\nserver: ${server}\nplugins:\n${plugins}`);
  return file;
}

const events = join(root, 'test/fixtures/plugins/events.js');

test('check says every mistake with its place and exits 2; a good config exits 0', async (t) => {
  const bad = plugboard('check', join(root, 'test/config/cases/six-mistakes.yaml'));
  assert.equal(bad.status, 2);
  assert.equal(bad.stderr.match(/^\S+\.yaml:\d+:\d+ error /gm)?.length, 6, bad.stderr);
  const good = await here(t, 'check', config('good.yaml', `  events: { use: ${events} }\n`));
  assert.deepEqual([good.status, good.stdout], [0, 'good.yaml: ok, 1 plugin (events)\n']);
});

test('check --json gives one object a problem', async (t) => {
  const { stdout } = await here(t, 'check', '--json', join(root, 'test/config/cases/six-mistakes.yaml'));
  const problems = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { line: number; path: string });
  assert.deepEqual(
    problems.map(({ line }) => line),
    [2, 3, 7, 8, 9, 10],
  );
  assert.equal(problems[2]?.path, 'plugins.events.stroage');
});

test('print shows the config in force, with defaults, and never a secret', () => {
  const file = config(
    'secret.yaml',
    `  events: { use: ${events}, apiKey: "\${A_KEY}" }\n  more: { use: ${events}, apiKey: written-here, enabled: true }\n`,
  );
  const { stdout, stderr } = plugboard(
    'print',
    config('one.yaml', `  events: { use: ${events}, apiKey: "\${A_KEY}", tags: [a] }\n`),
  );
  assert.match(stdout, /apiKey: \$\{A_KEY\}/);
  assert.match(stdout, /pollInterval: 60/);
  assert.doesNotMatch(stdout + stderr, /hunter2/);
  const twice = plugboard('print', file);
  assert.equal(twice.status, 2, 'two instances provide the same token');
  const literal = plugboard(
    'print',
    config('two.yaml', `  events: { use: ${events}, apiKey: written-here }\n`),
  );
  assert.match(literal.stdout, /apiKey: "?\[secret\]"?/);
  assert.doesNotMatch(literal.stdout, /written-here/);
});

test('a command that fails with a number as its code is reported as it failed', () => {
  const use = join(root, 'test/fixtures/plugins/numeric-code.js');
  const file = config('numeric-code.yaml', `  failing: { use: ${use} }\n`);
  const { status, stderr } = plugboard('interrupted', '--config', file);
  assert.equal(status, 1);
  assert.match(stderr, /operation was interrupted/);
  assert.doesNotMatch(stderr, /is not a function/);
});

test('plugins shows who provides what, and help knows every command', async (t) => {
  const { stdout } = await here(t, 'plugins', config('plugins.yaml', `  events: { use: ${events} }\n`));
  assert.match(stdout, /events\s+a fixture\n\s+provides fixture\.feed@1/);
  for (const topic of ['run', 'check', 'print', 'schema', 'plugins', 'scopes', 'create-plugin']) {
    const { status, stdout } = await here(t, 'help', topic);
    assert.equal(status, 0);
    assert.match(stdout, new RegExp(`^plugboard ${topic}`));
  }
  for (const words of [
    ['keys', '--help'],
    ['help', 'keys'],
    ['help', '--config', config('keys.yaml', `  speech: {}\n`)],
  ]) {
    const { status, stdout } = await here(t, ...words);
    assert.equal(status, 0);
    for (const command of ['create', 'list', 'revoke'])
      assert.match(stdout, new RegExp(`^plugboard keys ${command}`, 'm'));
  }
  assert.equal((await here(t, 'help', 'nonsense')).status, 2);
});

test('schema writes a JSON Schema of the file', () => {
  const schema = JSON.parse(plugboard('schema').stdout) as { properties: Record<string, object> };
  assert.deepEqual(Object.keys(schema.properties), ['version', 'server', 'log', 'providers', 'plugins']);
});

test('schema --config adds the plugins of others that the file names, also while the file has mistakes', async (t) => {
  const plugin = join(root, 'test/fixtures/plugins/events.js');
  const file = config(
    'foreign.yaml',
    `  feed: { use: ${plugin}, nonsense: true }\n  off: { use: ./gone.js, enabled: false }\n`,
  );
  const out = join(folder, 'foreign.schema.json');
  assert.equal((await here(t, 'schema', out, '--config', file)).status, 0);
  const schema = JSON.parse(readFileSync(out, 'utf8')) as { $defs: Record<string, object> };
  assert.match(JSON.stringify(schema.$defs[plugin]), /"perKey":/);

  const { status, stderr } = await here(
    t,
    'schema',
    '--config',
    config('gone.yaml', '  a: { use: ./gone.js }\n'),
  );
  assert.equal(status, 2);
  assert.match(stderr, /^plugins\.a: .*gone\.js/);
});

test('a misspelled command is told what was meant, in one line and not in a stack', async (t) => {
  const { status, stderr } = await here(
    t,
    'chekc',
    '--config',
    config('c.yaml', `  events: { use: ${events} }\n`),
  );
  assert.equal(status, 2);
  assert.match(stderr, /there is no command "chekc"; did you mean "check"\?/);
  assert.doesNotMatch(stderr, /\n\s+at /);
});

test('an option that there is not is told in one line', async (t) => {
  const { status, stderr } = await here(t, 'run', '--prot', '9000');
  assert.deepEqual([status, stderr], [2, "unknown option '--prot'; see plugboard help run\n"]);
});

test('a word that a command does not take is refused, and nothing is written under it', async (t) => {
  for (const words of [
    ['print', '--all'],
    ['schema', '--out'],
    ['create-plugin', 'a', 'b', 'c'],
  ]) {
    const { status, stderr } = await here(t, ...words);
    assert.equal(status, 2);
    assert.match(stderr, new RegExp(`^.* see plugboard help ${words[0]}\n$`));
  }
  assert.ok(!existsSync(join(folder, '--out')));
});

test("a plugin's command says which argument is missing or too much, and how it is written", async (t) => {
  const missing = await here(t, 'keys', 'create');
  assert.equal(missing.status, 2);
  assert.match(missing.stderr, /^NAME is missing\n\nplugboard keys create NAME\n/);
  assert.match(
    (await here(t, 'keys', 'list', 'all')).stderr,
    /^unexpected argument "all"\n\nplugboard keys list\n/,
  );
  assert.match(
    (await here(t, 'keys')).stderr,
    /^"keys" is the first half of keys create, keys list, keys rotate, keys revoke;/,
  );
});

test('a Node that is too old is told in one line', () => {
  for (const version of ['18.20.8', '20.18.3', '21.7.3', '22.1.0']) {
    const older = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;
    const { status, stderr } = spawnSync(process.execPath, ['--import', older, script, 'run'], {
      encoding: 'utf8',
    });
    const line = `plugboard needs Node 20 from 20.19 on, or 22.2 or newer; this is ${version}\n`;
    assert.deepEqual([status, stderr], [1, line]);
  }
});

test('a config that is not there, and a plugin that fails, are reported in one line with the right exit code', () => {
  const missing = plugboard('run', 'nowhere.yaml');
  assert.deepEqual([missing.status, /there is no such file/.test(missing.stderr)], [2, true]);
  const failing = join(root, 'test/fixtures/plugins/failing-setup.js');
  const broken = plugboard('run', config('broken.yaml', `  broken: { use: ${failing}, phase: setup }\n`));
  assert.equal(broken.status, 1);
  assert.match(
    broken.stderr,
    /^plugboard: plugin "broken" failed in setup: the disk is on fire\n\s+at fail \(.*failing-setup\.js:\d+:\d+\)\n\s+at .*setup.*failing-setup\.js:\d+:\d+\)\n$/,
  );
});

test('create-plugin refuses a bad name, one that the server has, and a folder that is there', async (t) => {
  assert.equal((await here(t, 'create-plugin', 'Bad Name')).status, 2);
  assert.equal((await here(t, 'create-plugin', 'fine', folder)).status, 2);
  for (const name of ['events', 'storage']) {
    const { status, stderr } = await here(t, 'create-plugin', name, join(folder, 'taken'));
    const message = `"${name}" is the name of a part of the server; give the plugin another\n`;
    assert.deepEqual([status, stderr], [2, message]);
  }
  assert.ok(!existsSync(join(folder, 'taken')));
});

test('run serves, says what loaded in how many ms, and SIGTERM stops it in order', async () => {
  await using server = await SpawnedServer.run([config('run.yaml', `  events: { use: ${events} }\n`)]);
  assert.equal((await fetch(`${server.url}/-/live`)).status, 200);
  assert.match(server.output, /events \d+ ms/);
  assert.match(server.output, /ready: 1 plugin, \d+ ms, http/);
  assert.equal(await server.end('SIGTERM'), 0);
});

test('a port that is in use is told in one line', async () => {
  await using first = await SpawnedServer.run([config('first.yaml', `  events: { use: ${events} }\n`)]);
  const { port } = new URL(first.url);
  const { status, stderr } = plugboard(
    'run',
    config('second.yaml', `  events: { use: ${events} }\n`, `{ port: ${port} }`),
  );
  assert.equal(status, 2);
  assert.match(
    stderr,
    new RegExp(`^second\\.yaml:2:17 error server\\.port: port ${port} of 127\\.0\\.0\\.1 is in use`),
  );
});

/** A plugin whose `setup` is this code. */
function written(name: string, setup: string): string {
  const file = join(folder, `${name}.mjs`);
  const sdk = JSON.stringify(join(root, 'dist/kernel/sdk/index.js'));
  writeFileSync(
    file,
    `import { definePlugin, Type } from ${sdk};
export default definePlugin({ name: '${name}', api: 1, config: Type.Object({}, { additionalProperties: false }),
  setup: async ({ stdout, onStop }) => { ${setup} } });`,
  );
  return config(`${name}.yaml`, `  ${name}: { use: ${file} }\n`);
}

test('a server that is still starting stops at the first SIGINT and releases what it has', async () => {
  const file = written(
    'waiting',
    `onStop(() => stdout.write('released\\n'));
     stdout.write('ready: http://not-yet\\n');
     await new Promise(() => setInterval(() => {}, 1000));`,
  );
  await using server = await SpawnedServer.run([file]);
  assert.equal(await server.end('SIGINT'), 0);
  assert.match(server.output, /SIGINT: stopping[^]*released/);
});

test('a plugin that leaves something open does not keep the process, and the last line says what', async () => {
  await using server = await SpawnedServer.run([
    written('leaking', 'setInterval(() => {}, 1000); return {};'),
  ]);
  assert.equal(await server.end('SIGTERM'), 0);
  assert.match(server.output, /had not released what it opened \(Timeout\)/);
});

test('a second SIGINT ends a server that is still draining with 130', async () => {
  const routes = `(app) => void app.get('/endless', () => new Promise(() => {}))`;
  await using server = await SpawnedServer.run([written('endless', `return { routes: ${routes} };`)]);
  fetch(`${server.url}/endless`).catch(() => {});
  await fetch(`${server.url}/-/live`);
  server.kill('SIGINT');
  // Two signals of a kind that nobody has seen yet are one.
  await eventually(() => server.output.includes('SIGINT: stopping'), 'it is draining');
  assert.equal(await server.end('SIGINT'), 130);
});

test('run --watch reloads when the config changes, and not for a log next to it', async () => {
  const file = config('watched.yaml', `  events: { use: ${events} }\n`);
  await using server = await SpawnedServer.run(['--watch', file]);
  writeFileSync(file, `# changed\nversion: 1\nserver: { port: 0 }\nplugins:\n  events: { use: ${events} }\n`);
  await eventually(() => server.output.match(/ready: /g)?.length === 2, 'the server is ready again');
  writeFileSync(join(folder, 'server.log'), 'a line\n');
  await new Promise((resolve) => setTimeout(resolve, 400));
  assert.equal(server.output.match(/the config changed/g)?.length, 1);
  assert.equal(await server.end('SIGTERM'), 0);
});

test('an export goes into a new store that a refused attempt and other commands of data have met', () => {
  const store = (name: string): string => {
    const file = join(folder, `${name}.yaml`);
    const catalog = join(root, 'config/demo/cinema.yaml');
    const storage = `{ use: embedded, path: ${name} }`;
    writeFileSync(
      file,
      `version: 1\nproviders:\n  storage: ${storage}\nplugins:\n  dataquery: { catalog: ${catalog} }\n`,
    );
    return file;
  };
  const from = store('from');
  // Sets every plugin up, so that there is something to export.
  assert.equal(plugboard('catalog', 'plan', '--config', from).status, 0);
  const exported = plugboard('data', 'export', 'exported', '--config', from);
  assert.match(exported.stdout, /^exported [1-9]\d* documents/, exported.stderr);

  const to = store('to');
  const help = plugboard('help', 'data', '--config', to);
  for (const command of ['import', 'repair'])
    assert.match(help.stdout, new RegExp(`^plugboard data ${command}`, 'm'));
  assert.equal(plugboard('data', 'import', 'nowhere', '--config', to).status, 2);
  const imported = plugboard('data', 'import', 'exported', '--config', to);
  assert.deepEqual(
    [imported.status, imported.stderr.includes('must be restarted')],
    [0, false],
    imported.stderr,
  );

  const data = join(folder, 'to/data.mdb');
  writeFileSync(data, readFileSync(data).fill(0, 0, 4096));
  const { status, stderr } = plugboard('data', 'check', '--config', to);
  assert.equal(status, 1);
  assert.match(stderr, /^".*data\.mdb" is damaged: .*; run "plugboard data repair"[^\n]*\n$/);
});

test('help data repair shows data repair', async (t) => {
  const { status, stdout } = await here(t, 'help', 'data', 'repair');
  assert.equal(status, 0);
  assert.match(stdout, /^plugboard data repair\n[^]*--yes/);
});

test('an --env-file that is missing is named, and not by Node, which reads the words after the script too', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const name of ['start', 'plugboard']) {
    const words = scripts[name]!.split('&& ').at(-1)!.replace(/ run$/, '').split(' ').slice(1);
    const file = config('env.yaml', `  events: { use: ${events} }\n`);
    const { status, stderr } = spawnSync(
      process.execPath,
      [...words, 'check', file, '--env-file', 'missing.env'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    assert.equal(status, 2);
    assert.match(stderr, /^cannot read .*missing\.env: there is no such file\n$/);
  }
});
