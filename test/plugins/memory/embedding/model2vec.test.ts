import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUserError } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';
import memory from '../../../../plugins/memory/index.js';
import { loadModel2Vec } from '../../../../plugins/memory/engine/embedding/model2vec.js';
import { directoryOf, safetensors, wordPiece } from './static-model.js';

const float32 = (shape: number[], ...values: number[]) => ({
  dtype: 'F32',
  shape,
  bytes: Buffer.from(Float32Array.from(values).buffer),
});

const TOKENIZER = wordPiece(['sea', 'port', '##side', 'lamp']);
const EMBEDDINGS = float32([5, 2], ...[9, 9], ...[1, 0], ...[0, 1], ...[0, 2], ...[-1, 0]);

const rounded = (vector: Float32Array) => Array.from(vector, (value) => Number(value.toFixed(4)));

test('a text is the normalised mean of its pieces, without the unknown one', async (t) => {
  const directory = await directoryOf(t, {
    'model.safetensors': safetensors({ embeddings: EMBEDDINGS }),
    'tokenizer.json': TOKENIZER,
  });
  const embedder = await loadModel2Vec(directory);
  assert.deepEqual([embedder.source, embedder.dimensions], ['static', 2]);
  const [seaside, unknown, nothing] = await embedder.embedDocuments(['Seaside', 'Sea xyz', '']);
  assert.deepEqual(rounded(seaside!), [0.4472, 0.8944]);
  assert.deepEqual(rounded(unknown!), [1, 0]);
  assert.deepEqual(rounded(nothing!), [0, 0]);
  assert.deepEqual(rounded(await embedder.embedQuery('lamp', null)), [-1, 0]);
});

test('weights and a mapping of tokens to fewer rows are followed', async (t) => {
  const directory = await directoryOf(t, {
    'model.safetensors': safetensors({
      embeddings: float32([2, 2], ...[1, 0], ...[0, 1]),
      weights: float32([5], 0, 3, 4, 1, 1),
      mapping: { dtype: 'I64', shape: [5], bytes: Buffer.from(BigInt64Array.of(0n, 0n, 1n, 1n, 0n).buffer) },
    }),
    'tokenizer.json': TOKENIZER,
  });
  const embedder = await loadModel2Vec(directory);
  assert.deepEqual(rounded(await embedder.embedQuery('sea port', null)), [0.6, 0.8]);
});

test('another file in the same directory is another model', async (t) => {
  const models = [];
  for (const value of [1, 2]) {
    const directory = await directoryOf(t, {
      'model.safetensors': safetensors({ embeddings: float32([5, 1], value, 1, 1, 1, 1) }),
      'tokenizer.json': TOKENIZER,
    });
    models.push((await loadModel2Vec(directory)).model.split('@')[1]);
  }
  assert.notEqual(models[0], models[1]);
});

test('a start without the model that the config names is a mistake of the config', async () => {
  const boot = bootTest({ plugins: [{ plugin: memory, config: { staticModelDir: './nowhere' } }] });
  await assert.rejects(boot, ({ cause }: Error) => {
    assert.match(String(cause), /staticModelDir: cannot read model\.safetensors/);
    return isUserError(cause);
  });
});

test('a directory that cannot be used is refused with a stable code and the reason', async (t) => {
  const good = safetensors({ embeddings: EMBEDDINGS });
  const refused = async (files: Record<string, string | Buffer>, code: string, message: RegExp) => {
    await assert.rejects(loadModel2Vec(await directoryOf(t, files)), { code, message });
  };
  await refused({}, 'model_missing', /cannot read model\.safetensors/);
  await refused({ 'model.safetensors': good }, 'model_missing', /cannot read tokenizer\.json/);
  await refused({ 'model.safetensors': 'no', 'tokenizer.json': TOKENIZER }, 'model_invalid', /too short/);
  await refused({ 'model.safetensors': good, 'tokenizer.json': '{' }, 'model_invalid', /tokenizer\.json/);
  const flat = safetensors({ embeddings: float32([2], 1, 2) });
  await refused(
    { 'model.safetensors': flat, 'tokenizer.json': TOKENIZER },
    'model_invalid',
    /no tensor "embeddings"/,
  );
  const astray = safetensors({ embeddings: EMBEDDINGS, mapping: float32([1], 77) });
  await refused(
    { 'model.safetensors': astray, 'tokenizer.json': TOKENIZER },
    'model_invalid',
    /rows that are not there/,
  );
});
