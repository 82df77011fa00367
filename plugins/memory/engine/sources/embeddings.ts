/** Embeds contents and queries with the source that the settings select. */
import type { Models, Principal } from 'plugboard/sdk';
import { EmbeddingCache } from '../embedding/cache.js';
import { EmbeddingUnavailable, type Embedder } from '../embedding/embedder.js';
import type { ContentVectors } from '../entries/entries.js';
import { toBytes } from '../entries/vector-bytes.js';
import type { KnownVector } from '../entries/write.js';
import type { Settings } from '../settings/settings.js';
import { ModelFailure } from './failure.js';
import { Outcomes } from './outcomes.js';
import { RemoteEmbedder, SERVICE } from './remote-embedder.js';
import { resolveSources, type Installed, type Resolution, type SourceChoice } from './resolve.js';

const CACHED_VECTORS = 2000;

export interface EmbeddingParts {
  readonly settings: { read(): Promise<Settings> };
  readonly static: Embedder;
  /** Undefined if no directory is configured. */
  readonly transformers: Embedder | undefined;
  readonly models: Models | undefined;
  /** Milliseconds per remote call. */
  readonly timeout: number;
}

export interface EmbeddedQuery {
  readonly choice: SourceChoice;
  readonly vector: Float32Array;
  /** Under `auto`: why an earlier source was skipped. */
  readonly passedOver: string | null;
}

interface QueryOptions {
  readonly settings: Settings;
  readonly caller: Principal;
  readonly signal: AbortSignal | undefined;
}

export class Embeddings implements ContentVectors {
  readonly outcomes = new Outcomes();
  /** Vectors of models that are expensive to call. */
  cache = new EmbeddingCache(CACHED_VECTORS);
  readonly #parts: EmbeddingParts;

  constructor(parts: EmbeddingParts) {
    this.#parts = parts;
  }

  get installed(): Installed {
    const { static: local, transformers, models } = this.#parts;
    return {
      router: models !== undefined,
      transformers: transformers?.model ?? null,
      static: local.model,
    };
  }

  /** `settings`: already read by the caller. */
  async resolve(settings?: Settings): Promise<Resolution> {
    return resolveSources(settings ?? (await this.#parts.settings.read()), this.installed);
  }

  /** The next vectors are requested from the models again. */
  forget(): void {
    this.cache = new EmbeddingCache(CACHED_VECTORS);
  }

  /** Dimensions of a model, if known without a call. */
  dimensions({ source, model }: SourceChoice): number | null {
    if (source === 'static') return this.#parts.static.dimensions;
    if (source === 'transformers') return this.#parts.transformers?.dimensions ?? null;
    const listed = this.#parts.models?.list().find(({ id }) => id === model)?.dimensions;
    return this.outcomes.of(model)?.dimensions ?? listed ?? null;
  }

  /**
   * The static source takes microseconds, so its vector is part of the write. If it fails, the write succeeds without:
   * the entry is flagged, and reindexing retries and reports why.
   */
  async atOnce(content: string): Promise<KnownVector> {
    const [choice] = (await this.resolve()).choices;
    if (choice?.source !== 'static') return null;
    try {
      const [vector] = await this.#embed(choice, [content], SERVICE);
      return vector === undefined ? null : { vector: toBytes(vector), model: choice.model };
    } catch (error) {
      if (error instanceof ModelFailure) return null;
      throw error;
    }
  }

  /** Vectors by one given choice. Throws ModelFailure. */
  async documents(
    choice: SourceChoice,
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    return this.#embed(choice, texts, SERVICE, signal);
  }

  /** Whether a model embeds a short text now. */
  async answers(choice: SourceChoice, signal?: AbortSignal): Promise<boolean> {
    const embedder = this.#uncached(choice, SERVICE);
    try {
      await embedder.embedDocuments(['note'], signal === undefined ? {} : { signal });
      return true;
    } catch {
      return false;
    }
  }

  /** By the first source that succeeds. Throws the ModelFailure of the last one. */
  async query(
    text: string,
    owner: string | null,
    { settings, caller, signal }: QueryOptions,
  ): Promise<EmbeddedQuery> {
    const { choices, reason } = await this.resolve(settings);
    let failure = new ModelFailure('no_embedding_source', reason?.replace(/^\w+: /, ''));
    let passedOver: string | null = null;
    for (const choice of choices) {
      try {
        return { choice, vector: await this.queryBy(choice, text, owner, caller, signal), passedOver };
      } catch (error) {
        if (!(error instanceof ModelFailure)) throw error;
        failure = error;
        passedOver ??= error.message;
      }
    }
    throw failure;
  }

  /** A query's vector by one given choice. Throws ModelFailure. */
  async queryBy(
    choice: SourceChoice,
    text: string,
    owner: string | null,
    caller: Principal,
    signal?: AbortSignal,
  ): Promise<Float32Array> {
    const embedder = this.#embedder(choice, caller);
    return this.#watched(embedder, signal, async () => {
      const vector = await embedder.embedQuery(text, owner, signal === undefined ? {} : { signal });
      return { vectors: vector, dimensions: vector.length };
    });
  }

  #embed(
    choice: SourceChoice,
    texts: readonly string[],
    caller: Principal,
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    const embedder = this.#embedder(choice, caller);
    const options = signal === undefined ? {} : { signal };
    return this.#watched(embedder, signal, async () => {
      const vectors = await embedder.embedDocuments(texts, options);
      const dimensions = vectors[0]?.length ?? null;
      if (vectors.every(({ length }) => length === dimensions)) return { vectors, dimensions };
      // Some vectors are cached from when the model returned another size.
      this.forget();
      const anew = await this.#embedder(choice, caller).embedDocuments(texts, options);
      return { vectors: anew, dimensions: anew[0]?.length ?? null };
    });
  }

  /** Records the outcome of the call, and converts errors to ModelFailure. */
  async #watched<T>(
    { source, model }: Embedder,
    signal: AbortSignal | undefined,
    ask: () => Promise<{ vectors: T; dimensions: number | null }>,
  ): Promise<T> {
    try {
      const { vectors, dimensions } = await ask();
      const before = this.outcomes.of(model)?.dimensions ?? dimensions;
      if (dimensions !== before) this.forget();
      if (source !== 'static') this.outcomes.succeeded(model, dimensions);
      return vectors;
    } catch (error) {
      const failure = toModelFailure(error);
      // A call that we aborted says nothing about the model.
      if (signal?.aborted !== true) this.outcomes.failed(model, failure);
      throw failure;
    }
  }

  #embedder(choice: SourceChoice, caller: Principal): Embedder {
    const embedder = this.#uncached(choice, caller);
    return choice.source === 'static' ? embedder : this.cache.wrap(embedder);
  }

  #uncached({ source, model }: SourceChoice, caller: Principal): Embedder {
    const { static: local, transformers, models, timeout } = this.#parts;
    if (source === 'static') return local;
    const embedder =
      source === 'transformers'
        ? transformers
        : models && new RemoteEmbedder(model, models, { caller, timeout });
    if (embedder === undefined) throw new ModelFailure('no_embedding_source');
    return embedder;
  }
}

function toModelFailure(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const sentence = error instanceof EmbeddingUnavailable ? error.message : undefined;
  return new ModelFailure('local_failed', sentence, { cause: error });
}
