import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '../../../support/eventually.js';
import { memoryServer, settled, type MemoryServer } from '../support/memory-server.js';
import { EMBED, fakeModels, RERANK, upstreamError } from '../support/models.js';

async function remember(memory: MemoryServer, ...contents: string[]): Promise<void> {
  for (const content of contents) await memory.call('POST', '/api/memory', { key: content, content });
}

async function preview(memory: MemoryServer, fields: object) {
  return (await memory.call('POST', '/api/memory/retrieve-preview', fields)).body;
}

const REMOTE = { embeddingSource: 'remote', embeddingProviderModel: EMBED };

describe('the resolution of a preview', () => {
  test('says that words, vectors or both were compared, and by which model', async () => {
    await using memory = await memoryServer();
    await remember(memory, 'likes green tea', 'has a cat');
    const exact = await preview(memory, { query: 'tea', strategy: 'exact' });
    assert.deepEqual(exact.resolution, {
      embeddingSource: null,
      embeddingModel: null,
      vectorStore: 'none',
      strategyUsed: 'exact',
      rerankApplied: false,
      fallbackReason: null,
    });
    const [first] = exact.memories;
    assert.deepEqual([first.tier, first.vecScore, first.ftsScore], ['fts5', null, first.score]);
    const local = {
      embeddingSource: 'static',
      embeddingModel: 'words-320-v1',
      vectorStore: 'local',
      rerankApplied: false,
      fallbackReason: null,
    };
    const semantic = await preview(memory, { query: 'tea', strategy: 'semantic' });
    assert.deepEqual(semantic.resolution, { ...local, strategyUsed: 'semantic' });
    const [nearest] = semantic.memories;
    assert.deepEqual([nearest.tier, nearest.ftsScore], ['vector', null]);
    assert.ok(nearest.vecScore > 0 && nearest.vecScore <= 1 && nearest.score > 0);
    const hybrid = await preview(memory, { query: 'tea' });
    assert.deepEqual(hybrid.resolution, { ...local, strategyUsed: 'hybrid' });
    assert.equal(hybrid.memories[0].tier, 'hybrid-rrf');
    assert.ok(hybrid.memories[0].vecScore > 0 && hybrid.memories[0].ftsScore > 0);
  });

  test('tells why words alone were compared when there is no source of embeddings', async () => {
    await using memory = await memoryServer();
    await remember(memory, 'likes green tea');
    await memory.call('PUT', '/api/settings/memory', { staticEnabled: false });
    for (const strategy of ['semantic', 'hybrid']) {
      const { resolution, memories } = await preview(memory, { query: 'tea', strategy });
      assert.deepEqual(
        [resolution.strategyUsed, resolution.vectorStore, resolution.embeddingSource],
        ['exact', 'none', null],
      );
      assert.match(resolution.fallbackReason, /^no_embedding_source: .*staticEnabled is false/);
      assert.deepEqual(
        memories.map(({ tier }: { tier: string }) => tier),
        ['fts5'],
      );
    }
    const { body: status } = await memory.call('GET', '/api/memory/engine-status');
    assert.deepEqual([status.embedding.source, status.embedding.available], [null, false]);
    assert.match(status.embedding.reason, /^no_embedding_source: /);
    assert.deepEqual((await memory.call('POST', '/api/memory/reindex', { force: true })).body, {
      started: false,
      pending: 1,
    });
  });

  test('names the failure of a remote source by a code, never by the text of the upstream', async () => {
    const models = fakeModels();
    await using memory = await memoryServer({ models, config: { remoteTimeout: 200 } });
    await memory.call('PUT', '/api/settings/memory', REMOTE);
    await remember(memory, 'likes green tea');
    await settled(memory);
    const failures: readonly [before: typeof models.before, code: string][] = [
      [() => Promise.reject(upstreamError(401)), 'remote_unauthorized'],
      [() => Promise.reject(upstreamError(404)), 'remote_unknown_model'],
      [() => Promise.reject(upstreamError(429)), 'remote_rate_limited'],
      [() => Promise.reject(upstreamError(502)), 'remote_failed'],
      [() => Promise.reject(new TypeError('secret-upstream-text')), 'remote_failed'],
      [
        (_call, signal) =>
          new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
        'remote_timeout',
      ],
    ];
    for (const [at, [before, code]] of failures.entries()) {
      models.before = before;
      const answer = await preview(memory, { query: `tea ${at}`, strategy: 'semantic' });
      assert.deepEqual(
        [answer.resolution.strategyUsed, answer.resolution.vectorStore],
        ['exact', 'none'],
        code,
      );
      assert.match(answer.resolution.fallbackReason, new RegExp(`^${code}: `));
      assert.equal(answer.memories.length, 1);
      const { body: status } = await memory.call('GET', '/api/memory/engine-status');
      assert.equal(status.embedding.available, false);
      assert.match(status.embedding.reason, new RegExp(`^${code}: `));
      assert.doesNotMatch(JSON.stringify([answer, status]), /secret-upstream-text/);
    }
    models.before = () => {};
    const well = await preview(memory, { query: 'tea', strategy: 'semantic' });
    assert.deepEqual(
      [well.resolution.embeddingSource, well.resolution.embeddingModel, well.resolution.fallbackReason],
      ['remote', EMBED, null],
    );
    const { body: status } = await memory.call('GET', '/api/memory/engine-status');
    assert.deepEqual([status.embedding.available, status.embedding.dimensions], [true, 8]);
  });

  test('under auto the next source answers, and the reason is kept although it did', async () => {
    const models = fakeModels();
    await using memory = await memoryServer({ models });
    await memory.call('PUT', '/api/settings/memory', { embeddingProviderModel: EMBED });
    models.before = () => Promise.reject(upstreamError(500));
    await remember(memory, 'likes green tea');
    await eventually(
      async () =>
        (await preview(memory, { query: 'tea', strategy: 'semantic' })).resolution.strategyUsed ===
        'semantic',
      'the next source is used',
    );
    const { resolution, memories } = await preview(memory, { query: 'tea', strategy: 'semantic' });
    assert.deepEqual([resolution.embeddingSource, resolution.vectorStore], ['static', 'local']);
    assert.match(resolution.fallbackReason, /^remote_failed: /);
    assert.equal(memories.length, 1);
    assert.equal((await memory.call('GET', '/api/memory')).body.data[0].needsReindex, 1);
  });

  test('a rerank orders anew and says so; when it fails the order stays and the reason is told', async () => {
    const models = fakeModels();
    await using memory = await memoryServer({ models });
    await remember(memory, 'green tea green tea in the morning', 'tea');
    await memory.call('PUT', '/api/settings/memory', { rerankEnabled: true });
    const contents = (body: { memories: { content: string }[] }) =>
      body.memories.map(({ content }) => content);
    const unnamed = await preview(memory, { query: 'green tea', strategy: 'exact' });
    assert.match(unnamed.resolution.fallbackReason, /^rerank_not_configured: /);
    await memory.call('PUT', '/api/settings/memory', { rerankProviderModel: RERANK });
    const reranked = await preview(memory, { query: 'green tea', strategy: 'exact' });
    assert.deepEqual([reranked.resolution.rerankApplied, reranked.resolution.fallbackReason], [true, null]);
    assert.deepEqual(contents(reranked), contents(unnamed).toReversed());
    models.before = () => Promise.reject(upstreamError(500));
    const failed = await preview(memory, { query: 'green  tea', strategy: 'exact' });
    assert.equal(failed.resolution.rerankApplied, false);
    assert.match(failed.resolution.fallbackReason, /^rerank_remote_failed: /);
    assert.deepEqual(contents(failed), contents(unnamed));
    const { body: status } = await memory.call('GET', '/api/memory/engine-status');
    assert.deepEqual(
      [status.rerank.provider, status.rerank.model, status.rerank.available],
      ['up', RERANK, false],
    );
  });

  test('the budget is never exceeded, and an entry too large for it makes room for a smaller one', async () => {
    await using memory = await memoryServer();
    await remember(memory, 'tea '.repeat(50).trim(), 'tea and milk');
    const all = await preview(memory, { query: 'tea', strategy: 'exact' });
    const [large, small] = all.memories;
    assert.ok(large.tokens > small.tokens);
    assert.equal(all.totalTokensUsed, large.tokens + small.tokens);
    const tight = await preview(memory, { query: 'tea', strategy: 'exact', maxTokens: large.tokens - 1 });
    assert.deepEqual(
      [tight.memories.length, tight.memories[0].id, tight.totalTokensUsed],
      [1, small.id, small.tokens],
    );
    assert.equal(tight.budgetMaxTokens, large.tokens - 1);
    const none = await preview(memory, { query: 'tea', strategy: 'exact', maxTokens: 1 });
    assert.deepEqual([none.memories, none.totalTokensUsed], [[], 0]);
  });

  test('a turn next to the one that matches is found with it, within its session alone', async () => {
    await using memory = await memoryServer();
    const turn = (key: string, content: string, sessionId: string) =>
      memory.call('POST', '/api/memory', { key, content, sessionId, type: 'episodic' });
    await turn('1', 'where do you live now', 's1');
    await turn('2', 'Busan', 's1');
    await turn('3', 'unrelated words', 's2');
    const { memories } = await preview(memory, { query: 'where do you live', strategy: 'hybrid' });
    assert.deepEqual(
      memories.map(({ key }: { key: string }) => key),
      ['1', '2'],
    );
    const exact = await preview(memory, { query: 'where do you live', strategy: 'exact' });
    assert.deepEqual(
      exact.memories.map(({ key }: { key: string }) => key),
      ['1'],
    );
  });

  test('the list counts real hits and misses of the retrieval cache, and a write makes the next one a miss', async () => {
    await using memory = await memoryServer();
    await remember(memory, 'likes green tea');
    for (let at = 0; at < 3; at += 1) await preview(memory, { query: 'tea' });
    const stats = async () => (await memory.call('GET', '/api/memory')).body.stats;
    assert.deepEqual((await stats()).cacheStats, { hits: 2, misses: 1 });
    assert.equal((await stats()).hitRate, 2 / 3);
    await remember(memory, 'more tea');
    assert.equal((await preview(memory, { query: 'tea' })).memories.length, 2);
    assert.deepEqual((await stats()).cacheStats, { hits: 2, misses: 2 });
  });

  test('a model that names a document twice in its order does not have it twice in the answer', async () => {
    const models = fakeModels();
    models.rerank = (model) =>
      Promise.resolve({ model, results: [1, 0, 1, 0, 7].map((index) => ({ index, score: 1 - index / 10 })) });
    await using memory = await memoryServer({ models });
    await remember(memory, 'green tea', 'black tea', 'mint tea');
    await memory.call('PUT', '/api/settings/memory', { rerankEnabled: true, rerankProviderModel: RERANK });
    const { memories, resolution } = await preview(memory, { query: 'tea', strategy: 'exact' });
    assert.equal(resolution.rerankApplied, true);
    assert.equal(memories.length, 3);
    assert.equal(new Set(memories.map(({ id }: { id: string }) => id)).size, 3);
  });

  test('providers with models that embed are listed with what is known of them', async () => {
    await using memory = await memoryServer({ models: fakeModels() });
    assert.deepEqual((await memory.call('GET', '/api/memory/embedding-providers')).body, {
      providers: [
        { provider: 'up', hasKey: true, models: [{ id: 'up/embed', name: 'embed', dimensions: 8 }] },
        {
          provider: 'other',
          hasKey: false,
          models: [{ id: 'other/embed-small', name: 'embed-small', dimensions: null }],
        },
      ],
    });
  });

  test('a health check asks no model and stores nothing', async () => {
    const models = fakeModels();
    await using memory = await memoryServer({ models });
    await memory.call('PUT', '/api/settings/memory', REMOTE);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => memory.call('GET', '/api/memory/health')),
    );
    for (const { body } of answers) assert.deepEqual([body.working, body.error], [true, null]);
    assert.equal((await memory.call('POST', '/api/memory/reindex')).body.pending, 0);
    assert.deepEqual(models.embedded, []);
  });
});
