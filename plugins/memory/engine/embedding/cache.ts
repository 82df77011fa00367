/** Recent embeddings, so that an unchanged text is not embedded twice. LRU. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Owner } from '../base/attributes.js';
import type { Embedder, EmbedOptions } from './embedder.js';

export interface EmbeddingCacheStats {
  readonly hits: number;
  readonly misses: number;
  /** Number of cached vectors. */
  readonly size: number;
}

export class EmbeddingCache {
  readonly #vectors: LRUCache<string, Float32Array>;
  #hits = 0;
  #misses = 0;

  /** `capacity`: maximum number of vectors; 1,000 with 1,024 dimensions take 4 MB. */
  constructor(capacity = 1000) {
    this.#vectors = new LRUCache({ max: capacity });
  }

  stats(): EmbeddingCacheStats {
    return { hits: this.#hits, misses: this.#misses, size: this.#vectors.size };
  }

  /** Wraps an embedder so that it is called only on a miss. Counts each text once, as a hit or a miss. */
  wrap(embedder: Embedder): Embedder {
    return {
      source: embedder.source,
      model: embedder.model,
      get dimensions() {
        return embedder.dimensions;
      },
      ownerDependent: embedder.ownerDependent,
      embedDocuments: (texts, options) => this.#documents(embedder, texts, options),
      embedQuery: (text, owner, options) => this.#query(embedder, text, owner, options),
    };
  }

  async #documents(
    embedder: Embedder,
    texts: readonly string[],
    options: EmbedOptions | undefined,
  ): Promise<Float32Array[]> {
    const keys = texts.map((text) => keyOf(embedder, 'document', text));
    const found = keys.map((key) => this.#get(key));
    const missing = texts.filter((_, at) => found[at] === undefined);
    const made = missing.length === 0 ? [] : await embedder.embedDocuments(missing, options);
    let next = 0;
    return found.map((vector, at) => vector ?? this.#put(keys[at]!, made[next++]!));
  }

  /** An owner-dependent vector is not cached: the owner's entries may change, and it costs microseconds. */
  async #query(
    embedder: Embedder,
    text: string,
    owner: Owner,
    options: EmbedOptions | undefined,
  ): Promise<Float32Array> {
    if (embedder.ownerDependent) return embedder.embedQuery(text, owner, options);
    const key = keyOf(embedder, 'query', text);
    return this.#get(key) ?? this.#put(key, await embedder.embedQuery(text, owner, options));
  }

  #get(key: string): Float32Array | undefined {
    const vector = this.#vectors.get(key);
    if (vector === undefined) {
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    return vector;
  }

  #put(key: string, vector: Float32Array): Float32Array {
    this.#vectors.set(key, vector);
    return vector;
  }
}

/** A digest, so that long texts are not kept. */
function keyOf(embedder: Embedder, purpose: 'document' | 'query', text: string): string {
  return createHash('sha256')
    .update(JSON.stringify([embedder.source, embedder.model, purpose, text]))
    .digest('base64');
}
