/**
 * A Model2Vec directory as an embedding source: one vector per token; a text is the mean of its tokens. The directory
 * has `model.safetensors` (`embeddings` [rows, dimensions]; newer ones also `weights` and `mapping`, by token) and
 * `tokenizer.json`. Format: https://github.com/MinishLab/model2vec.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { EmbeddingUnavailable, type Embedder } from './embedder.js';
import { readSafetensors, type Tensor } from './safetensors.js';
import { toUnit } from './unit.js';

/** Later tokens of a text are ignored, as in the reference implementation. */
const MAX_TOKENS = 512;

interface StaticModel {
  readonly dimensions: number;
  readonly rows: number;
  readonly embeddings: Float32Array;
  /** By token. */
  readonly weights: Float32Array | undefined;
  /** The row of each token; undefined: the token id is the row. */
  readonly mapping: Float32Array | undefined;
}

/** The part of `@huggingface/tokenizers` used here; its own types do not resolve as ECMAScript modules. */
interface TokenizersPackage {
  readonly Tokenizer: new (
    description: object,
    config: object,
  ) => {
    encode(text: string, options: { add_special_tokens: boolean }): { readonly ids: readonly number[] };
    token_to_id(token: string): number | undefined;
  };
}

/** Token ids of a text, without special and unknown tokens. */
type Tokenize = (text: string) => number[];

/**
 * Loads a directory. Throws `EmbeddingUnavailable`: `package_missing` without @huggingface/tokenizers, `model_missing`
 * if a file cannot be read, `model_invalid` if its content is invalid.
 */
export async function loadModel2Vec(directory: string): Promise<Embedder> {
  const file = await read(directory, 'model.safetensors');
  const tokenizer = await read(directory, 'tokenizer.json');
  const model = parseModel(directory, file);
  const tokenize = await loadTokenizer(directory, tokenizer);
  const digest = createHash('sha256').update(file).update(tokenizer).digest('hex').slice(0, 12);
  const embed = (text: string): Float32Array => meanOf(model, tokenize(text));
  return {
    source: 'static',
    // a different file under the same name is a different model
    model: `${basename(directory)}@${digest}`,
    dimensions: model.dimensions,
    ownerDependent: false,
    embedDocuments: (texts) => Promise.resolve(texts.map(embed)),
    embedQuery: (text) => Promise.resolve(embed(text)),
  };
}

async function read(directory: string, name: string): Promise<Buffer> {
  try {
    return await readFile(join(directory, name));
  } catch (cause) {
    throw new EmbeddingUnavailable(
      'model_missing',
      `cannot read ${name} in the model directory "${directory}"`,
      {
        cause,
      },
    );
  }
}

function parseModel(directory: string, file: Buffer): StaticModel {
  try {
    return checkedModel(readSafetensors(file));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new EmbeddingUnavailable(
      'model_invalid',
      `model.safetensors in "${directory}" is not usable: ${reason}`,
      {
        cause,
      },
    );
  }
}

function checkedModel(tensors: ReadonlyMap<string, Tensor>): StaticModel {
  const embeddings = tensors.get('embeddings');
  const [rows, dimensions] = embeddings?.shape ?? [];
  if (embeddings?.shape.length !== 2 || !rows || !dimensions) {
    throw new Error('it has no tensor "embeddings" of rows and dimensions');
  }
  const mapping = tensors.get('mapping')?.values;
  if (mapping?.some((row) => row < 0 || row >= rows))
    throw new Error('its "mapping" names rows that are not there');
  return {
    dimensions,
    rows,
    embeddings: embeddings.values,
    weights: tensors.get('weights')?.values,
    mapping,
  };
}

async function loadTokenizer(directory: string, file: Buffer): Promise<Tokenize> {
  const { Tokenizer } = await importTokenizers();
  try {
    const description = JSON.parse(file.toString('utf8')) as {
      model?: { unk_token?: unknown; unk_id?: unknown };
    };
    const tokenizer = new Tokenizer(description, {});
    const { unk_token: token, unk_id: id } = description.model ?? {};
    const unknown = typeof token === 'string' ? tokenizer.token_to_id(token) : id;
    return (text) => {
      const { ids } = tokenizer.encode(text, { add_special_tokens: false });
      return ids.filter((token) => token !== unknown).slice(0, MAX_TOKENS);
    };
  } catch (cause) {
    throw new EmbeddingUnavailable('model_invalid', `tokenizer.json in "${directory}" is not usable`, {
      cause,
    });
  }
}

async function importTokenizers(): Promise<TokenizersPackage> {
  try {
    return (await import('@huggingface/tokenizers')) as unknown as TokenizersPackage;
  } catch (cause) {
    throw new EmbeddingUnavailable(
      'package_missing',
      'a static model directory needs the package "@huggingface/tokenizers": npm install @huggingface/tokenizers',
      { cause },
    );
  }
}

function meanOf(model: StaticModel, tokens: readonly number[]): Float32Array {
  const { dimensions, rows, embeddings, weights, mapping } = model;
  const sum = new Float32Array(dimensions);
  for (const token of tokens) {
    const row = mapping === undefined ? token : mapping[token];
    if (row === undefined || row >= rows) continue;
    const weight = weights?.[token] ?? 1;
    const start = row * dimensions;
    for (let at = 0; at < dimensions; at++) sum[at]! += weight * embeddings[start + at]!;
  }
  // the mean and the sum have the same direction
  return toUnit(sum);
}
