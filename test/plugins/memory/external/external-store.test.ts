import assert from 'node:assert/strict';
import { lookup } from 'node:dns';
import { describe, test } from 'node:test';
import { LogLines } from 'plugboard/testing';
import { request } from 'undici';
import type { Resolve } from 'plugboard/sdk';
import { guardedDispatcher } from '../../../../plugins/memory/engine/external/guarded-dispatcher.js';
import { eventually } from '../../../support/eventually.js';
import { startQdrant, type QdrantStandIn } from '../../../support/peers/qdrant.js';
import {
  memoryServer,
  testClock,
  type MemoryServer,
  type MemoryServerOptions,
} from '../support/memory-server.js';

const PATH = '/api/settings/external-store';
const API_KEY = 'qdrant-secret-key-1234';
const CONFIG = { externalStore: { allowPrivateHosts: true, timeout: 30_000 } };
/** Nothing waits for a store that hangs. */
const IMPATIENT = { externalStore: { allowPrivateHosts: true, timeout: 100 } };

async function withQdrant(
  options: MemoryServerOptions,
  work: (memory: MemoryServer, qdrant: QdrantStandIn) => Promise<void>,
) {
  const qdrant = await startQdrant({ apiKey: API_KEY });
  try {
    await using memory = await memoryServer({ config: CONFIG, ...options });
    await work(memory, qdrant);
  } finally {
    await qdrant.close();
  }
}

const turnOn = (memory: MemoryServer, { port }: QdrantStandIn, fields: object = {}) =>
  memory.call('PUT', PATH, { enabled: true, host: '127.0.0.1', port, apiKey: API_KEY, ...fields });

const points = ({ collections }: QdrantStandIn, collection = 'plugboard_memory') =>
  collections.get(collection)?.points ?? new Map();

async function remember(memory: MemoryServer, key: string, fields: object = {}): Promise<string> {
  return (await memory.call('POST', '/api/memory', { key, content: `${key} is remembered`, ...fields })).body
    .id;
}

const semantic = async (memory: MemoryServer, query: string, fields: object = {}) =>
  (await memory.call('POST', '/api/memory/retrieve-preview', { query, strategy: 'semantic', ...fields }))
    .body;

