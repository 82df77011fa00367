import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EmbeddingCache } from '../../../../plugins/memory/engine/embedding/cache.js';
import type { Embedder } from '../../../../plugins/memory/engine/embedding/embedder.js';

/** Remembers what it was asked for; a text's vector is its length. */
function recording(given: Partial<Embedder> = {}): Embedder & { readonly asked: string[][] } {
  const asked: string[][] = [];
  return {
    source: 'remote',
    model: 'm',
    dimensions: 1,
    ownerDependent: false,
    embedDocuments: (texts) => {
      asked.push([...texts]);
      return Promise.resolve(texts.map((text) => Float32Array.of(text.length)));
    },
    embedQuery: (text) => {
      asked.push([text]);
      return Promise.resolve(Float32Array.of(text.length));
    },
    ...given,
    asked,
  };
}

test('only texts that were not embedded before are asked for, and the counters tell', async () => {
  const cache = new EmbeddingCache();
  const source = recording();
  const embedder = cache.wrap(source);
  await embedder.embedDocuments(['a', 'bb']);
  const vectors = await embedder.embedDocuments(['bb', 'ccc', 'a']);
  assert.deepEqual(vectors, [Float32Array.of(2), Float32Array.of(3), Float32Array.of(1)]);
  assert.deepEqual(source.asked, [['a', 'bb'], ['ccc']]);
  assert.deepEqual(cache.stats(), { hits: 2, misses: 3, size: 3 });
});

test('a query, a document and another model of the same text are apart', async () => {
  const cache = new EmbeddingCache();
  const source = recording();
  const other = recording({ model: 'n' });
  await cache.wrap(source).embedDocuments(['a']);
  await cache.wrap(source).embedQuery('a', null);
  await cache.wrap(other).embedQuery('a', null);
  assert.deepEqual([source.asked.length, other.asked.length], [2, 1]);
  assert.deepEqual(cache.stats(), { hits: 0, misses: 3, size: 3 });
});

test('a query vector that depends on the owner is never kept', async () => {
  const cache = new EmbeddingCache();
  const source = recording({ ownerDependent: true });
  const embedder = cache.wrap(source);
  await embedder.embedQuery('a', 'one');
  await embedder.embedQuery('a', 'two');
  assert.equal(source.asked.length, 2);
  assert.equal(cache.stats().size, 0);
});

test('the least recently used vector goes first', async () => {
  const cache = new EmbeddingCache(2);
  const source = recording();
  const embedder = cache.wrap(source);
  for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) await embedder.embedDocuments([text]);
  assert.deepEqual(source.asked, [['a'], ['b'], ['c'], ['b']]);
  assert.equal(cache.stats().size, 2);
});

test('a failure is not kept: the next call asks again', async () => {
  let calls = 0;
  const embedder = new EmbeddingCache().wrap(
    recording({
      embedQuery: () =>
        calls++ === 0 ? Promise.reject(new Error('busy')) : Promise.resolve(Float32Array.of(1)),
    }),
  );
  await assert.rejects(embedder.embedQuery('a', null), /busy/);
  assert.deepEqual(await embedder.embedQuery('a', null), Float32Array.of(1));
});
