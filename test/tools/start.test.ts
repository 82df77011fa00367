/** A server whose plugins take long to be set up, as its users and its probes see it meanwhile. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually } from '../support/eventually.js';
import { root } from '../support/fixtures.js';
import { SpawnedServer } from '../support/servers/spawned-server.js';

/** Its set-up ends when the file `go` is there; if that says "fail", with an error. */
const PLUGIN = `
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { definePlugin, Type } from ${JSON.stringify(join(root, 'dist/kernel/sdk/index.js'))};
export default definePlugin({
  name: 'patient', api: 1,
  config: Type.Object({ go: Type.String() }, { additionalProperties: false }),
  async setup({ config, progress, onStop, stdout }) {
    onStop(() => stdout.write('released\\n'));
    progress(2, 5);
    while (!existsSync(config.go)) await setTimeout(20);
    if (readFileSync(config.go, 'utf8') === 'fail') throw new Error('the index cannot be read');
    return { routes: (app) => void app.get('/patient', () => ({ patient: true })) };
  },
});`;

let folder = '';
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'plugboard-start-'));
  writeFileSync(join(folder, 'patient.mjs'), PLUGIN);
});
after(() => rmSync(folder, { recursive: true, force: true }));

interface Case {
  readonly server: SpawnedServer;
  readonly url: string;
  /** Ends the set-up. */
  go(word?: string): void;
  /** The next set-up waits again. */
  hold(): void;
}

async function launch(
  name: string,
  { server = '', optional = false }: { server?: string; optional?: boolean } = {},
): Promise<Case> {
  const port = await freePort();
  const go = join(folder, `${name}.go`);
  const file = join(folder, `${name}.yaml`);
  const plugin = `{ use: ./patient.mjs, optional: ${optional}, go: ${JSON.stringify(go)} }`;
  writeFileSync(file, `version: 1\nserver: { port: ${port}${server} }\nplugins:\n  patient: ${plugin}\n`);
  const url = `http://127.0.0.1:${port}`;
  return {
    server: SpawnedServer.launch([file], url),
    url,
    go: (word = '') => writeFileSync(go, word),
    hold: () => rmSync(go),
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => void probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address() as { port: number };
  await new Promise((done) => void probe.close(done));
  return port;
}

/** Waits until the plugin is being set up. */
async function settingUp(url: string): Promise<void> {
  const waitsFor = async (): Promise<unknown> => {
    const answer = await fetch(`${url}/-/ready`).catch(() => undefined);
    return ((await answer?.json()) as { waitsFor?: { plugin: string } } | undefined)?.waitsFor?.plugin;
  };
  await eventually(async () => (await waitsFor()) === 'patient', 'the plugin is being set up');
}

test('while a plugin is set up /-/live is 200, all else 503 with what is waited for; then the server is ready', async () => {
  const { server, url, go } = await launch('ready');
  await using _ = server;
  await settingUp(url);

  const live = await fetch(`${url}/-/live`);
  assert.deepEqual([live.status, await live.json()], [200, { status: 'live' }]);
  assert.match(live.headers.get('x-request-id') ?? '', /./);

  const ready = await fetch(`${url}/-/ready`);
  const { waitsFor, ...rest } = (await ready.json()) as { waitsFor: { seconds: number } };
  assert.deepEqual([ready.status, ready.headers.get('retry-after')], [503, '1']);
  assert.deepEqual(rest, { status: 'starting' });
  assert.ok(waitsFor.seconds >= 0);
  assert.deepEqual(
    { ...waitsFor, seconds: 0 },
    { plugin: 'patient', phase: 'setup', seconds: 0, progress: { done: 2, total: 5 } },
  );

  for (const method of ['GET', 'POST']) {
    const refused = await fetch(`${url}/patient`, { method, ...(method === 'POST' && { body: '{}' }) });
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1']);
    assert.deepEqual(await refused.json(), {
      code: 'starting',
      message: 'the server is starting: setup of "patient" (2 of 5); try again',
      details: null,
      hint: null,
    });
  }

  go();
  await server.ready();
  assert.deepEqual(await (await fetch(`${url}/patient`)).json(), { patient: true });
  assert.equal((await fetch(`${url}/-/ready`)).status, 200);
  assert.equal(await server.end('SIGTERM'), 0);
});

test('during a reload /-/live is 200, and other requests wait for the new server', async () => {
  const { server, url, go, hold } = await launch('reloaded');
  await using _ = server;
  go();
  await server.ready();
  hold();
  server.kill('SIGHUP');
  await eventually(() => server.output.includes('reloading the config'), 'the reload began');
  const waiting = fetch(`${url}/patient`);
  await eventually(async () => (await fetch(`${url}/-/live`)).status === 200, 'the server is alive');
  go();
  assert.deepEqual(await (await waiting).json(), { patient: true });
});

test('what a start waits for is not told where the operations are not open', async () => {
  const { server, url } = await launch('closed', { server: ', trustProxy: [10.0.0.1]' });
  await using _ = server;
  const starting = async (): Promise<boolean> =>
    (await fetch(`${url}/x`).catch(() => undefined))?.status === 503;
  await eventually(starting, 'the server listens');
  assert.deepEqual(await (await fetch(`${url}/-/ready`)).json(), { status: 'starting' });
  const { message } = (await (await fetch(`${url}/x`)).json()) as { message: string };
  assert.equal(message, 'the server is starting; try again');
});

test('a set-up that fails ends the start as ever: exit code 1, the plugin and its error', async () => {
  const { server, url, go } = await launch('fails');
  await using _ = server;
  await settingUp(url);
  go('fail');
  await assert.rejects(
    server.ready(),
    /exited with 1:[^]*plugin "patient" failed in setup: the index cannot be read/,
  );
  await assert.rejects(fetch(`${url}/-/live`));
});

test('an optional plugin that fails late is left out, and the port stays open', async () => {
  const { server, url, go } = await launch('optional', { optional: true });
  await using _ = server;
  await settingUp(url);
  go('fail');
  await server.ready();
  const ready = await fetch(`${url}/-/ready`);
  assert.equal(ready.status, 200);
  assert.deepEqual(((await ready.json()) as { degraded: string[] }).degraded, ['patient']);
});

test('SIGTERM while a plugin is set up releases what was acquired and ends with 0', async () => {
  const { server, url } = await launch('stopped');
  await using _ = server;
  await settingUp(url);
  assert.equal(await server.end('SIGTERM'), 0);
  assert.match(server.output, /released/);
});
