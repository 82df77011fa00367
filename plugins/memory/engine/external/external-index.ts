/** The external vector store as a source of hits, with a health check. */
import type { Clock, Principal } from 'plugboard/sdk';
import type { Agent } from 'undici';
import type { EntryFilter } from '../base/attributes.js';
import type { Settings } from '../settings/settings.js';
import type { Embeddings } from '../sources/embeddings.js';
import { ModelFailure } from '../sources/failure.js';
import type { SourceChoice } from '../sources/resolve.js';
import { ExternalFailure, toFailure } from './failure.js';
import type { FoundPoint, QdrantCollection } from './qdrant.js';
import type { StoredExternalStore, Target } from './stored-store.js';

export interface ExternalOptions {
  /** Milliseconds for one call. */
  readonly timeout: number;
  readonly allowPrivate: boolean;
}

export interface ExternalSearch {
  readonly query: string;
  /** Absent: any owner. */
  readonly owner?: string | null;
  /** Further conditions on entries. */
  readonly filter?: EntryFilter;
  readonly limit: number;
  readonly caller: Principal;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
  /** Settings already read by the caller. */
  readonly settings?: Settings;
}

export interface StoreHealth {
  readonly ok: boolean;
  readonly latencyMs: number;
  readonly error: string | null;
}

export interface TestResults {
  readonly ok: boolean;
  readonly results: FoundPoint[];
  readonly error: string | null;
}

export class ExternalIndex {
  readonly store: StoredExternalStore;
  readonly #embeddings: Embeddings;
  readonly #clock: Clock;
  readonly #options: ExternalOptions;
  #dispatcher: Promise<Agent> | undefined;

  constructor(store: StoredExternalStore, embeddings: Embeddings, clock: Clock, options: ExternalOptions) {
    this.store = store;
    this.#embeddings = embeddings;
    this.#clock = clock;
    this.#options = options;
  }

  /** undici is loaded on first use: most servers have no external store. */
  async collection(target: Target): Promise<QdrantCollection> {
    const { QdrantCollection } = await import('./qdrant.js');
    this.#dispatcher ??= import('./guarded-dispatcher.js').then(({ guardedDispatcher }) =>
      guardedDispatcher(this.#options.allowPrivate),
    );
    return new QdrantCollection(target, { ...this.#options, dispatcher: await this.#dispatcher });
  }

  async close(): Promise<void> {
    await (await this.#dispatcher)?.destroy();
  }

  /** The model of the points: the store's own, or that of the entries. */
  async choice(target: Target, settings?: Settings): Promise<SourceChoice | undefined> {
    if (target.embeddingModel !== null) return { source: 'remote', model: target.embeddingModel };
    return (await this.#embeddings.resolve(settings)).choices[0];
  }

  /** Throws ExternalFailure or ModelFailure. */
  async search(
    target: Target,
    { query, owner, filter: wanted, limit, caller, signal, settings }: ExternalSearch,
  ): Promise<{ points: FoundPoint[]; choice: SourceChoice }> {
    const choice = await this.choice(target, settings);
    if (choice === undefined) throw new ModelFailure('no_embedding_source');
    const vector = await this.#embeddings.queryBy(choice, query, owner ?? null, caller, signal);
    const { session, ...others } = wanted ?? {};
    const filter = {
      ...others,
      ...(session == null ? {} : { session }),
      ...(owner === undefined ? {} : { owner }),
      model: choice.model,
      now: this.#clock.now(),
    };
    const points = await unlessAborted(signal, (await this.collection(target)).search(vector, filter, limit));
    return { points, choice };
  }

  async health(): Promise<StoreHealth> {
    const { target } = await this.store.read();
    if (target === null) return { ok: false, latencyMs: 0, error: 'not_configured' };
    const begin = performance.now();
    try {
      await (await this.collection(target)).ping();
      return { ok: true, latencyMs: since(begin), error: null };
    } catch (error) {
      return { ok: false, latencyMs: since(begin), error: toFailure(error).code };
    }
  }

  /** For the administrator: what a query finds there, across all owners. */
  async test(query: string, topK: number, caller: Principal): Promise<TestResults> {
    const { target } = await this.store.read();
    if (target === null) return { ok: false, results: [], error: 'not_configured' };
    try {
      const { points } = await this.search(target, { query, limit: topK, caller });
      return { ok: true, results: points, error: null };
    } catch (error) {
      const code = error instanceof ModelFailure ? error.code : toFailure(error).code;
      return { ok: false, results: [], error: code };
    }
  }
}

/** The client does not take our signal: its call runs to its own deadline, and nobody waits for it. */
function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new ExternalFailure('timeout'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function since(begin: number): number {
  return Math.round((performance.now() - begin) * 100) / 100;
}
