/** What the server acknowledged survives its end, ordered or not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { caller, memoryKeys } from '../support/caller.js';
import { deployment, type Deployment } from '../support/servers/deployment.js';
import { eventually } from '../support/eventually.js';
import { SpawnedServer } from '../support/servers/spawned-server.js';
import { eachStore } from '../support/stores.js';

interface Load {
  readonly acknowledged: string[];
  /** Answers that began and did not end. */
  cut: number;
  stop(): Promise<void>;
}

/** Enough that each writer is somewhere in the middle. */
const ENTRIES = 40;

eachStore('the end of a server', (store) => {
  test('after kill -9 in the middle of writes every acknowledged entry is there; SIGTERM answers what was accepted', async () => {
    const installation = deployment(await store.fresh(), { memory: null });
    await using first = await SpawnedServer.start(installation);
    const killed = writing(first, installation, 'killed');
    await eventually(() => killed.acknowledged.length > ENTRIES, 'entries are written');
    await first.end('SIGKILL');
    await killed.stop();

    await using second = await SpawnedServer.start(installation);
    await assertAllThere(second, installation, killed.acknowledged);
    const ended = writing(second, installation, 'ended');
    await eventually(() => ended.acknowledged.length > ENTRIES, 'entries are written');
    const code = await second.end('SIGTERM');
    await ended.stop();
    assert.equal(code, 0, second.output);
    assert.equal(ended.cut, 0, 'no answer was cut');

    await using third = await SpawnedServer.start(installation);
    await assertAllThere(third, installation, [...killed.acknowledged, ...ended.acknowledged]);
  });
});

/** Eight writers that post one entry after the other until the server is gone. */
function writing(server: SpawnedServer, { key }: Deployment, prefix: string): Load {
  const call = caller(server, key);
  const load: Load = { acknowledged: [], cut: 0, stop: async () => void (await Promise.all(writers)) };
  const writer = async (name: number): Promise<void> => {
    for (let at = 0; ; at += 1) {
      const entry = { key: `${prefix}-${name}-${at}`, content: `the ${at}th thought of writer ${name}` };
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

async function assertAllThere(
  server: SpawnedServer,
  installation: Deployment,
  keys: readonly string[],
): Promise<void> {
  const there = new Set(await memoryKeys(caller(server, installation.key)));
  assert.deepEqual(
    keys.filter((key) => !there.has(key)),
    [],
  );
}
