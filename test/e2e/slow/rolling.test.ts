/**
 * An older version and this one on one MongoDB: instances are replaced one after another while clients write to every
 * service. `PLUGBOARD_OLDER` is the `dist/tools/plugboard.js` of the older version, built.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { startMemoryServer } from '../../../plugins/storage/memory-server/start.js';
import { balance } from '../../support/servers/balancer.js';
import { allPlugins, deployment, type Deployment } from '../../support/servers/deployment.js';
import { eventually } from '../../support/eventually.js';
import { SpawnedServer } from '../../support/servers/spawned-server.js';
import { mongodMissing } from '../../support/mongod/mongod.js';
import type { StoreConfig } from '../../support/stores.js';
import { TestUpstream } from '../../support/peers/upstream.js';

const older = process.env['PLUGBOARD_OLDER'];
const skip = older === undefined && 'skipped: PLUGBOARD_OLDER names no older version';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}
type Ask = (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Answer>;

/** What must be found later: a path, and a text that its answer has, for this caller. */
interface Stored {
  readonly path: string;
  readonly has: string;
  readonly authorization?: string;
}
type Write = (ask: Ask, at: number) => Promise<Stored>;

const created = async (asked: Promise<Answer>): Promise<Record<string, unknown>> => {
  const { status, body } = await asked;
  assert.ok(status === 200 || status === 201, `${status} ${JSON.stringify(body)}`);
  return body as Record<string, unknown>;
};

const WRITES: Readonly<Record<string, Write>> = {
  memory: async (ask, at) => {
    const { id } = await created(
      ask('POST', '/api/memory', { key: `k${at}`, content: `The number of the day is ${at}.` }),
    );
    return { path: `/api/memory/${String(id)}`, has: `day is ${at}.` };
  },
  dataquery: async (ask, at) => {
    await created(ask('POST', '/data/directors', { name: `Director ${at}` }));
    return { path: `/data/directors?name=eq.Director%20${at}`, has: `Director ${at}` };
  },
  playground: async (ask, at) => {
    const preset = { name: `Preset ${at}`, endpoint: 'chat.completions', model: 'up/chat' };
    const { id } = await created(ask('POST', '/api/playground/presets', preset));
    return { path: `/api/playground/presets/${String(id)}`, has: `Preset ${at}` };
  },
  accounts: async (ask, at) => {
    const { id } = await created(
      ask('POST', '/v2/core/accounts', {
        contact_email: `a${at}@example.com`,
        configuration: { customer: {} },
      }),
    );
    return { path: `/v2/core/accounts/${String(id)}`, has: `a${at}@example.com` };
  },
  events: async (ask, at) => {
    const event = {
      id: `rolled-${at}`,
      type: 'WatchEvent',
      actor: { id: 1003, login: 'lin' },
      repo: { id: 3003, name: 'jonas/tides' },
      payload: { action: 'started' },
      public: true,
      created_at: new Date().toISOString(),
    };
    await created(ask('POST', '/api/events', { events: [event] }));
    // The newest three hundred are served, and no more are made here.
    return { path: '/repos/jonas/tides/events?per_page=100&page=1', has: `rolled-` };
  },
  auth: async (ask, at) => {
    const { key } = await created(ask('POST', '/api/keys', { name: `key ${at}`, scopes: ['data:read'] }));
    return { path: '/data/films?limit=1', has: 'title', authorization: `Bearer ${String(key)}` };
  },
  authorizations: async (ask, at) => {
    const login = `roller${at}`;
    const password = 'tea without sugar';
    await created(ask('POST', '/api/users', { login, password }));
    const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
    await created(ask('POST', '/authorizations', { note: `note ${at}` }, { authorization }));
    return { path: '/authorizations', has: `note ${at}`, authorization };
  },
  router: async (ask, at) => {
    await created(
      ask('POST', '/v1/chat/completions', {
        model: 'up/chat',
        messages: [{ role: 'user', content: `${at}` }],
      }),
    );
    return { path: '/api/usage', has: 'up' };
  },
  speech: async (ask) => {
    const { status } = await ask('POST', '/api/v1/audio/speech', { voice: 'sera', input: '안녕' });
    assert.equal(status, 200);
    return { path: '/api/v1/usage', has: 'seconds' };
  },
};

