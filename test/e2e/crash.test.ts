/** What the server acknowledged survives its end, ordered or not. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { caller, memoryKeys } from '../support/caller.js';
import { deployment, type Deployment } from '../support/deployment.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { eachStore } from '../support/stores.js';

interface Load {
  readonly acknowledged: string[];
  /** Answers that began and did not end. */
  cut: number;
  stop(): Promise<void>;
}

eachStore('the end of a server', (store) => {
  test('after kill -9 in the middle of writes, every acknowledged entry is there', async () => {
    const installation = deployment(await store.fresh(), { memory: null });
    const server = await SpawnedServer.start(installation);
    const load = writing(server, installation);
    await sleep(700);
    await server.end('SIGKILL');
    await load.stop();
    assert.ok(load.acknowledged.length > 10, `${load.acknowledged.length} acknowledged`);
    await assertAllThere(installation, load.acknowledged);
  });

  test('SIGTERM under load answers every request that was accepted, and loses nothing', async () => {
    const installation = deployment(await store.fresh(), { memory: null });
    const server = await SpawnedServer.start(installation);
    const load = writing(server, installation);
    await sleep(500);
    const code = await server.end('SIGTERM');
    await load.stop();
    assert.equal(code, 0, server.output);
    assert.equal(load.cut, 0, 'no answer was cut');
    assert.ok(load.acknowledged.length > 10, `${load.acknowledged.length} acknowledged`);
    await assertAllThere(installation, load.acknowledged);
  });
});

/** Eight writers that post one entry after the other until the server is gone. */
function writing(server: SpawnedServer, { key }: Deployment): Load {
  const call = caller(server, key);
  const load: Load = { acknowledged: [], cut: 0, stop: async () => void (await Promise.all(writers)) };
  const writer = async (name: number): Promise<void> => {
    for (let at = 0; ; at += 1) {
      const entry = { key: `entry-${name}-${at}`, content: `the ${at}th thought of writer ${name}` };
      let began = false;
      try {
        const answer = await call('POST', '/api/memory', entry);
        began = true;
        await answer.arrayBuffer();
        if (answer.status === 201) load.acknowledged.push(entry.key);
      } catch {
        // A connection that the server never accepted is refused or reset: nothing was promised.
        if (began) load.cut += 1;
        return;
      }
    }
  };
  const writers = Array.from({ length: 8 }, (_, name) => writer(name));
  return load;
}

async function assertAllThere(installation: Deployment, keys: readonly string[]): Promise<void> {
  await using server = await SpawnedServer.start(installation);
  const there = new Set(await memoryKeys(caller(server, installation.key)));
  assert.deepEqual(
    keys.filter((key) => !there.has(key)),
    [],
  );
}
