/** MongoDB goes away and comes back while every service is being called. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { caller, memoryKeys, type Call } from '../../support/caller.js';
import { allPlugins, deployment } from '../../support/servers/deployment.js';
import { eventually } from '../../support/eventually.js';
import { mongodMissing } from '../../support/mongod/mongod.js';
import { startMongodSet, type MongodSet } from '../../support/mongod/mongod-set.js';
import { startServiceLoad, type ServiceLoad } from '../../support/servers/service-load.js';
import { SpawnedServer } from '../../support/servers/spawned-server.js';
import { TestUpstream } from '../../support/peers/upstream.js';

/** Silence is given up soon, so that callers need not wait for the defaults of some seconds. */
const TIMEOUTS = { connect: 1_000, serverSelection: 1_000, socket: 2_000, queue: 1_000 };

/** Those that cannot answer without the store. A chat needs it for a key that was not seen lately, and for its usage later. */
const STORED = ['playground', 'memory', 'dataquery'] as const;

interface Outage {
  readonly name: string;
  /** Answers what ends it. */
  begin(set: MongodSet): Promise<() => Promise<void>>;
}

const OUTAGES: readonly Outage[] = [
  {
    name: 'killed with kill -9 and started again on its files',
    begin: async (set) => {
      const member = await set.killPrimary();
      return () => set.start(member);
    },
  },
  {
    name: 'stopped with SIGSTOP, its connections open, and continued with SIGCONT',
    begin: async (set) => {
      set.pause(0);
      return async () => set.resume(0);
    },
  },
];

describe('MongoDB under all services', { skip: mongodMissing }, () => {
  for (const { name, begin } of OUTAGES) {
    test(`${name}: right answers or 503, then success without a restart, and nothing acknowledged is lost`, async () => {
      await using upstream = await TestUpstream.start('up');
      upstream.always({ kind: 'ok', content: ({ messages }) => messages[0]?.content ?? '' });
      const set = await startMongodSet(1);
      try {
        const storage = { use: 'mongodb', url: set.url, database: 'outage', timeouts: TIMEOUTS } as const;
        const installation = deployment(storage, allPlugins(upstream.url));
        await using server = await SpawnedServer.start(installation);
        const call = caller(server, installation.key);
        await using load = startServiceLoad(call);
        await moreSuccess(load);

        const end = await begin(set);
        await eventually(async () => (await ready(call)) === '503 unavailable false', 'ready says 503');
        await moreRefusals(load);
        await end();
        await eventually(async () => (await ready(call)) === '200 ready true', 'ready says 200');
        await moreSuccess(load);
        await load.stop();

        for (const told of Object.values(load.told)) assert.deepEqual(told.wrong, [], faults(server.output));
        await assertAllThere(call, load);
        assert.equal(await server.end('SIGTERM'), 0, server.output);
      } finally {
        await set.stop();
      }
    });
  }
});

/** What the server logged of errors that it did not expect. */
function faults(output: string): string {
  return output
    .split('\n')
    .filter((line) => line.includes('"level":50'))
    .join('\n');
}

async function moreSuccess({ told }: ServiceLoad): Promise<void> {
  const before = Object.values(told).map(({ acknowledged }) => acknowledged.length);
  await eventually(
    () => Object.values(told).every(({ acknowledged }, at) => acknowledged.length >= (before[at] ?? 0) + 20),
    'every service succeeds',
  );
}

async function moreRefusals({ told }: ServiceLoad): Promise<void> {
  await eventually(
    () => STORED.every((service) => told[service].refused > 0),
    'every service that needs the store answers 503',
  );
}

/** `STATUS WORD STORAGE-IS-OK`, as a load balancer and a person read it. */
async function ready(call: Call): Promise<string> {
  const answer = await call('GET', '/-/ready');
  const { status, plugins } = (await answer.json()) as {
    status: string;
    plugins: Record<string, { ok: boolean }>;
  };
  return `${answer.status} ${status} ${plugins['storage']?.ok}`;
}

async function assertAllThere(call: Call, { told }: ServiceLoad): Promise<void> {
  const names = async (path: string, list: (body: never) => { name: string }[]): Promise<string[]> =>
    list((await (await call('GET', path)).json()) as never).map(({ name }) => name);
  const stored: Record<(typeof STORED)[number], string[]> = {
    memory: await memoryKeys(call),
    playground: await names(
      '/api/playground/presets',
      (body: { presets: { name: string }[] }) => body.presets,
    ),
    dataquery: await names('/data/directors', (body: { name: string }[]) => body),
  };
  for (const service of STORED) {
    const there = new Set(stored[service]);
    assert.equal(there.size, stored[service].length, `${service} holds nothing twice`);
    const missing = told[service].acknowledged.filter((name) => !there.has(name));
    assert.deepEqual(missing, [], `${service} holds all that it acknowledged`);
  }
  const chats = told.router.acknowledged.length;
  await eventually(
    async () => (await callsThatSucceeded(call)) === chats,
    `the usage of ${chats} chats is stored`,
  );
}

async function callsThatSucceeded(call: Call): Promise<number> {
  const { total } = (await (await call('GET', '/api/usage')).json()) as {
    total: { calls: number; errors: number };
  };
  return total.calls - total.errors;
}
