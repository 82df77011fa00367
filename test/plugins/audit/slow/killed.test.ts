/**
 * Many audited changes by two instances that are killed in between: no record of what was acknowledged is missing, and a
 * record that somebody changes by hand is named. `AUDIT_CHANGES` says how many.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MongoClient } from 'mongodb';
import { AUDIT, definePlugin, Type, type AuditRecord } from 'plugboard/sdk';
import { bootTest, type TestServer } from 'plugboard/testing';
import { deployment, type Deployment } from '../../../support/servers/deployment.js';
import { mongodMissing } from '../../../support/mongod/mongod.js';
import { startMongodSet } from '../../../support/mongod/mongod-set.js';
import { SpawnedServer } from '../../../support/servers/spawned-server.js';

const CHANGES = Number(process.env['AUDIT_CHANGES'] ?? 2_000);
const KILLS = 6;
const AT_A_TIME = 8;
const DATABASE = 'audited';

/** Without a plugin that asks for it nothing provides the log. */
const reader = definePlugin({
  name: 'reader',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  needs: { audit: AUDIT },
  setup: () => ({}),
});

describe('audit on MongoDB', { skip: mongodMissing }, () => {
  test('two instances killed in between leave chains without a gap, and a record changed by hand is named', async (t) => {
    const set = await startMongodSet(1);
    t.after(() => set.stop());
    const storage = { use: 'mongodb', url: set.url, database: DATABASE } as const;
    const installation = deployment(storage, {});
    const acknowledged = await makeChanges(installation);
    t.diagnostic(`${acknowledged.size} of ${CHANGES} changes acknowledged, ${KILLS} kills`);
    assert.ok(acknowledged.size >= CHANGES / 2);

    await using server = await bootTest({
      plugins: [{ plugin: reader }],
      storage,
      secrets: { keys: [installation.sealKey] },
    });
    const recorded = await requestsOf(server);
    assert.deepEqual([...acknowledged].filter((id) => !recorded.has(id)).slice(0, 5), []);
    const began = performance.now();
    const verified = await server.command(['audit', 'verify', '--json']);
    t.diagnostic(`${verified.stdout.trim()} in ${Math.round(performance.now() - began)} ms`);
    assert.equal(verified.code, 0, verified.stderr);

    const { chain, seq } = await changeOne(set.url);
    const found = await server.command(['audit', 'verify']);
    assert.equal(found.code, 2);
    assert.match(found.stderr, new RegExp(`  ${chain} ${seq}: it was changed`));
  });
});

/** Answers the request ids of the changes that were acknowledged. */
async function makeChanges(installation: Deployment): Promise<ReadonlySet<string>> {
  const acknowledged = new Set<string>();
  const instances = [1, 2].map(() => SpawnedServer.start(installation));
  let next = 0;
  const change = async (id: string, instance: number): Promise<void> => {
    // One that starts again is waited for.
    const server = await instances[instance];
    try {
      const answer = await fetch(`${server?.url}/api/keys`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': installation.key,
          'x-request-id': id,
        },
        body: JSON.stringify({ name: id, scopes: [] }),
      });
      await answer.text();
      if (answer.status === 201) acknowledged.add(id);
    } catch {
      // It was killed: whether the change was made nobody knows.
    }
  };
  const work = async (instance: number): Promise<void> => {
    while (next < CHANGES) await change(`change-${String((next += 1)).padStart(8, '0')}`, instance);
  };
  const kill = async (round: number): Promise<void> => {
    const instance = round % 2;
    const before = await instances[instance];
    instances[instance] = (async () => {
      await before?.end('SIGKILL');
      return SpawnedServer.start(installation);
    })();
    await instances[instance];
  };
  const killing = (async () => {
    for (let round = 0; round < KILLS; round += 1) {
      const mark = ((round + 1) * CHANGES) / (KILLS + 1);
      while (next < mark) await new Promise((resolve) => setTimeout(resolve, 5));
      await kill(round);
    }
  })();
  await Promise.all([
    killing,
    ...[0, 1].flatMap((instance) => Array.from({ length: AT_A_TIME }, () => work(instance))),
  ]);
  for (const instance of await Promise.all(instances))
    assert.equal(await instance.end('SIGTERM'), 0, instance.output);
  return acknowledged;
}

async function requestsOf(server: TestServer): Promise<ReadonlySet<string>> {
  const audit = server.service(AUDIT);
  const requests = new Set<string>();
  let after: string | null = '';
  while (after !== null) {
    const page: { records: readonly AuditRecord[]; next: string | null } = await audit.list({
      limit: 200,
      ...(after !== '' && { after }),
    });
    for (const { request } of page.records) if (request !== undefined) requests.add(request);
    after = page.next;
  }
  return requests;
}

/** Somewhere in the middle: another address. */
async function changeOne(url: string): Promise<{ readonly chain: string; readonly seq: number }> {
  await using client = new MongoClient(url);
  const records = client
    .db(DATABASE)
    .collection<{ chain: string; seq: number; text: string }>('audit.records');
  const total = await records.countDocuments();
  const [record] = await records
    .find()
    .skip(Math.floor(total / 2))
    .limit(1)
    .toArray();
  assert.ok(record !== undefined, 'there is a record');
  await records.updateOne(
    { _id: record._id },
    { $set: { text: record.text.replace('127.0.0.1', '127.0.0.2') } },
  );
  return record;
}
