/** A local sentence encoder, loaded on first use: hundreds of megabytes that many servers never need. */
import type { Embedder, EmbedOptions } from '../embedding/embedder.js';
import { loadTransformers, type TransformersOptions } from '../embedding/transformers.js';

export class LazyTransformers implements Embedder {
  readonly source = 'transformers';
  readonly model: string;
  readonly ownerDependent = false;
  readonly #options: TransformersOptions;
  #loading: Promise<Embedder> | undefined;
  #dimensions: number | null = null;

  constructor(options: TransformersOptions) {
    this.model = options.model;
    this.#options = options;
  }

  get dimensions(): number | null {
    return this.#dimensions;
  }

  async embedDocuments(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]> {
    return (await this.#loaded()).embedDocuments(texts, options);
  }

  async embedQuery(text: string, owner: string | null, options?: EmbedOptions): Promise<Float32Array> {
    return (await this.#loaded()).embedQuery(text, owner, options);
  }

  /** A failed load is retried on the next use: the files may have been added. */
  #loaded(): Promise<Embedder> {
    this.#loading ??= loadTransformers(this.#options).then(
      (embedder) => {
        this.#dimensions = embedder.dimensions;
        return embedder;
      },
      (error: unknown) => {
        this.#loading = undefined;
        throw error;
      },
    );
    return this.#loading;
  }
}
