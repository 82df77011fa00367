import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachStore } from '../../support/stores.js';
import { memoryServer, type Method } from './support/memory-server.js';

const ANY_ID = '7b0e7a52-9c2c-4f0e-8f0a-2b1c3d4e5f60';
const entry = { key: 'k', content: 'c' };
const ask = (fields: object): object => ({ query: 'q', ...fields });

/** Every route at the edges of its bounds: the status it answers, and for a 400 the parameter it names. */
const CASES: readonly [
  method: Method,
  path: string,
  body: object | undefined,
  status: number,
  param?: string,
][] = [
  ['GET', '/api/memory', undefined, 200],
  ['GET', '/api/memory?limit=1&page=1&offset=0', undefined, 200],
  ['GET', '/api/memory?limit=200', undefined, 200],
  ['GET', '/api/memory?limit=0', undefined, 400, 'limit'],
  ['GET', '/api/memory?limit=201', undefined, 400, 'limit'],
  ['GET', '/api/memory?limit=abc', undefined, 400, 'limit'],
  ['GET', '/api/memory?limit=1.5', undefined, 400, 'limit'],
  ['GET', '/api/memory?page=0', undefined, 400, 'page'],
  ['GET', '/api/memory?page=9007199254740991&limit=200', undefined, 200],
  ['GET', '/api/memory?page=1e308', undefined, 400, 'page'],
  ['GET', '/api/memory?offset=-1', undefined, 400, 'offset'],
  ['GET', '/api/memory?offset=1e300', undefined, 400, 'offset'],
  ['GET', '/api/memory?type=other', undefined, 400, 'type'],
  ['GET', '/api/memory?q=&apiKeyId=&sessionId=', undefined, 200],

  ['POST', '/api/memory', {}, 400, 'content'],
  ['POST', '/api/memory', { key: 'k' }, 400, 'content'],
  ['POST', '/api/memory', { content: 'c' }, 400, 'key'],
  ['POST', '/api/memory', { ...entry, key: '' }, 400, 'key'],
  ['POST', '/api/memory', { ...entry, key: ' \t ' }, 400, 'key'],
  ['POST', '/api/memory', { ...entry, userId: ' ' }, 400, 'userId'],
  ['POST', '/api/memory', { ...entry, content: '' }, 400, 'content'],
  ['POST', '/api/memory', { ...entry, content: 1 }, 400, 'content'],
  ['POST', '/api/memory', { ...entry, type: 'other' }, 400, 'type'],
  ['POST', '/api/memory', { ...entry, metadata: [] }, 400, 'metadata'],
  ['POST', '/api/memory', { ...entry, expiresAt: 'tomorrow' }, 400, 'expiresAt'],
  ['POST', '/api/memory', { ...entry, colour: 'red' }, 400, 'colour'],
  [
    'POST',
    '/api/memory',
    {
      key: 'all',
      content: 'c',
      type: 'episodic',
      sessionId: null,
      apiKeyId: 'o',
      metadata: { a: [1] },
      expiresAt: null,
    },
    201,
  ],

  ['GET', `/api/memory/${ANY_ID}`, undefined, 404],
  ['GET', '/api/memory/not-a-uuid', undefined, 404],
  ['PUT', `/api/memory/${ANY_ID}`, { content: 'c' }, 404],
  ['PUT', '/api/memory/not-a-uuid', {}, 404],
  ['PUT', `/api/memory/${ANY_ID}`, { sessionId: 's' }, 400, 'sessionId'],
  ['PUT', `/api/memory/${ANY_ID}`, { key: '' }, 400, 'key'],
  ['PUT', `/api/memory/${ANY_ID}`, { key: ' ' }, 400, 'key'],
  ['PUT', `/api/memory/${ANY_ID}`, { content: '' }, 400, 'content'],
  ['PUT', `/api/memory/${ANY_ID}`, { type: 'x' }, 400, 'type'],
  ['DELETE', `/api/memory/${ANY_ID}`, undefined, 404],
  ['DELETE', '/api/memory/not-a-uuid', undefined, 404],

  ['GET', '/api/memory/health', undefined, 200],
  ['GET', '/api/memory/engine-status', undefined, 200],
  ['GET', '/api/memory/embedding-providers', undefined, 200],

  ['POST', '/api/memory/retrieve-preview', ask({}), 200],
  ['POST', '/api/memory/retrieve-preview', ask({ maxTokens: 1, limit: 1 }), 200],
  ['POST', '/api/memory/retrieve-preview', ask({ maxTokens: 16_000, limit: 100 }), 200],
  ['POST', '/api/memory/retrieve-preview', {}, 400, 'query'],
  ['POST', '/api/memory/retrieve-preview', { query: '' }, 400, 'query'],
  ['POST', '/api/memory/retrieve-preview', ask({ maxTokens: 0 }), 400, 'maxTokens'],
  ['POST', '/api/memory/retrieve-preview', ask({ maxTokens: 16_001 }), 400, 'maxTokens'],
  ['POST', '/api/memory/retrieve-preview', ask({ limit: 0 }), 400, 'limit'],
  ['POST', '/api/memory/retrieve-preview', ask({ limit: 101 }), 400, 'limit'],
  ['POST', '/api/memory/retrieve-preview', ask({ limit: '5' }), 400, 'limit'],
  ['POST', '/api/memory/retrieve-preview', ask({ minScore: 1 }), 200],
  ['POST', '/api/memory/retrieve-preview', ask({ minScore: 1.1 }), 400, 'minScore'],
  ['POST', '/api/memory/retrieve-preview', ask({ strategy: 'recent' }), 400, 'strategy'],
  ['POST', '/api/memory/retrieve-preview', ask({ other: 1 }), 400, 'other'],

  ['POST', '/api/memory/summarize', undefined, 200],
  ['POST', '/api/memory/summarize', { olderThanDays: 1 }, 200],
  ['POST', '/api/memory/summarize', { olderThanDays: 365, apiKeyId: 'o', dryRun: true }, 200],
  ['POST', '/api/memory/summarize', { olderThanDays: 0 }, 400, 'olderThanDays'],
  ['POST', '/api/memory/summarize', { olderThanDays: 366 }, 400, 'olderThanDays'],
  ['POST', '/api/memory/summarize', { other: 1 }, 400, 'other'],
  ['POST', '/api/memory/reindex', undefined, 200],
  ['POST', '/api/memory/reindex', { force: true }, 200],
  ['POST', '/api/memory/reindex', { force: 'yes' }, 400, 'force'],
  ['POST', '/api/memory/reindex', { other: 1 }, 400, 'other'],

  ['GET', '/api/settings/memory', undefined, 200],
  ['PUT', '/api/settings/memory', {}, 200],
  ['PUT', '/api/settings/memory', { maxTokens: 0, retentionDays: 1 }, 200],
  ['PUT', '/api/settings/memory', { maxTokens: 16_000, retentionDays: 365 }, 200],
  ['PUT', '/api/settings/memory', { maxTokens: -1 }, 400, 'maxTokens'],
  ['PUT', '/api/settings/memory', { maxTokens: 16_001 }, 400, 'maxTokens'],
  ['PUT', '/api/settings/memory', { retentionDays: 0 }, 400, 'retentionDays'],
  ['PUT', '/api/settings/memory', { retentionDays: 366 }, 400, 'retentionDays'],
  ['PUT', '/api/settings/memory', { strategy: 'exact' }, 400, 'strategy'],
  ['PUT', '/api/settings/memory', { vectorStore: 'none' }, 400, 'vectorStore'],
  ['PUT', '/api/settings/memory', { embeddingSource: 'none' }, 400, 'embeddingSource'],
  ['PUT', '/api/settings/memory', { other: 1 }, 400, 'other'],

  ['GET', '/api/settings/external-store', undefined, 200],
  ['PUT', '/api/settings/external-store', {}, 200],
  ['PUT', '/api/settings/external-store', { port: 1 }, 200],
  ['PUT', '/api/settings/external-store', { port: 65_535 }, 200],
  ['PUT', '/api/settings/external-store', { port: 0 }, 400, 'port'],
  ['PUT', '/api/settings/external-store', { port: 65_536 }, 400, 'port'],
  ['PUT', '/api/settings/external-store', { collection: '' }, 400, 'collection'],
  ['PUT', '/api/settings/external-store', { embeddingModel: '' }, 400, 'embeddingModel'],
  ['PUT', '/api/settings/external-store', { quantization: 'int4' }, 400, 'quantization'],
  ['PUT', '/api/settings/external-store', { host: '169.254.169.254' }, 400, 'host'],
  ['PUT', '/api/settings/external-store', { other: 1 }, 400, 'other'],
  ['GET', '/api/settings/external-store/health', undefined, 200],
  ['POST', '/api/settings/external-store/search', { query: 'q', topK: 1 }, 200],
  ['POST', '/api/settings/external-store/search', { query: 'q', topK: 50 }, 200],
  ['POST', '/api/settings/external-store/search', { query: 'q', topK: 51 }, 400, 'topK'],
  ['POST', '/api/settings/external-store/search', { query: 'q', topK: 0 }, 400, 'topK'],
  ['POST', '/api/settings/external-store/search', { query: '' }, 400, 'query'],
  ['POST', '/api/settings/external-store/search', { query: 'q', other: 1 }, 400, 'other'],
];

