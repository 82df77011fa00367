/** kill -9 at a random instant of many creations: every one that is tried again replays or creates once. */
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { test } from 'node:test';
import { deployment } from '../../support/deployment.js';
import { SpawnedServer } from '../../support/spawned-server.js';
import { eachStore } from '../../support/stores.js';
import { createAll, type Attempted } from './support/crash.js';

const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 1);
const CREATIONS = 200;

eachStore('a crash amid creations', (store) => {
  // Each a test of its own, as tests have a time limit.
  for (let round = 1; round <= ROUNDS; round += 1)
    test(`after kill -9 each of ${CREATIONS} creations is there once, with the answer that was given (${round})`, async () => {
      const installation = deployment(await store.fresh(), { accounts: null });
      const attempts = Array.from({ length: CREATIONS }, (_, at): Attempted => ({
        key: `key-${at}`,
        id: undefined,
      }));
      await using first = await SpawnedServer.start(installation);
      const running = createAll(first.url, installation.key, attempts);
      while (!attempts.some(({ id }) => id !== undefined)) await setTimeout(1);
      await setTimeout(Math.random() * 200);
      await first.end('SIGKILL');
      await running;

      await using second = await SpawnedServer.start(installation);
      const again = attempts.map(({ key }): Attempted => ({ key, id: undefined }));
      await createAll(second.url, installation.key, again);
      for (const [at, { id }] of attempts.entries())
        if (id !== undefined) assert.equal(again[at]?.id, id, `${again[at]?.key} replays`);
      const listed = await allIds(second.url, installation.key);
      assert.equal(listed.length, CREATIONS);
      assert.deepEqual(new Set(listed), new Set(again.map(({ id }) => id)));
      await second.end('SIGTERM');
    });
});

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