describe('the external store', () => {
  test('shows its settings without the key, replaces and removes the key, and drops it with a change of port', async () => {
    const log = new LogLines();
    await using memory = await memoryServer({ log });
    const defaults = {
      enabled: false,
      host: '',
      port: 6333,
      collection: 'plugboard_memory',
      embeddingModel: null,
      quantization: 'none',
      hasApiKey: false,
      apiKeyMasked: null,
    };
    assert.deepEqual((await memory.call('GET', PATH)).body, defaults);
    const put = await memory.call('PUT', PATH, {
      host: 'https://qdrant.example.com',
      apiKey: API_KEY,
      quantization: 'int8',
    });
    const shown = {
      ...defaults,
      host: 'https://qdrant.example.com',
      quantization: 'int8',
      hasApiKey: true,
      apiKeyMasked: '***1234',
    };
    assert.deepEqual(put.body, shown);
    const elsewhere = { ...shown, port: 443, hasApiKey: false, apiKeyMasked: null };
    assert.deepEqual((await memory.call('PUT', PATH, { port: 443 })).body, elsewhere);
    assert.equal((await memory.call('PUT', PATH, { apiKey: 'short' })).body.apiKeyMasked, '***');
    const removed = (await memory.call('PUT', PATH, { apiKey: '' })).body;
    assert.deepEqual([removed.hasApiKey, removed.apiKeyMasked], [false, null]);
    const refused = await memory.call('PUT', PATH, { host: 'http://ann:hunter2@example.com' });
    assert.equal(refused.status, 400);
    assert.doesNotMatch(refused.body.error.message, /hunter2/);
    assert.doesNotMatch(log.lines.join('\n'), /qdrant-secret-key|hunter2/);
  });

  test('is told apart when it is off, well, closed to our key, broken or gone', async () => {
    await withQdrant({}, async (memory, qdrant) => {
      const health = async () => {
        const { status, body } = await memory.call('GET', `${PATH}/health`);
        assert.deepEqual(
          [status, Object.keys(body), typeof body.latencyMs],
          [200, ['ok', 'latencyMs', 'error'], 'number'],
        );
        return body.error;
      };
      assert.equal(await health(), 'not_configured');
      await turnOn(memory, qdrant);
      assert.equal(await health(), null);
      await turnOn(memory, qdrant, { apiKey: 'wrong' });
      assert.equal(await health(), 'unauthorized');
      await turnOn(memory, qdrant);
      for (const [fault, code] of [
        ['error', 'server_error'],
        ['redirect', 'unreachable'],
        ['garbage', 'unexpected_answer'],
      ] as const) {
        qdrant.fault = fault;
        assert.equal(await health(), code, fault);
        const { body } = await memory.call('GET', '/api/memory/engine-status');
        assert.deepEqual(
          [body.externalStore.enabled, body.externalStore.healthy, body.externalStore.error],
          [true, false, code],
        );
        assert.equal(body.vectorStore.backend, 'local');
        assert.doesNotMatch(JSON.stringify(body), /secret|html/);
      }
      qdrant.fault = undefined;
      await qdrant.close();
      await eventually(async () => (await health()) === 'connection_refused', 'the lost server is told');
    });
  });

  test('that hangs is told from one that is well, and the local index answers', async () => {
    await withQdrant({ config: IMPATIENT }, async (memory, qdrant) => {
      qdrant.fault = 'hang';
      await remember(memory, 'tea');
      await turnOn(memory, qdrant);
      assert.equal((await memory.call('GET', `${PATH}/health`)).body.error, 'timeout');
      const { externalStore } = (await memory.call('GET', '/api/memory/engine-status')).body;
      assert.deepEqual([externalStore.healthy, externalStore.error], [false, 'timeout']);
      const local = await semantic(memory, 'tea');
      assert.deepEqual(
        [local.resolution.vectorStore, local.resolution.strategyUsed, local.memories[0].tier],
        ['local', 'semantic', 'vector'],
      );
      assert.match(local.resolution.fallbackReason, /^external_timeout: /);
    });
  });

  test('gets what was there before it was turned on, then every change and every deletion', async () => {
    await withQdrant({}, async (memory, qdrant) => {
      const first = await remember(memory, 'first', { apiKeyId: 'ann', type: 'semantic', sessionId: 's' });
      await turnOn(memory, qdrant, { quantization: 'int8' });
      await eventually(() => points(qdrant).has(first), 'the backfill');
      const collection = qdrant.collections.get('plugboard_memory');
      assert.equal(collection?.size, 320);
      assert.deepEqual(collection.settings, {
        quantization_config: { scalar: { type: 'int8', always_ram: true } },
      });
      const { payload } = points(qdrant).get(first);
      assert.deepEqual(
        [payload.apiKeyId, payload.key, payload.type, payload.sessionId, payload.model],
        ['ann', 'first', 'semantic', 's', 'words-320-v1'],
      );

      const second = await remember(memory, 'second');
      await eventually(() => points(qdrant).has(second), 'a new entry');
      await memory.call('PUT', `/api/memory/${second}`, { content: 'changed words' });
      await eventually(() => points(qdrant).get(second).payload.content === 'changed words', 'a change');
      await memory.call('DELETE', `/api/memory/${first}`);
      await eventually(() => !points(qdrant).has(first), 'a deletion');
    });
  });

  test('gets what it missed while it was away, deletions too', async () => {
    await withQdrant({}, async (memory, qdrant) => {
      await turnOn(memory, qdrant);
      const gone = await remember(memory, 'gone');
      await eventually(() => points(qdrant).has(gone), 'the first entry');
      qdrant.fault = 'error';
      const missed = await remember(memory, 'missed');
      assert.equal((await memory.call('DELETE', `/api/memory/${gone}`)).status, 200);
      await eventually(
        async () =>
          (await memory.call('GET', '/api/memory/engine-status')).body.externalStore.error === 'server_error',
        'the status tells',
      );
      qdrant.fault = undefined;
      await eventually(() => points(qdrant).has(missed) && !points(qdrant).has(gone), 'the outbox is empty');
    });
  });

  test('answers a search first; when it fails or finds nothing the local index answers, and the reason is told', async () => {
    const clock = testClock();
    await withQdrant({ clock }, async (memory, qdrant) => {
      await turnOn(memory, qdrant);
      const mine = await remember(memory, 'tea');
      const hers = await remember(memory, 'tea', {
        apiKeyId: 'ann',
        expiresAt: new Date(clock.now() + 1000).toISOString(),
      });
      await eventually(() => points(qdrant).size === 2, 'both are there');
      const global = await semantic(memory, 'tea');
      assert.deepEqual(
        [global.resolution.vectorStore, global.resolution.fallbackReason, global.memories[0].tier],
        ['external', null, 'external'],
      );
      assert.deepEqual(
        global.memories.map(({ id }: { id: string }) => id),
        [mine],
      );
      assert.deepEqual(
        (await semantic(memory, 'tea', { apiKeyId: 'ann' })).memories.map(({ id }: { id: string }) => id),
        [hers],
      );
      clock.advance(1000);
      assert.deepEqual((await semantic(memory, 'tea', { apiKeyId: 'ann' })).memories, []);

      qdrant.collections.get('plugboard_memory')?.points.clear();
      const empty = await semantic(memory, 'tea');
      assert.match(empty.resolution.fallbackReason, /^external_empty: /);
      assert.equal(empty.memories.length, 1);
      await memory.call('PUT', '/api/settings/memory', { vectorStore: 'local' });
      assert.equal((await semantic(memory, 'tea')).resolution.fallbackReason, null);
      await memory.call('PUT', PATH, { enabled: false });
      await memory.call('PUT', '/api/settings/memory', { vectorStore: 'external' });
      assert.match((await semantic(memory, 'tea')).resolution.fallbackReason, /^external_not_configured: /);
    });
  });

  test('answers from the moment at which it is turned on, also what was asked before', async () => {
    await withQdrant({}, async (memory, qdrant) => {
      await remember(memory, 'tea');
      for (const _ of [1, 2]) assert.equal((await semantic(memory, 'tea')).resolution.vectorStore, 'local');
      await turnOn(memory, qdrant);
      await eventually(() => points(qdrant).size === 1, 'the entry is there');
      assert.equal((await semantic(memory, 'tea')).resolution.vectorStore, 'external');
      await memory.call('PUT', PATH, { enabled: false });
      assert.equal((await semantic(memory, 'tea')).resolution.vectorStore, 'local');
    });
  });

  test('can be searched for a test, over all owners, and tells a failure by a code', async () => {
    await withQdrant({}, async (memory, qdrant) => {
      const search = async (body: object) => (await memory.call('POST', `${PATH}/search`, body)).body;
      assert.deepEqual(await search({ query: 'tea' }), { ok: false, results: [], error: 'not_configured' });
      await turnOn(memory, qdrant);
      assert.deepEqual(await search({ query: 'tea' }), {
        ok: false,
        results: [],
        error: 'collection_missing',
      });
      for (let at = 0; at < 7; at += 1)
        await remember(memory, `tea number ${at}`, { apiKeyId: `owner-${at}` });
      await eventually(() => points(qdrant).size === 7, 'all are there');
      const { ok, results, error } = await search({ query: 'tea number 3' });
      assert.deepEqual([ok, error, results.length], [true, null, 5]);
      assert.equal(results[0].payload.key, 'tea number 3');
      assert.equal((await search({ query: 'tea', topK: 2 })).results.length, 2);
      qdrant.fault = 'error';
      assert.deepEqual(await search({ query: 'tea' }), { ok: false, results: [], error: 'server_error' });
      const odd = [
        null,
        {},
        [null],
        [{ id: null, score: 1 }],
        [{ id: 1, score: 'x' }],
        [{ id: 1, score: 1, payload: 7 }],
      ];
      for (const fault of [...odd.map((result) => ({ result })), 'endless' as const]) {
        qdrant.fault = fault;
        const unexpected = { ok: false, results: [], error: 'unexpected_answer' };
        assert.deepEqual(await search({ query: 'tea' }), unexpected, JSON.stringify(fault));
        assert.equal((await semantic(memory, 'tea', { apiKeyId: 'owner-1' })).memories.length, 1);
      }
    });
  });

  test('a loopback address is refused unless the config allows it', async () => {
    await using memory = await memoryServer();
    const { status, body } = await memory.call('PUT', PATH, { host: '127.0.0.1' });
    assert.deepEqual([status, body.error.code, body.error.param], [400, 'external_host_refused', 'host']);
    assert.match(body.error.message, /externalStore\.allowPrivateHosts/);
  });

  test('asks for what the question may find, so that the nearest of others take no place', async () => {
    await withQdrant({}, async (memory, qdrant) => {
      await turnOn(memory, qdrant);
      const cups = Array.from({ length: 120 }, (_, at) => at);
      await Promise.all(
        cups.map((cup) =>
          remember(memory, `tea ${cup}`, { userId: 'ann', content: 'green tea', metadata: { cup } }),
        ),
      );
      const mine = await remember(memory, 'mine', { userId: 'bo', content: 'green tea and other things' });
      await eventually(() => points(qdrant).size === 121, 'all are there');
      const asked = await semantic(memory, 'green tea', { userId: 'bo' });
      assert.deepEqual(
        [asked.resolution.vectorStore, asked.memories.map(({ id }: { id: string }) => id)],
        ['external', [mine]],
      );
      const cup = await semantic(memory, 'green tea', { userId: 'ann', metadata: { cup: 7 } });
      assert.deepEqual(
        [cup.resolution.vectorStore, cup.memories.map(({ key }: { key: string }) => key)],
        ['external', ['tea 7']],
      );
    });
  });
});

test('a name that resolves to a forbidden address is refused when it is connected to', async () => {
  const qdrant = await startQdrant();
  const resolve: Resolve = (_hostname, _options, callback) =>
    callback(null, [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]);
  const url = `http://qdrant.example.com:${qdrant.port}/collections/x/exists`;
  const refusing = guardedDispatcher(false, resolve);
  await assert.rejects(request(url, { dispatcher: refusing }), {
    name: 'ForbiddenAddress',
    problem: 'address_private',
  });
  assert.deepEqual(qdrant.requests, []);
  const allowing = guardedDispatcher(true, (_hostname, options, callback) =>
    lookup('127.0.0.1', { ...options, all: true }, callback),
  );
  assert.equal((await request(url, { dispatcher: allowing })).statusCode, 200);
  await Promise.all([refusing.close(), allowing.close(), qdrant.close()]);
});