const ROUTES = [
  ...new Map(
    CASES.map(([method, path]) => [`${method} ${path.replace(/\?.*/, '')}`, { method, path }]),
  ).values(),
];

eachStore('the routes of memory and settings', (store) => {
  test('answer every request at the edge of its bounds with the status of the contract', async () => {
    await using memory = await memoryServer({ storage: await store.fresh() });
    for (const [method, path, body, status, param] of CASES) {
      const answer = await memory.call(method, path, body);
      const what = `${method} ${path} ${JSON.stringify(body)} ${JSON.stringify(answer.body)}`;
      assert.equal(answer.status, status, what);
      if (status === 400) assert.equal(answer.body.error.param, param, what);
      if (status >= 400)
        assert.deepEqual(Object.keys(answer.body.error), ['message', 'type', 'code', 'param'], what);
    }
  });

  test('a key with the scope memory reaches its own memories and no others', async () => {
    await using memory = await memoryServer({ storage: await store.fresh() });
    const { server } = memory;
    const [ann, bob] = [await server.key('memory'), await server.key('memory')];
    const as =
      (key: string) => async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) => {
        const headers = { authorization: `Bearer ${key}` };
        const answer = await server.inject({ method, url, headers, ...(payload && { payload }) });
        return {
          status: answer.statusCode,
          body: answer.json<{ id: string; apiKeyId: string; total: number }>(),
        };
      };
    const [byAnn, byBob] = [as(ann), as(bob)];
    const tea = { key: 'tea', content: 'green tea, no sugar' };
    const stored = await byAnn('POST', '/api/memory', tea);
    assert.equal(stored.status, 201);
    const own = `/api/memory/${stored.body.id}`;
    assert.equal((await byAnn('GET', own)).body.apiKeyId, stored.body.apiKeyId);
    assert.notEqual(stored.body.apiKeyId, null);
    await memory.call('POST', '/api/memory', { key: 'shared', content: 'tea for everybody' });

    for (const [method, path, body] of [
      ['GET', own],
      ['PUT', own, { content: 'coffee' }],
      ['DELETE', own],
    ] as const)
      assert.equal((await byBob(method, path, body)).status, 404, method);
    assert.equal((await byBob('GET', '/api/memory?q=tea')).body.total, 0);
    assert.equal((await byAnn('GET', '/api/memory?q=tea')).body.total, 1);
    assert.equal((await byAnn('GET', '/api/memory')).body.total, 1);
    const found = await byBob('POST', '/api/memory/retrieve-preview', { query: 'tea' });
    assert.deepEqual((found.body as unknown as { memories: unknown[] }).memories, []);
    const { apiKeyId } = stored.body;
    for (const [method, path, body] of [
      ['GET', `/api/memory?apiKeyId=${apiKeyId}`],
      ['POST', '/api/memory', { ...tea, apiKeyId }],
      ['POST', '/api/memory', { ...tea, apiKeyId: null }],
      ['POST', '/api/memory/retrieve-preview', { query: 'tea', apiKeyId }],
    ] as const)
      assert.equal((await byBob(method, path, body)).status, 403, `${method} ${path}`);
    assert.equal((await byAnn('PUT', own, { content: 'black tea' })).status, 200);
    assert.equal((await byAnn('DELETE', own)).status, 200);
  });

  test('are closed without a credential, and to a key that may not manage', async () => {
    await using memory = await memoryServer({ storage: await store.fresh() });
    const authorization = `Bearer ${await memory.server.key('memory')}`;
    const own = /^\/api\/memory(\/retrieve-preview|\/[0-9a-f-]{36}|\/not-a-uuid)?(\?.*)?$/;
    for (const { method, path } of ROUTES) {
      const bare = await memory.server.inject({ method, url: path });
      assert.equal(bare.statusCode, 401, `${method} ${path}`);
      if (own.test(path)) continue;
      const weak = await memory.server.inject({ method, url: path, headers: { authorization } });
      assert.equal(weak.statusCode, 403, `${method} ${path}`);
    }
  });

  test('answer the whole settings with their defaults, and change only what is named', async () => {
    await using memory = await memoryServer({ storage: await store.fresh() });
    const defaults = {
      enabled: true,
      maxTokens: 2000,
      retentionDays: 30,
      strategy: 'hybrid',
      skillsEnabled: true,
      embeddingSource: 'auto',
      embeddingProviderModel: null,
      transformersEnabled: false,
      staticEnabled: true,
      rerankEnabled: false,
      rerankProviderModel: null,
      vectorStore: 'auto',
    };
    assert.deepEqual((await memory.call('GET', '/api/settings/memory')).body, defaults);
    const changed = { ...defaults, maxTokens: 7, rerankProviderModel: 'a/b' };
    const patch = { maxTokens: 7, rerankProviderModel: 'a/b' };
    assert.deepEqual((await memory.call('PUT', '/api/settings/memory', patch)).body, changed);
    assert.deepEqual((await memory.call('GET', '/api/settings/memory')).body, changed);
  });

  test('name every field of an engine status and of a health that are well', async () => {
    await using memory = await memoryServer({ storage: await store.fresh() });
    const { body: health } = await memory.call('GET', '/api/memory/health');
    assert.deepEqual([health.working, health.error, typeof health.latencyMs], [true, null, 'number']);
    assert.equal((await memory.call('GET', '/api/memory')).body.total, 0);
    const { body: status } = await memory.call('GET', '/api/memory/engine-status');
    assert.deepEqual(status, {
      keyword: { available: true, backend: 'FTS5' },
      embedding: {
        source: 'static',
        model: 'words-320-v1',
        dimensions: 320,
        available: true,
        reason: 'ready: computed in this process',
        cacheStats: { hits: 0, misses: 0, size: 0 },
      },
      vectorStore: {
        backend: 'local',
        available: true,
        rowCount: 0,
        needsReindex: 0,
        reason: 'ready: the local index answers',
      },
      externalStore: { enabled: false, healthy: null, latencyMs: null, error: null },
      rerank: {
        enabled: false,
        provider: null,
        model: null,
        available: false,
        reason: 'disabled: rerankEnabled is false',
      },
    });
  });
});
