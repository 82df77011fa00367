import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadTransformers } from '../../../../plugins/memory/engine/embedding/transformers.js';

const OPTIONS = { modelsDirectory: '/models', model: 'tiny' };

/** Replaces the package, which is large and optional: a text's vector is its length and 1. */
function fakePackage() {
  const env = { allowRemoteModels: true, allowLocalModels: false, localModelPath: '' };
  const batches: number[] = [];
  const loaded: unknown[] = [];
  const extract = (texts: string[]) => {
    batches.push(texts.length);
    return Promise.resolve({ dims: [texts.length, 2], data: texts.flatMap((text) => [text.length, 1]) });
  };
  const pipeline = (...given: unknown[]) => {
    loaded.push(given);
    return Promise.resolve(extract);
  };
  return { env, batches, loaded, import: () => Promise.resolve({ env, pipeline }) };
}

test('the model is read from the local directory, and never from the network', async () => {
  const fake = fakePackage();
  const embedder = await loadTransformers(OPTIONS, fake.import);
  assert.deepEqual(fake.env, { allowRemoteModels: false, allowLocalModels: true, localModelPath: '/models' });
  assert.deepEqual(fake.loaded, [['feature-extraction', 'tiny', { dtype: 'q8', local_files_only: true }]]);
  assert.deepEqual([embedder.source, embedder.model, embedder.dimensions], ['transformers', 'tiny', 2]);
});

test('many texts go in batches, and their vectors come back in order and of length 1', async () => {
  const fake = fakePackage();
  const embedder = await loadTransformers(OPTIONS, fake.import);
  const vectors = await embedder.embedDocuments(Array.from({ length: 70 }, (_, at) => 'x'.repeat(at)));
  assert.deepEqual(fake.batches, [1, 32, 32, 6]);
  vectors.forEach(([length, one], at) => assert.ok(Math.abs(length! / one! - at) < 1e-3));
  assert.ok(Math.abs(Math.hypot(...vectors[69]!) - 1) < 1e-6);
});

test('an aborted call stops between batches', async () => {
  const embedder = await loadTransformers(OPTIONS, fakePackage().import);
  await assert.rejects(embedder.embedDocuments(['a'], { signal: AbortSignal.abort() }), {
    name: 'AbortError',
  });
});

test('without the package, or without the model, the reason is said', async () => {
  await assert.rejects(
    loadTransformers(OPTIONS, () => Promise.reject(new Error('no such package'))),
    { code: 'package_missing', message: /npm install @huggingface\/transformers/ },
  );
  const broken = {
    env: fakePackage().env,
    pipeline: () => Promise.reject(new Error('file was not found locally')),
  };
  await assert.rejects(
    loadTransformers(OPTIONS, () => Promise.resolve(broken)),
    { code: 'model_missing', message: 'cannot load the model "tiny" from "/models"' },
  );
});
