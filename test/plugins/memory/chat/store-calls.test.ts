/** What a chat asks of the store for its memories. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';
import { definePlugin, Type, type Hooks, type Principal } from 'plugboard/sdk';
import { memoryServer } from '../support/memory-server.js';
import { EMBED, fakeModels } from '../support/models.js';

/** Store calls of what runs in it. */
const asked = new AsyncLocalStorage<string[]>();

const hooks: Hooks = {
  store: {
    begin: ({ collection, operation }) => asked.getStore()?.push(`${collection} ${operation}`),
    end: () => undefined,
  },
};
const observer = definePlugin({
  name: 'observer',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  observes: ['store'],
  setup: () => ({ hooks }),
});

const ann: Principal = { kind: 'key', id: 'ann', name: 'ann', scopes: ['memory'] };

test('a chat reads the settings once, for its memories and for what is learnt of it', async () => {
  const models = fakeModels();
  await using memory = await memoryServer({
    models,
    plugins: [{ plugin: observer }],
    config: { extraction: { model: 'up/chat', chats: 'all' }, externalStore: { allowPrivateHosts: true } },
  });
  const external = { enabled: true, host: 'http://127.0.0.1', port: 9 };
  assert.equal((await memory.call('PUT', '/api/settings/external-store', external)).status, 200);
  await memory.call('POST', '/api/memory', { key: 'tea', content: 'likes green tea', apiKeyId: 'ann' });
  const storeCalls = async (settings: object, message: string): Promise<string[]> => {
    assert.equal((await memory.call('PUT', '/api/settings/memory', settings)).status, 200);
    const calls: string[] = [];
    const request = { model: 'm', messages: [{ role: 'user', content: message }] };
    const sent = await asked.run(calls, () => models.intercept(request, ann));
    assert.match(String(sent.messages[0]?.content), /likes green tea/);
    return calls.filter((call) => call.startsWith('settings '));
  };
  const remote = { embeddingSource: 'remote', embeddingProviderModel: EMBED, strategy: 'hybrid' };
  for (const settings of [
    { strategy: 'hybrid' },
    { strategy: 'recent' },
    remote,
    { ...remote, strategy: 'semantic' },
    { ...remote, vectorStore: 'external' },
  ])
    assert.deepEqual(await storeCalls(settings, `which tea? ${JSON.stringify(settings)}`), [
      'settings findOne',
    ]);
});
