/** A person's data over all plugins: exported, and erased for good. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUDIT, DIRECTORY, PEOPLE } from 'plugboard/sdk';
import { bootTest, type TestServer } from 'plugboard/testing';
import authorizations from '../../plugins/authorizations/index.js';
import events from '../../plugins/events/index.js';
import memory from '../../plugins/memory/index.js';
import playground from '../../plugins/playground/index.js';
import router from '../../plugins/router/index.js';
import speech from '../../plugins/speech/index.js';
import { eachStore } from '../support/stores.js';
import { TestUpstream } from '../support/peers/upstream.js';

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
