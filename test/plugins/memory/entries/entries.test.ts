import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { eachStore } from '../../../support/stores.js';
import { memoryServer, testClock, type MemoryServer } from '../support/memory-server.js';

const DAY = 86_400_000;

/** One server for all: each test has an owner of its own. */
eachStore('entries', (store) => {
  const clock = testClock();
  let memory: MemoryServer;

  before(async () => {
    memory = await memoryServer({ storage: await store.fresh(), clock });
  });
  after(() => memory[Symbol.asyncDispose]());

  test('a new entry has every field of the contract, and reads back as it was answered', async () => {
    const { status, body } = await memory.call('POST', '/api/memory', {
      key: 'tea',
      content: 'likes tea',
      metadata: { 'a.b': { $c: [1, null] }, '': 0 },
    });
    const at = new Date(clock.now()).toISOString();
    assert.equal(status, 201);
    assert.deepEqual(body, {
      id: body.id,
      content: 'likes tea',
      key: 'tea',
      type: 'factual',
      sessionId: null,
      apiKeyId: null,
      userId: null,
      metadata: { 'a.b': { $c: [1, null] }, '': 0 },
      expiresAt: null,
      createdAt: at,
      updatedAt: at,
      needsReindex: 0,
      standsFor: 0,
      supersedes: null,
      supersededBy: null,
      validFrom: '2030-01-01T00:00:00.000Z',
      validUntil: null,
    });
    assert.match(body.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual((await memory.call('GET', `/api/memory/${body.id}`)).body, body);
  });

  test('posting a key again replaces the entry, merges the metadata, and keeps id and creation date', async () => {
    const apiKeyId = 'again';
    const first = await memory.call('POST', '/api/memory', {
      apiKeyId,
      key: 'k',
      content: 'one',
      type: 'episodic',
      sessionId: 's',
      metadata: { a: 1, b: 1 },
      expiresAt: '2040-01-01T00:00:00Z',
    });
    clock.advance(1000);
    const second = await memory.call('POST', '/api/memory', {
      apiKeyId,
      key: 'k',
      content: 'two',
      metadata: { b: 2 },
    });
    assert.deepEqual([first.status, second.status], [201, 200]);
    assert.deepEqual(second.body, {
      ...first.body,
      content: 'two',
      type: 'factual',
      sessionId: null,
      metadata: { a: 1, b: 2 },
      expiresAt: null,
      updatedAt: new Date(clock.now()).toISOString(),
    });
    assert.equal((await memory.call('GET', `/api/memory?apiKeyId=${apiKeyId}`)).body.total, 1);
  });

  test('64 posts of one key at the same time leave one entry, and one of them created it', async () => {
    const apiKeyId = 'at once';
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, at) =>
        memory.call('POST', '/api/memory', { apiKeyId, key: 'k', content: `number ${at}` }),
      ),
    );
    assert.deepEqual(
      answers
        .map(({ status }) => status)
        .sort((a, b) => a - b)
        .slice(-2),
      [200, 201],
    );
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
    const { body } = await memory.call('GET', `/api/memory?apiKeyId=${apiKeyId}`);
    assert.equal(body.total, 1);
    const found = await memory.call('POST', '/api/memory/retrieve-preview', {
      query: 'number',
      apiKeyId,
      strategy: 'exact',
    });
    assert.deepEqual(
      found.body.memories.map(({ content }: { content: string }) => content),
      [body.data[0].content],
    );
  });

  test('the same key of two owners and of the global pool are three entries', async () => {
    for (const apiKeyId of ['ann', 'bob', undefined]) {
      assert.equal(
        (await memory.call('POST', '/api/memory', { key: 'k', content: 'c', ...(apiKeyId && { apiKeyId }) }))
          .status,
        201,
      );
    }
    assert.equal((await memory.call('GET', '/api/memory?apiKeyId=ann')).body.total, 1);
  });

  test('PUT changes what it names, replaces metadata, and refuses the key of another entry', async () => {
    const apiKeyId = 'changing';
    const { body: one } = await memory.call('POST', '/api/memory', {
      apiKeyId,
      key: 'one',
      content: 'about tea',
      metadata: { a: 1 },
    });
    await memory.call('POST', '/api/memory', { apiKeyId, key: 'two', content: 'about cats' });
    const put = await memory.call('PUT', `/api/memory/${one.id}`, { type: 'semantic', metadata: { b: 2 } });
    assert.deepEqual(
      [put.body.type, put.body.metadata, put.body.content],
      ['semantic', { b: 2 }, 'about tea'],
    );
    const taken = await memory.call('PUT', `/api/memory/${one.id}`, { key: 'two' });
    assert.deepEqual(
      [taken.status, taken.body.error.code, taken.body.error.param],
      [409, 'duplicate_memory_key', 'key'],
    );
    assert.equal((await memory.call('PUT', `/api/memory/${one.id}`, { key: 'one' })).status, 200);
    await memory.call('PUT', `/api/memory/${one.id}`, { content: 'about coffee' });
    const search = async (query: string) =>
      (await memory.call('POST', '/api/memory/retrieve-preview', { apiKeyId, query, strategy: 'exact' })).body
        .memories.length;
    assert.deepEqual([await search('tea'), await search('coffee')], [0, 1]);
  });

  test('an entry that was acknowledged is found by the very next request, and a deleted one is not', async () => {
    const apiKeyId = 'soon';
    for (let at = 0; at < 8; at += 1) {
      const { body } = await memory.call('POST', '/api/memory', {
        apiKeyId,
        key: `k${at}`,
        content: `word${at}`,
      });
      for (const strategy of ['exact', 'semantic', 'hybrid']) {
        const found = await memory.call('POST', '/api/memory/retrieve-preview', {
          apiKeyId,
          query: `word${at}`,
          strategy,
          limit: 1,
        });
        assert.equal(found.body.memories[0]?.id, body.id, strategy);
      }
      assert.deepEqual((await memory.call('DELETE', `/api/memory/${body.id}`)).body, { success: true });
      assert.equal((await memory.call('DELETE', `/api/memory/${body.id}`)).status, 404);
      const gone = await memory.call('POST', '/api/memory/retrieve-preview', {
        apiKeyId,
        query: `word${at}`,
        strategy: 'exact',
      });
      assert.equal(gone.body.memories.length, 0);
    }
  });

  test('an entry is hidden everywhere from the instant it expires, and its key is free again', async () => {
    const apiKeyId = 'expiring';
    const expiresAt = new Date(clock.now() + DAY).toISOString();
    const { body } = await memory.call('POST', '/api/memory', {
      apiKeyId,
      key: 'k',
      content: 'secret plan',
      expiresAt,
    });
    const seen = async () => {
      const previews = await Promise.all(
        ['exact', 'semantic', 'hybrid'].map((strategy) =>
          memory.call('POST', '/api/memory/retrieve-preview', { apiKeyId, query: 'secret plan', strategy }),
        ),
      );
      return [
        (await memory.call('GET', `/api/memory/${body.id}`)).status,
        (await memory.call('GET', `/api/memory?apiKeyId=${apiKeyId}`)).body.total,
        (await memory.call('GET', `/api/memory?apiKeyId=${apiKeyId}`)).body.data.length,
        (await memory.call('GET', `/api/memory?apiKeyId=${apiKeyId}&q=plan`)).body.total,
        ...previews.map((preview) => preview.body.memories.length),
      ];
    };
    clock.advance(DAY - 1);
    assert.deepEqual(await seen(), [200, 1, 1, 1, 1, 1, 1]);
    clock.advance(1);
    assert.deepEqual(await seen(), [404, 0, 0, 0, 0, 0, 0]);
    assert.equal((await memory.call('PUT', `/api/memory/${body.id}`, { content: 'x' })).status, 404);
    assert.equal((await memory.call('DELETE', `/api/memory/${body.id}`)).status, 404);
    const again = await memory.call('POST', '/api/memory', { apiKeyId, key: 'k', content: 'new' });
    assert.equal(again.status, 201);
    assert.notEqual(again.body.id, body.id);
  });

  test('no query of any owner ever finds an entry of another', async () => {
    const words = ['tea', 'cat', 'train', 'river', 'Seoul', '고양이', '기차'];
    const owners = Array.from({ length: 20 }, (_, at) => `owner-${at}`);
    await Promise.all(
      owners.flatMap((apiKeyId) =>
        words.map((word, at) =>
          memory.call('POST', '/api/memory', { apiKeyId, key: `k${at}`, content: `${word} of ${apiKeyId}` }),
        ),
      ),
    );
    const question = fc.record({
      apiKeyId: fc.constantFrom(...owners),
      query: fc
        .array(fc.constantFrom(...words, 'owner-3', 'of'), { minLength: 1, maxLength: 4 })
        .map((list) => list.join(' ')),
      strategy: fc.constantFrom('exact', 'semantic', 'hybrid'),
      limit: fc.integer({ min: 1, max: 100 }),
    });
    await fc.assert(
      fc.asyncProperty(question, async (body) => {
        const { body: found } = await memory.call('POST', '/api/memory/retrieve-preview', body);
        for (const { content } of found.memories) assert.ok(content.endsWith(`of ${body.apiKeyId}`), content);
      }),
      { numRuns: 60 },
    );
    const everyone = await memory.call('POST', '/api/memory/retrieve-preview', { query: 'river' });
    for (const { content } of everyone.body.memories) assert.doesNotMatch(content, /owner-/);
  });

  test('a list is newest first, pages by page or offset, and filters by owner, type, session and words', async () => {
    clock.advance(1000);
    for (let at = 0; at < 7; at += 1) {
      const fields = {
        apiKeyId: at < 4 ? 'newest' : 'later',
        type: at % 2 === 0 ? 'factual' : 'episodic',
        sessionId: `list${at % 3}`,
      };
      await memory.call('POST', '/api/memory', {
        key: `k${at}`,
        content: `entry numbered${at} commonplace`,
        ...fields,
      });
      clock.advance(1000);
    }
    const list = async (query: string) => (await memory.call('GET', `/api/memory?${query}`)).body;
    const keys = (body: { data: { key: string }[] }) => body.data.map(({ key }) => key).join(' ');
    assert.equal(keys(await list('limit=3')), 'k6 k5 k4');
    assert.equal(keys(await list('apiKeyId=newest&limit=3&page=2')), 'k0');
    assert.equal(keys(await list('limit=3&page=3&offset=1')), 'k5 k4 k3');
    assert.equal(keys(await list('apiKeyId=newest')), 'k3 k2 k1 k0');
    assert.equal(keys(await list('apiKeyId=newest&type=episodic')), 'k3 k1');
    assert.equal(keys(await list('sessionId=list0')), 'k6 k3 k0');
    assert.equal(keys(await list('q=numbered2')), 'k2');
    assert.equal(keys(await list('q=commonplace&apiKeyId=later&type=factual')), 'k6 k4');
    assert.equal(keys(await list('q=nothingatall')), '');
    const page = await list('apiKeyId=newest&limit=3&offset=3');
    assert.deepEqual([page.total, page.totalPages, page.page, page.limit, page.stats.total], [4, 2, 2, 3, 4]);
    const all = await list('limit=1');
    assert.ok(all.stats.tokensUsed > page.stats.tokensUsed && page.stats.tokensUsed > 0);
    assert.equal((await list('page=100')).data.length, 0);
  });
});
