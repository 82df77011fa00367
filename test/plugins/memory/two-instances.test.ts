import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../support/eventually.js';
import { eachStore } from '../../support/stores.js';
import { memoryServer, type Answer, type MemoryServer } from './support/memory-server.js';
import { EMBED, fakeModels } from './support/models.js';

const found = async (memory: MemoryServer, query: string): Promise<string[]> =>
  (await memory.call('POST', '/api/memory/retrieve-preview', { query })).body.memories.map(
    ({ id }: Answer) => id,
  );

eachStore('two instances on one store', (store) => {
  test(
    'an entry that one writes, changes or deletes is found so by the other soon, without a restart',
    { skip: store.alone },
    async () => {
      const storage = await store.fresh();
      await using one = await memoryServer({ storage });
      await using two = await memoryServer({ storage });
      const { body } = await one.call('POST', '/api/memory', { key: 'k', content: 'green tea' });
      await eventually(async () => (await found(two, 'tea')).includes(body.id), 'a new entry');
      assert.equal((await two.call('GET', `/api/memory/${body.id}`)).status, 200);
      await two.call('PUT', `/api/memory/${body.id}`, { content: 'black coffee' });
      await eventually(async () => (await found(one, 'coffee')).includes(body.id), 'a change');
      assert.equal((await one.call('GET', '/api/memory?q=tea')).body.total, 0);
      await one.call('DELETE', `/api/memory/${body.id}`);
      assert.deepEqual(await found(two, 'coffee'), []);
      await eventually(
        async () => (await two.call('GET', '/api/memory?q=coffee')).body.total === 0,
        'a deletion',
      );
    },
  );

  test(
    'what one deleted or changed the other does not answer from its cache',
    { skip: store.alone },
    async () => {
      const storage = await store.fresh();
      await using one = await memoryServer({ storage });
      await using two = await memoryServer({ storage });
      const { body } = await one.call('POST', '/api/memory', { key: 'k', content: 'green tea' });
      await eventually(async () => (await found(two, 'tea')).includes(body.id), 'a new entry');
      await found(two, 'tea');
      await one.call('PUT', `/api/memory/${body.id}`, { content: 'green tea with milk' });
      const { memories } = (await two.call('POST', '/api/memory/retrieve-preview', { query: 'tea' })).body;
      assert.equal(memories[0].content, 'green tea with milk');
      await one.call('DELETE', `/api/memory/${body.id}`);
      assert.deepEqual(await found(two, 'tea'), []);
    },
  );

  test('posts of one key on both leave one entry', { skip: store.alone }, async () => {
    const storage = await store.fresh();
    await using one = await memoryServer({ storage });
    await using two = await memoryServer({ storage });
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, at) =>
        (at % 2 === 0 ? one : two).call('POST', '/api/memory', { key: 'k', content: `c${at}` }),
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
  });

  test(
    'an instance that starts later finds everything, and each text is embedded by one of them',
    { skip: store.alone },
    async () => {
      const storage = await store.fresh();
      const models = fakeModels();
      await using one = await memoryServer({ storage, models });
      await one.call('PUT', '/api/settings/memory', {
        embeddingSource: 'remote',
        embeddingProviderModel: EMBED,
      });
      await using two = await memoryServer({ storage, models });
      const keys = Array.from({ length: 20 }, (_, at) => `k${at}`);
      await Promise.all(
        keys.map((key, at) =>
          (at % 2 === 0 ? one : two).call('POST', '/api/memory', { key, content: `text ${key}` }),
        ),
      );
      await using three = await memoryServer({ storage, models });
      await eventually(
        async () =>
          (await three.call('GET', '/api/memory/engine-status')).body.vectorStore.needsReindex === 0,
        'all have vectors',
      );
      const texts = models.embedded.flat();
      assert.equal(texts.length, new Set(texts).size);
      assert.equal((await found(three, 'text k7')).length, 20);
    },
  );
});
