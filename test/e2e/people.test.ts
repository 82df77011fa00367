/** A person's data over all plugins: exported, and erased for good. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { AUDIT, DIRECTORY, PEOPLE, STORAGE } from 'plugboard/sdk';
import { bootTest, type TestServer } from 'plugboard/testing';
import authorizations from '../../plugins/authorizations/index.js';
import { DELIVERIES, type DeliveryDocument } from '../../plugins/changes/documents.js';
import changes from '../../plugins/changes/index.js';
import dataquery from '../../plugins/dataquery/index.js';
import events from '../../plugins/events/index.js';
import memory from '../../plugins/memory/index.js';
import playground from '../../plugins/playground/index.js';
import router from '../../plugins/router/index.js';
import speech from '../../plugins/speech/index.js';
import { eventually } from '../support/eventually.js';
import { receiver } from '../support/peers/receiver.js';
import { eachStore } from '../support/stores.js';
import { TestUpstream } from '../support/peers/upstream.js';

const CATALOG = `
exposed: [public]
schemas:
  public:
    relations:
      notes:
        person: { column: account, holds: number }
        columns: { id: integer, account: integer, note: text }
        primaryKey: [id]
`;
const PASSWORD = 'ann climbs seven quiet hills';
const SERVICES = [authorizations, events, memory, playground];

eachStore('people', (store) => {
  test('what plugins keep of a person is exported, and nothing of it is left after an erasure', async () => {
    await using upstream = await TestUpstream.start('a');
    const upstreams = [{ name: 'a', baseUrl: upstream.url, apiKey: 'secret-of-a' }];
    const plugins = [
      ...SERVICES.map((plugin) => ({ plugin })),
      { plugin: router, config: { upstreams } },
      { plugin: speech, config: { embedded: { workers: 1 } } },
    ];
    const auth = { memberScopes: ['memory', 'presets', 'run', 'chat', 'speech'] };
    const server = await bootTest({ plugins, auth, storage: await store.fresh() });
    try {
      await server.command(['users', 'create', 'ann', '--access', 'member', '--password-stdin'], PASSWORD);
      const id = (await server.service(DIRECTORY).byLogin('ann'))?.id;
      await fill(server);

      const exported = await server.command(['people', 'export', 'ann']);
      const lines = exported.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { plugin: string });
      const told = new Set(lines.map(({ plugin }) => plugin));
      const all = ['authorizations', 'events', 'memory', 'playground', 'router', 'speech'];
      assert.deepEqual([...told].toSorted(), all);
      assert.doesNotMatch(exported.stdout, /tokenHash|sealedToken|scrypt/);

      assert.match(exported.stdout, /"plugin":"playground".*"prompt":"ann climbs"/);
      assert.match(exported.stdout, /"plugin":"playground".*"answers":\[/);

      const erased = await server.command(['people', 'erase', 'ann']);
      assert.equal(erased.code, 0, erased.stderr);
      for (const kept of ['memory: 1', 'router: 2', 'playground: 5', 'speech: 1'])
        assert.ok(erased.stdout.includes(`${kept} records`), erased.stdout);
      assert.equal(await server.service(DIRECTORY).byLogin('ann'), null);
      assert.equal((await server.command(['people', 'export', 'ann'])).code, 2);
      const headers = { authorization: `Bearer ${await server.key('*')}` };
      const entries = await server.inject({ url: '/api/memory', headers });
      assert.doesNotMatch(entries.body, /green tea/);
      const usage = await server.inject({ url: '/api/usage?group=key', headers });
      assert.equal(usage.json<{ total: { calls: number } }>().total.calls, 0, usage.body);
      for (const { plugin, data } of server.service(PEOPLE).list() ?? [])
        for await (const left of data.export({ ...(id !== undefined && { id }), principals: [`user:${id}`] }))
          assert.fail(`${plugin} kept ${JSON.stringify(left)}`);
      assert.equal((await server.inject('/users/ann/events')).statusCode, 404);
      assert.doesNotMatch((await server.inject('/events')).body, /"login":"ann"/);

      const { records } = await server.service(AUDIT).list({ limit: 5, action: 'erase a person' });
      assert.equal(records[0]?.target, `user:${id}`);
      assert.doesNotMatch(JSON.stringify(records), /green tea|ann climbs/);
    } finally {
      await server.stop();
    }
  });

  test('webhooks of a person’s data are sent, and then no delivery of them is left', async () => {
    await using upstream = await TestUpstream.start('a');
    await using up = await receiver();
    await using down = await receiver();
    down.answer = () => 500;
    const directory = await mkdtemp(join(tmpdir(), 'plugboard-people-'));
    await writeFile(join(directory, 'catalog.yaml'), CATALOG);
    const plugins = [
      ...SERVICES.map((plugin) => ({ plugin })),
      { plugin: changes, config: { poll: 10, allowPrivate: true } },
      { plugin: dataquery, config: { catalog: 'catalog.yaml' } },
      {
        plugin: router,
        config: { upstreams: [{ name: 'a', baseUrl: upstream.url, apiKey: 'secret-of-a' }] },
      },
      { plugin: speech, config: { embedded: { workers: 1 } } },
    ];
    const auth = { memberScopes: ['memory', 'presets', 'run', 'chat', 'speech'] };
    const server = await bootTest({ plugins, auth, storage: await store.fresh(), baseDir: directory });
    try {
      const headers = { authorization: `Bearer ${await server.key('*')}` };
      for (const { url } of [up, down]) {
        const payload = { url, types: ['*'] };
        const made = await server.inject({ method: 'POST', url: '/api/changes/endpoints', headers, payload });
        assert.equal(made.statusCode, 201, made.body);
      }
      await server.command(['users', 'create', 'ann', '--access', 'member', '--password-stdin'], PASSWORD);
      const id = (await server.service(DIRECTORY).byLogin('ann'))?.id;
      await fill(server);
      for (const payload of [
        { id: 1, account: id, note: 'of ann' },
        { id: 2, account: null, note: 'of nobody' },
      ]) {
        const made = await server.inject({ method: 'POST', url: '/data/notes', headers, payload });
        assert.equal(made.statusCode, 201, made.body);
      }
      const told = ['memory.created', 'authorization.created', 'events.push', 'rows.public.notes.inserted'];
      const types = (): string[] => up.received.map(({ event: { type } }) => type);
      await eventually(() => told.every((type) => types().includes(type)), 'endpoints are told');

      const erased = await server.command(['people', 'erase', 'ann']);
      assert.equal(erased.code, 0, erased.stderr);
      const gone = ['memory.deleted', 'authorization.revoked', 'rows.public.notes.deleted'];
      await eventually(
        () => gone.every((type) => types().includes(type)),
        'endpoints are told of the erasure',
      );
      const deliveries = server.service(STORAGE, 'changes').collection<DeliveryDocument>(DELIVERIES);
      const left = async (...kinds: string[]): Promise<string[]> => {
        const found = await deliveries.find({ type: { $in: kinds } }).toArray();
        return found.map(({ subject, state }) => `${subject} ${state}`).toSorted();
      };
      const ended = async (): Promise<boolean> =>
        (await left(...gone)).every((one) => one.endsWith('waiting'));
      await eventually(ended, 'what was told of the erasure is deleted');
      assert.deepEqual(await left(...told), [
        'dataquery public.notes/2 delivered',
        'dataquery public.notes/2 waiting',
      ]);
    } finally {
      await server.stop();
      await rm(directory, { recursive: true });
    }
  });
});

/** A memory, a preset with a version, examples and a run, an authorization, an event, a call of a model and a spoken text of ann's. */
async function fill(server: TestServer): Promise<void> {
  const login = await server.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { login: 'ann', password: PASSWORD },
  });
  const { csrfToken } = login.json<{ csrfToken: string }>();
  const cookie = String(login.headers['set-cookie']).split(';')[0] ?? '';
  const asSession = { cookie, 'x-csrf-token': csrfToken };
  const basic = { authorization: `Basic ${Buffer.from(`ann:${PASSWORD}`).toString('base64')}` };
  const asKey = { authorization: `Bearer ${await server.key('events:write')}` };
  const posts = [
    ['/api/memory', asSession, { key: 'tea', content: 'green tea' }],
    ['/api/playground/presets', asSession, { name: 'p', endpoint: 'chat.completions', model: 'a/m' }],
    ['/v1/chat/completions', asSession, { model: 'a/m', messages: [{ role: 'user', content: 'hello' }] }],
    ['/api/v1/audio/speech', asSession, { voice: 'sera', input: '안녕하세요.' }],
    ['/authorizations', basic, { note: 'laptop', scopes: [] }],
    [
      '/api/events',
      asKey,
      {
        events: [
          { type: 'PushEvent', actor: { login: 'ann' }, repo: { id: 3, name: 'ann/one' }, public: true },
        ],
      },
    ],
  ] as const;
  for (const [url, headers, payload] of posts) {
    const made = await server.inject({ method: 'POST', url, headers: { ...headers }, payload });
    assert.ok(made.statusCode < 300, `${url}: ${made.statusCode} ${made.body}`);
    if (url !== '/api/playground/presets') continue;
    const preset = `${url}/${made.json<{ id: string }>().id}`;
    for (const [method, path, body] of [
      ['POST', 'versions', { prompt: 'ann climbs', label: 'first' }],
      ['PUT', 'examples', { examples: [{ variables: {} }] }],
      ['POST', 'run', {}],
    ] as const) {
      const kept = await server.inject({ method, url: `${preset}/${path}`, headers, payload: body });
      assert.ok(kept.statusCode < 300, `${path}: ${kept.statusCode} ${kept.body}`);
    }
  }
}
