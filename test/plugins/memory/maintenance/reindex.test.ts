import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { eventually } from '../../../support/eventually.js';
import { memoryServer, settled, testClock, type MemoryServer } from '../support/memory-server.js';
import { EMBED, fakeModels, upstreamError } from '../support/models.js';

const REMOTE = { embeddingSource: 'remote', embeddingProviderModel: EMBED };

async function flags(memory: MemoryServer): Promise<Record<string, number>> {
  const { data } = (await memory.call('GET', '/api/memory?limit=200')).body;
  return Object.fromEntries(
    data.map(({ key, needsReindex }: { key: string; needsReindex: number }) => [key, needsReindex]),
  );
}

/** A gate that embedding calls wait at. */
function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

eachStore('reindexing', (store) => {
  test('a remote vector comes after the answer, and the entry says so until then', async () => {
    const models = fakeModels();
    await using memory = await memoryServer({ storage: await store.fresh(), models });
    await memory.call('PUT', '/api/settings/memory', REMOTE);
    const { body } = await memory.call('POST', '/api/memory', { key: 'k', content: 'tea' });
    assert.equal(body.needsReindex, 1);
    await settled(memory);
    const found = await memory.call('POST', '/api/memory/retrieve-preview', {
      query: 'tea',
      strategy: 'semantic',
    });
    assert.equal(found.body.memories[0].id, body.id);
  });

  test('an older embedding that ends late never overwrites the newer content', async () => {
    const models = fakeModels();
    await using memory = await memoryServer({ storage: await store.fresh(), models });
    await memory.call('PUT', '/api/settings/memory', REMOTE);
    const { opened, open } = gate();
    models.before = () => (models.embedded.length === 1 ? opened : undefined);
    const { body } = await memory.call('POST', '/api/memory', { key: 'k', content: 'aaaa' });
    await eventually(() => models.embedded.length === 1, 'the first embedding is under way');
    await memory.call('PUT', `/api/memory/${body.id}`, { content: 'bbbb' });
    open();
    await settled(memory);
    assert.deepEqual(models.embedded.slice(0, 2), [['aaaa'], ['bbbb']]);
    const found = await memory.call('POST', '/api/memory/retrieve-preview', {
      query: 'b',
      strategy: 'semantic',
    });
    assert.deepEqual(
      found.body.memories.map(({ vecScore }: { vecScore: number }) => Math.round(vecScore * 1000)),
      [1000],
    );
    const old = await memory.call('POST', '/api/memory/retrieve-preview', {
      query: 'a',
      strategy: 'semantic',
    });
    assert.deepEqual(old.body.memories, []);
  });

  test('an entry that is deleted while it is embedded stays deleted', async () => {
    const models = fakeModels();
    await using memory = await memoryServer({ storage: await store.fresh(), models });
    await memory.call('PUT', '/api/settings/memory', REMOTE);
    const { opened, open } = gate();
    models.before = () => opened;
    const { body } = await memory.call('POST', '/api/memory', { key: 'k', content: 'aaaa' });
    await eventually(() => models.embedded.length === 1, 'the embedding is under way');
    await memory.call('DELETE', `/api/memory/${body.id}`);
    open();
    await memory.call('POST', '/api/memory', { key: 'other', content: 'bbbb' });
    await settled(memory);
    assert.equal((await memory.call('GET', `/api/memory/${body.id}`)).status, 404);
    const found = await memory.call('POST', '/api/memory/retrieve-preview', {
      query: 'aaaa',
      strategy: 'semantic',
    });
    assert.deepEqual(found.body.memories, []);
  });

  test('another model flags every entry and all get vectors of it, in batches', async () => {
    const models = fakeModels();
    await using memory = await memoryServer({ storage: await store.fresh(), models });
    const numbers = Array.from({ length: 150 }, (_, at) => at);
    await Promise.all(
      numbers.map((at) => memory.call('POST', '/api/memory', { key: `k${at}`, content: `entry ${at}` })),
    );
    await memory.call('PUT', '/api/settings/memory', REMOTE);
    await eventually(() => models.embedded.flat().length >= 150, 'all are embedded');
    await settled(memory);
    assert.equal(models.embedded.flat().length, 150);
    assert.ok(models.embedded.length <= 4, `${models.embedded.length} calls`);
    const status = async () => (await memory.call('GET', '/api/memory/engine-status')).body;
    // What it counts is kept in memory, and follows the store by its change feed.
    await eventually(async () => (await status()).vectorStore.needsReindex === 0, 'the status knows it');
    const { vectorStore, embedding } = await status();
    assert.deepEqual([vectorStore.rowCount, embedding.model], [150, EMBED]);
  });

  test('a text that the model refuses keeps nobody from a vector, and is tried again later and later', async () => {
    const models = fakeModels();
    const clock = testClock();
    await using memory = await memoryServer({ storage: await store.fresh(), models, clock });
    models.before = () => {
      if (models.embedded.at(-1)?.includes('poison')) throw upstreamError(400);
    };
    for (const content of ['one', 'poison', 'two', 'three'])
      await memory.call('POST', '/api/memory', { key: content, content });
    await memory.call('PUT', '/api/settings/memory', REMOTE);
    await eventually(
      async () => Object.values(await flags(memory)).filter((flag) => flag === 1).length === 1,
      'all but one have vectors',
    );
    assert.deepEqual(await flags(memory), { one: 0, two: 0, three: 0, poison: 1 });
    assert.deepEqual((await memory.call('POST', '/api/memory/reindex')).body, { started: true, pending: 1 });
    const tried = models.embedded.length;
    models.before = () => {};
    clock.advance(3_600_000);
    await memory.call('POST', '/api/memory/reindex');
    await settled(memory);
    assert.deepEqual(models.embedded.slice(tried), [['poison']]);
  });

  test('a text that breaks the model keeps nobody from a vector either', async () => {
    const models = fakeModels();
    await using memory = await memoryServer({ storage: await store.fresh(), models });
    models.before = () => {
      if (models.embedded.at(-1)?.includes('far too long')) throw upstreamError(500);
    };
    for (const content of ['one', 'far too long', 'two', 'three'])
      await memory.call('POST', '/api/memory', { key: content, content });
    await memory.call('PUT', '/api/settings/memory', REMOTE);
    await eventually(
      async () => Object.values(await flags(memory)).filter((flag) => flag === 1).length === 1,
      'all but one have vectors',
    );
    assert.deepEqual(await flags(memory), { one: 0, two: 0, three: 0, 'far too long': 1 });
  });

  test('a model that is away is asked once for a batch and once by itself, not for every text', async () => {
    const models = fakeModels();
    await using memory = await memoryServer({ storage: await store.fresh(), models });
    models.before = () => {
      throw upstreamError(503);
    };
    for (let at = 0; at < 20; at += 1)
      await memory.call('POST', '/api/memory', { key: `k${at}`, content: `entry ${at}` });
    await memory.call('PUT', '/api/settings/memory', REMOTE);
    await eventually(() => models.embedded.length === 2, 'the batch and the question whether it is away');
    assert.deepEqual([models.embedded[0]?.length, models.embedded[1]], [20, ['note']]);
  });

  test('a model that answers in another size gets every entry anew, and once', async () => {
    const models = fakeModels();
    await using memory = await memoryServer({ storage: await store.fresh(), models });
    await memory.call('PUT', '/api/settings/memory', REMOTE);
    for (const content of ['one', 'two']) await memory.call('POST', '/api/memory', { key: content, content });
    await settled(memory);
    models.vectorOf = (text) => new Float32Array(4).fill(text.length);
    await memory.call('POST', '/api/memory', { key: 'three', content: 'three' });
    await eventually(() => models.embedded.flat().length === 5, 'all are embedded again');
    await settled(memory);
    assert.deepEqual(models.embedded.flat().slice(2).sort(), ['one', 'three', 'two']);
    const found = await memory.call('POST', '/api/memory/retrieve-preview', {
      query: 'x',
      strategy: 'semantic',
    });
    assert.equal(found.body.memories.length, 3);
  });

  test('force makes every vector anew, and a run with nothing to do does not claim to have started', async () => {
    const models = fakeModels();
    await using memory = await memoryServer({ storage: await store.fresh(), models });
    await memory.call('PUT', '/api/settings/memory', REMOTE);
    for (const key of ['a', 'b']) await memory.call('POST', '/api/memory', { key, content: key });
    await settled(memory);
    assert.deepEqual((await memory.call('POST', '/api/memory/reindex')).body, { started: false, pending: 0 });
    assert.deepEqual((await memory.call('POST', '/api/memory/reindex', { force: true })).body, {
      started: true,
      pending: 2,
    });
    const made = () => models.embedded.flat().filter((text) => text === 'a').length;
    await eventually(() => made() === 2, 'the vector is made anew');
    await settled(memory);
    assert.equal(made(), 2);
  });
});