/** Asks over a connection of its own, as a connection that is kept belongs to one instance. */
function asking({ url }: { readonly url: string }, key: string): Ask {
  return async (method, path, body, headers = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        connection: 'close',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    return { status: answer.status, body: isJson ? (JSON.parse(text) as unknown) : text };
  };
}

class Writers {
  readonly stored: (Stored & { readonly service: string })[] = [];
  readonly failed: string[] = [];
  #stopping = false;
  readonly #running: Promise<unknown>;

  constructor(ask: Ask) {
    this.#running = Promise.all(
      Object.entries(WRITES).map(([service, write]) => this.#go(service, write, ask)),
    );
  }

  async #go(service: string, write: Write, ask: Ask): Promise<void> {
    for (let at = 0; !this.#stopping; at++) {
      try {
        this.stored.push({ service, ...(await write(ask, at)) });
      } catch (error) {
        this.failed.push(`${service}: ${String(error)}${String((error as Error).cause ?? '')}`);
      }
    }
  }

  /** Resolves when every service has stored this many more, or a request has failed. */
  async more(count: number): Promise<void> {
    const goals = Object.keys(WRITES).map((service) => [service, this.#storedBy(service) + count] as const);
    await eventually(
      () => this.failed.length > 0 || goals.every(([service, goal]) => this.#storedBy(service) >= goal),
      'every service has stored more',
      120_000,
    );
    assert.deepEqual(this.failed, []);
  }

  #storedBy(service: string): number {
    return this.stored.filter((each) => each.service === service).length;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#running;
  }
}

/** Every service's data of the stored writes, through one server. */
async function assertAllThere(ask: Ask, stored: Writers['stored']): Promise<void> {
  const answers = new Map<string, string>();
  for (const { service, path, has, authorization } of stored) {
    const asked = `${path} ${authorization ?? ''}`;
    const text =
      answers.get(asked) ??
      JSON.stringify((await ask('GET', path, undefined, authorization ? { authorization } : {})).body);
    answers.set(asked, text);
    assert.ok(text.includes(has), `${service}: ${path} lacks ${has}: ${text.slice(0, 300)}`);
  }
}

function installationOn(storage: StoreConfig, upstream: TestUpstream): Deployment {
  return deployment(
    storage,
    { ...allPlugins(upstream.url), accounts: null, changes: null },
    { stopDelay: 300 },
  );
}

async function upstreamOf(t: TestContext): Promise<TestUpstream> {
  const upstream = await TestUpstream.start('up');
  t.after(() => upstream.stop());
  return upstream;
}

describe('an older version and this one', { skip }, () => {
  test('an embedded store goes on with all that the older version stored', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'plugboard-rolling-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const installation = installationOn({ use: 'embedded', path: folder }, await upstreamOf(t));
    const before = await SpawnedServer.start(installation, { script: older ?? '' });
    const writers = new Writers(asking(before, installation.key));
    await writers.more(3);
    await writers.stop();
    assert.equal(await before.end('SIGTERM'), 0);
    await using now = await SpawnedServer.start(installation);
    await assertAllThere(asking(now, installation.key), writers.stored);
  });

  test(
    'instances are replaced while clients write: no request fails, and nothing is lost',
    { skip: mongodMissing },
    async (t) => {
      const replicaSet = await startMemoryServer({ members: 1 });
      t.after(() => replicaSet.stop());
      const storage = { use: 'mongodb', url: replicaSet.url, database: 'rolling' } as const;
      const installation = installationOn(storage, await upstreamOf(t));
      const servers = [
        await SpawnedServer.start(installation, { script: older ?? '' }),
        await SpawnedServer.start(installation, { script: older ?? '' }),
      ];
      const urls = servers.map(({ url }) => url);
      const balancer = await balance(urls);
      const writers = new Writers(asking(balancer, installation.key));
      try {
        await writers.more(3);
        for (const at of [0, 1]) {
          const leaving = servers[at]!;
          const coming = await SpawnedServer.start(installation);
          servers.push(coming);
          // Both versions write for a while.
          urls[at] = coming.url;
          await writers.more(3);
          assert.equal(await leaving.end('SIGTERM'), 0);
          await writers.more(3);
        }
        await writers.stop();
        for (const { url } of servers.slice(2))
          await assertAllThere(asking({ url }, installation.key), writers.stored);
      } finally {
        await writers.stop();
        await balancer.stop();
        for (const server of servers) await server.end('SIGKILL');
      }
      assert.deepEqual(writers.failed, []);
    },
  );
});
