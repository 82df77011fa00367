/** Several instances of the server on one MongoDB: what is written through one is seen through the others. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { MongoClient } from 'mongodb';
import { startMemoryServer } from '../../../plugins/storage/memory-server/start.js';
import { balance } from '../../support/servers/balancer.js';
import { caller, memoryKeys, type Call } from '../../support/caller.js';
import { allPlugins, deployment, type Deployment } from '../../support/servers/deployment.js';
import { eventually } from '../../support/eventually.js';
import { SpawnedServer } from '../../support/servers/spawned-server.js';
import { mongodMissing } from '../../support/mongod/mongod.js';
import { eachStore } from '../../support/stores.js';
import { TestUpstream } from '../../support/peers/upstream.js';

eachStore('two instances on one store', (store) => {
  // One process at a time may open an embedded store.
  if (store.alone !== false) return;
  let upstream: TestUpstream;
  let installation: Deployment;
  let one: SpawnedServer;
  let two: SpawnedServer;

  before(async () => {
    upstream = await TestUpstream.start('up');
    installation = deployment(await store.fresh(), allPlugins(upstream.url));
    one = await SpawnedServer.start(installation);
    two = await SpawnedServer.start(installation);
  });
  after(async () => {
    await one.end('SIGKILL');
    await two.end('SIGKILL');
    await upstream.stop();
  });

  test('keys, sessions, settings, memories and rows written through one are seen through the other', async () => {
    const [throughOne, throughTwo] = [caller(one, installation.key), caller(two, installation.key)];

    const made = (await (
      await throughOne('POST', '/api/keys', { name: 'second', scopes: ['manage'] })
    ).json()) as { id: string; key: string };
    assert.equal((await caller(two, made.key)('GET', '/api/memory')).status, 200, 'a new key works at once');

    const cookie = await login(one, installation);
    assert.equal(
      (await fetch(`${two.url}/api/settings/memory`, { headers: { cookie } })).status,
      200,
      'a session works at once',
    );
    await fetch(`${one.url}/api/auth/logout`, { method: 'POST', headers: { cookie, origin: one.url } });
    assert.equal(
      (await fetch(`${two.url}/api/settings/memory`, { headers: { cookie } })).status,
      401,
      'and ends at once',
    );

    await throughOne('PUT', '/api/settings/memory', { maxTokens: 1234 });
    await eventually(async () => {
      const settings = (await (await throughTwo('GET', '/api/settings/memory')).json()) as {
        maxTokens: number;
      };
      return settings.maxTokens === 1234;
    }, 'a setting is seen');

    await throughOne('POST', '/api/memory', {
      key: 'boat',
      content: 'The boat is called Heron and is blue.',
    });
    await eventually(async () => {
      const found = await throughTwo('POST', '/api/memory/retrieve-preview', {
        query: 'What is the boat called?',
      });
      return ((await found.json()) as { memories: { key: string }[] }).memories[0]?.key === 'boat';
    }, 'a memory is found');

    const row = { name: 'Agnes Clusterova' };
    assert.equal((await throughOne('POST', '/data/directors', row)).status, 201);
    const rows = (await (
      await throughTwo('GET', '/data/directors?name=eq.Agnes%20Clusterova')
    ).json()) as object[];
    assert.equal(rows.length, 1, 'a row is there at once');

    await throughOne('DELETE', `/api/keys/${made.id}`);
    await eventually(
      async () => (await caller(two, made.key)('GET', '/api/memory')).status === 401,
      'a revocation is seen',
    );
  });

  test('a reindex goes on through the other instance when its holder dies', async () => {
    upstream.always({ kind: 'slow', delay: 150 });
    const call = caller(two, installation.key);
    for (let at = 0; at < 120; at += 1) {
      assert.equal(
        (await call('POST', '/api/memory', { key: `k${at}`, content: `thought number ${at}` })).status,
        201,
      );
    }
    await call('PUT', '/api/settings/memory', {
      embeddingSource: 'remote',
      embeddingProviderModel: 'up/embed',
    });
    upstream.forget();
    await caller(one, installation.key)('POST', '/api/memory/reindex', { force: true });
    await eventually(() => upstream.requests.length > 0, 'the reindex begins');
    await one.end('SIGKILL');
    await call('POST', '/api/memory/reindex', {});
    await eventually(async () => (await pending(call)) === 0, 'the reindex ends');
  });
});

describe('four instances on a replica set of three, behind a balancer', { skip: mongodMissing }, () => {
  test('the primary is killed under load and no acknowledged write is lost', async () => {
    const replicaSet = await startMemoryServer({ members: 3 });
    const storage = { use: 'mongodb', url: replicaSet.url, database: 'cluster' } as const;
    const installation = deployment(storage, { memory: null });
    const servers = [await SpawnedServer.start(installation)];
    for (let more = 0; more < 3; more += 1) servers.push(await SpawnedServer.start(installation));
    const balancer = await balance(servers.map(({ url }) => url));
    const call = caller(balancer, installation.key);

    const acknowledged: string[] = [];
    const statuses = new Set<number>();
    let going = true;
    const writer = async (name: number): Promise<void> => {
      for (let at = 0; going; at += 1) {
        const key = `w${name}-${at}`;
        const { status } = await call('POST', '/api/memory', { key, content: `entry ${key}` });
        statuses.add(status);
        if (status === 201 || status === 200) acknowledged.push(key);
      }
    };
    const writers = Array.from({ length: 6 }, (_, name) => writer(name));
    await eventually(() => acknowledged.length > 20, 'entries are written');
    process.kill(await primaryPid(replicaSet.url), 'SIGKILL');
    const before = acknowledged.length;
    await eventually(() => acknowledged.length > before + 20, 'success after the election');
    going = false;
    await Promise.all(writers);

    assert.deepEqual(
      [...statuses].filter((status) => ![200, 201, 503].includes(status)),
      [],
      'success or 503, nothing else',
    );
    const there = new Set(await memoryKeys(call));
    assert.deepEqual(
      acknowledged.filter((key) => !there.has(key)),
      [],
    );
    await balancer.stop();
    for (const server of servers) await server.end('SIGTERM');
    await replicaSet.stop();
  });
});

async function login({ url }: SpawnedServer, { adminPassword }: Deployment): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: adminPassword }),
  });
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

async function pending(call: Call): Promise<number> {
  const status = (await (await call('GET', '/api/memory/engine-status')).json()) as {
    vectorStore: { needsReindex: number };
  };
  return status.vectorStore.needsReindex;
}

async function primaryPid(url: string): Promise<number> {
  const client = new MongoClient(url);
  const { pid } = await client.db('admin').command({ serverStatus: 1 });
  await client.close();
  return Number(pid);
}
