/** Interface of an embedding source: turns texts into vectors of one model. */
import type { Owner } from '../base/attributes.js';

export interface EmbedOptions {
  readonly signal?: AbortSignal;
}

export interface Embedder {
  readonly source: 'remote' | 'transformers' | 'static';
  /** Stored with each vector; vectors of different models are never compared. */
  readonly model: string;
  /** Null until the first vector. */
  readonly dimensions: number | null;
  /** True if a query's vector depends on the owner's entries: then it must not be cached across owners. */
  readonly ownerDependent: boolean;
  /** One unit vector per text, in order. A text without words has an all-zero vector. */
  embedDocuments(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  embedQuery(text: string, owner: Owner, options?: EmbedOptions): Promise<Float32Array>;
}

/** Why a source is unavailable. `code` is stable; the message is a sentence for the administrator. */
export class EmbeddingUnavailable extends Error {
  readonly code: 'package_missing' | 'model_missing' | 'model_invalid' | 'embed_failed';

  constructor(code: EmbeddingUnavailable['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmbeddingUnavailable';
    this.code = code;
  }
}
