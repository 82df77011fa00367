import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachStore } from '../../support/stores.js';
import { eventually } from '../../support/eventually.js';
import { directoryOf, safetensors, wordPiece } from './embedding/static-model.js';
import { memoryServer, type MemoryServer } from './support/memory-server.js';
import { EMBED, fakeModels } from './support/models.js';

const preview = async (memory: MemoryServer, query: string) =>
  (await memory.call('POST', '/api/memory/retrieve-preview', { query })).body;

eachStore('a vector that cannot be kept', (store) => {
  test('leaves its entry to be found by its words, also after a restart, and the status says why', async () => {
    const storage = await store.fresh();
    const models = fakeModels();
    models.vectorOf = () => new Float32Array(9000).fill(1);
    {
      await using memory = await memoryServer({ storage, models });
      await memory.call('PUT', '/api/settings/memory', {
        embeddingSource: 'remote',
        embeddingProviderModel: EMBED,
      });
      await memory.call('POST', '/api/memory', { key: 'tea', content: 'green tea' });
      const { body } = await memory.call('GET', '/api/memory');
      await eventually(
        async () => (await memory.call('GET', `/api/memory/${body.data[0].id}`)).body.needsReindex === 0,
        'the vector is stored',
      );
    }
    await using memory = await memoryServer({ storage, models });
    const { memories, resolution } = await preview(memory, 'tea');
    assert.equal(memories.length, 1);
    assert.deepEqual(
      [resolution.strategyUsed, resolution.vectorStore, resolution.fallbackReason],
      ['exact', 'none', 'vectors_missing: the entries have no vectors of this model yet'],
    );
    const { vectorStore } = (await memory.call('GET', '/api/memory/engine-status')).body;
    assert.equal(vectorStore.reason, 'vectors_left_out: vectors have 1 to 8192 dimensions, not 9000');
  });
});

test('a static model that fails on a text costs the entry its vector, and not the write', async (t) => {
  const directory = await directoryOf(t, {
    'model.safetensors': safetensors({
      embeddings: {
        dtype: 'F32',
        shape: [3, 2],
        bytes: new Uint8Array(new Float32Array([1, 0, 0, 1, NaN, NaN]).buffer),
      },
    }),
    'tokenizer.json': wordPiece(['green', 'tea']),
  });
  await using memory = await memoryServer({ config: { staticModelDir: directory } });
  const green = await memory.call('POST', '/api/memory', { key: 'a', content: 'green' });
  const tea = await memory.call('POST', '/api/memory', { key: 'b', content: 'tea' });
  assert.deepEqual([green.status, green.body.needsReindex], [201, 0]);
  assert.deepEqual([tea.status, tea.body.needsReindex], [201, 1]);
  const { memories, resolution } = await preview(memory, 'tea');
  assert.deepEqual(
    memories.map(({ key }: { key: string }) => key),
    ['b'],
  );
  assert.equal(resolution.fallbackReason, 'local_failed: the model gave numbers that are not finite');
});
