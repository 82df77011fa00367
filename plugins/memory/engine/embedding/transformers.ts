/**
 * A local sentence encoder on `@huggingface/transformers`: an optional package, loaded on demand, that reads its model
 * from a local directory and never from the network.
 */
import { EmbeddingUnavailable, type Embedder } from './embedder.js';
import { toUnit } from './unit.js';

export interface TransformersOptions {
  /** Contains `MODEL/config.json`, `MODEL/tokenizer.json`, `MODEL/onnx/model_quantized.onnx` (or `model.onnx`). */
  readonly modelsDirectory: string;
  /** A directory in it, e.g. `all-MiniLM-L6-v2`. */
  readonly model: string;
  /** Which model file: q8 (default) or fp32. */
  readonly precision?: 'q8' | 'fp32';
}

/** The part of the package used here; it is no dependency of ours, so its types are missing. */
interface TransformersPackage {
  readonly env: { allowRemoteModels: boolean; allowLocalModels: boolean; localModelPath: string };
  pipeline(
    task: 'feature-extraction',
    model: string,
    options: { dtype: string; local_files_only: boolean },
  ): Promise<Extract>;
}

type Extract = (
  texts: string[],
  options: { pooling: 'mean'; normalize: boolean },
) => Promise<{ readonly dims: readonly number[]; readonly data: ArrayLike<number> }>;

const PACKAGE = '@huggingface/transformers';
const BATCH = 32;

/** Throws `EmbeddingUnavailable`: `package_missing`, or `model_missing` if the model cannot be loaded. */
export async function loadTransformers(
  options: TransformersOptions,
  importPackage: () => Promise<unknown> = () => import(PACKAGE),
): Promise<Embedder> {
  const extract = await loadPipeline(options, await importTransformers(importPackage));
  const dimensions = (await run(extract, ['dimensions']))[0]!.length;
  return {
    source: 'transformers',
    model: options.model,
    dimensions,
    ownerDependent: false,
    embedDocuments: (texts, { signal } = {}) => embedInBatches(extract, texts, signal),
    embedQuery: async (text) => (await run(extract, [text]))[0]!,
  };
}

async function importTransformers(importPackage: () => Promise<unknown>): Promise<TransformersPackage> {
  try {
    return (await importPackage()) as TransformersPackage;
  } catch (cause) {
    throw new EmbeddingUnavailable(
      'package_missing',
      `the embedding source "transformers" needs the package "${PACKAGE}": npm install ${PACKAGE}`,
      { cause },
    );
  }
}

async function loadPipeline(
  options: TransformersOptions,
  { env, pipeline }: TransformersPackage,
): Promise<Extract> {
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = options.modelsDirectory;
  try {
    return await pipeline('feature-extraction', options.model, {
      dtype: options.precision ?? 'q8',
      local_files_only: true,
    });
  } catch (cause) {
    throw new EmbeddingUnavailable(
      'model_missing',
      `cannot load the model "${options.model}" from "${options.modelsDirectory}"`,
      { cause },
    );
  }
}

/** In order; the abort signal is checked between batches. */
async function embedInBatches(
  extract: Extract,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let from = 0; from < texts.length; from += BATCH) {
    signal?.throwIfAborted();
    vectors.push(...(await run(extract, texts.slice(from, from + BATCH))));
  }
  return vectors;
}

async function run(extract: Extract, texts: string[]): Promise<Float32Array[]> {
  let tensor: Awaited<ReturnType<Extract>>;
  try {
    tensor = await extract(texts, { pooling: 'mean', normalize: true });
  } catch (cause) {
    throw new EmbeddingUnavailable('embed_failed', 'the sentence encoder failed', { cause });
  }
  const values = Float32Array.from(tensor.data);
  const dimensions = values.length / texts.length;
  if (tensor.dims.length !== 2 || !Number.isInteger(dimensions) || dimensions === 0) {
    throw new EmbeddingUnavailable('embed_failed', 'the model does not give one vector per text');
  }
  return texts.map((_, at) => toUnit(values.slice(at * dimensions, (at + 1) * dimensions)));
}
