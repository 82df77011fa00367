/** kill -9 at a random instant of many creations: every one that is tried again replays or creates once. */
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { deployment, type Deployment } from '../../support/servers/deployment.js';
import { SpawnedServer } from '../../support/servers/spawned-server.js';
import { eachStore } from '../../support/stores.js';
import { createAll, type Attempted } from './support/crash.js';

const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 1);
const CREATIONS = 200;

eachStore('a crash amid creations', (store) => {
  let installation: Deployment;
  // What has survived a round is killed in the next one.
  let server: SpawnedServer;
  const made = new Set<string>();
  before(async () => {
    installation = deployment(await store.fresh(), { accounts: null });
    server = await SpawnedServer.start(installation);
  });
  after(() => server.end('SIGTERM'));

  // Each a test of its own, as tests have a time limit.
  for (let round = 1; round <= ROUNDS; round += 1)
    test(`after kill -9 each of ${CREATIONS} creations is there once, with the answer that was given (${round})`, async () => {
      const { key } = installation;
      const attempts = attemptsOf(round);
      const running = createAll(server.url, key, attempts);
      const enough = 1 + Math.floor(Math.random() * (CREATIONS - 10));
      while (attempts.filter(({ id }) => id !== undefined).length < enough) await setTimeout(1);
      await setTimeout(Math.random() * 10);
      await server.end('SIGKILL');
      await running;

      server = await SpawnedServer.start(installation);
      const again = attemptsOf(round);
      await createAll(server.url, key, again);
      for (const [at, { id }] of attempts.entries())
        if (id !== undefined) assert.equal(again[at]?.id, id, `${again[at]?.key} replays`);
      for (const { id } of again) made.add(id ?? 'none');
      assert.equal(made.size, round * CREATIONS);
      const listed = await allIds(server.url, key);
      assert.equal(listed.length, made.size);
      assert.deepEqual(new Set(listed), made);
    });
});

function attemptsOf(round: number): Attempted[] {
  return Array.from({ length: CREATIONS }, (_, at) => ({ key: `key-${round}-${at}`, id: undefined }));
}

async function allIds(url: string, key: string): Promise<string[]> {
  const ids: string[] = [];
  for (let path: string | null = '/v2/core/accounts?limit=100'; path !== null;) {
    const answer: Response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    const { data, next_page_url } = (await answer.json()) as {
      data: { id: string }[];
      next_page_url: string | null;
    };
    ids.push(...data.map(({ id }) => id));
    path = next_page_url;
  }
  return ids;
}
