/** The end of a server as clients that keep their connections, and load balancers, see it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { eventually } from '../support/eventually.js';
import { SpawnedServer } from '../support/servers/spawned-server.js';

let folder = '';
before(() => void (folder = mkdtempSync(join(tmpdir(), 'plugboard-stop-'))));
after(() => rmSync(folder, { recursive: true, force: true }));

function run(server: string): Promise<SpawnedServer> {
  const file = join(folder, 'plugboard.yaml');
  writeFileSync(file, `version: 1\nserver: { port: 0, pressure: { eventLoopDelay: 0 }, ${server} }\n`);
  return SpawnedServer.run([file]);
}

function ask(url: string, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      text(response).then(() => resolve(response), reject);
    }).on('error', reject);
  });
}

/** Milliseconds after SIGTERM: sent later, a request may find its connection closed. */
const IN_TIME = 250;

/** Asks over one connection until an answer says that it is the last. Answers what was lost. */
async function askUntilLast(url: string, asked: () => void, killedAt: () => number): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (;;) {
      const sent = performance.now();
      try {
        const { statusCode, headers } = await ask(url, agent);
        asked();
        if (statusCode !== 200) return [`status ${statusCode}`];
        if (headers.connection === 'close') return [];
      } catch (error) {
        return sent < killedAt() + IN_TIME ? [(error as Error).message] : [];
      }
    }
  } finally {
    agent.destroy();
  }
}

test('16 clients that ask back to back, each over one connection, lose no request to SIGTERM', async () => {
  await using server = await run('drainTimeout: 60000');
  let [asked, killedAt] = [0, Infinity];
  const clients = Array.from({ length: 16 }, () =>
    askUntilLast(
      `${server.url}/-/live`,
      () => (asked += 1),
      () => killedAt,
    ),
  );
  await eventually(() => asked > 160, 'all are under way');
  killedAt = performance.now();
  const ended = server.end('SIGTERM');
  assert.deepEqual((await Promise.all(clients)).flat(), []);
  assert.equal(await ended, 0);
});

test('during server.stopDelay all is served and readiness is 503; then, or at the next SIGTERM, the port closes', async () => {
  await using server = await run('stopDelay: 60000');
  const agent = new Agent({ keepAlive: true });
  assert.equal((await ask(`${server.url}/-/ready`, agent)).statusCode, 200);
  server.kill('SIGTERM');
  const ready = async (): Promise<{ status: string }> =>
    (await (await fetch(`${server.url}/-/ready`)).json()) as { status: string };
  await eventually(async () => (await ready()).status === 'stopping', 'readiness says so');
  const paths = ['ready', 'live', 'docs/'];
  const answers = await Promise.all(paths.map((path) => ask(`${server.url}/-/${path}`, agent)));
  assert.deepEqual(
    answers.map(({ statusCode, headers }) => [statusCode, headers.connection]),
    [
      [503, 'close'],
      [200, 'close'],
      [200, 'close'],
    ],
  );
  assert.equal(await server.end('SIGTERM'), 0);
  await assert.rejects(fetch(`${server.url}/-/live`));
});
