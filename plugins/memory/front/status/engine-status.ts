/** Status of the engine. Reports the outcomes of the last calls, and calls no paid upstream. */
import type { Clock, Models } from 'plugboard/sdk';
import type { ExternalIndex } from '../../engine/external/external-index.js';
import type { ExternalSync } from '../../engine/external/sync.js';
import type { LiveIndex } from '../../engine/live/live-index.js';
import type { Reindex } from '../../engine/maintenance/reindex.js';
import type { EngineStatus } from '../schema/engine.js';
import type { Settings } from '../../engine/settings/settings.js';
import type { Embeddings } from '../../engine/sources/embeddings.js';
import type { SourceChoice } from '../../engine/sources/resolve.js';

export interface StatusParts {
  readonly settings: { read(): Promise<Settings> };
  readonly embeddings: Embeddings;
  readonly index: LiveIndex;
  readonly external: ExternalIndex;
  readonly sync: ExternalSync;
  readonly reindex: Pick<Reindex, 'flagged'>;
  readonly models: Models | undefined;
  readonly clock: Clock;
}

export async function engineStatus(parts: StatusParts): Promise<EngineStatus> {
  const settings = await parts.settings.read();
  const externalStore = await externalStatus(parts);
  return {
    keyword: { available: true, backend: 'FTS5' },
    embedding: await embeddingStatus(parts, settings),
    vectorStore: vectorStatus(parts, settings, externalStore, await parts.reindex.flagged()),
    externalStore,
    rerank: rerankStatus(parts, settings),
  };
}

async function embeddingStatus(
  { embeddings, models }: StatusParts,
  settings: Settings,
): Promise<EngineStatus['embedding']> {
  const { choices, reason } = await embeddings.resolve(settings);
  const [choice] = choices;
  const cacheStats = embeddings.cache.stats();
  if (choice === undefined) {
    return {
      source: null,
      model: null,
      dimensions: null,
      available: false,
      reason: reason ?? '',
      cacheStats,
    };
  }
  return {
    source: choice.source,
    model: choice.model,
    dimensions: embeddings.dimensions(choice),
    ...availability(choice, embeddings, models),
    cacheStats,
  };
}

interface Availability {
  readonly available: boolean;
  readonly reason: string;
}

function availability(
  { source, model }: SourceChoice,
  { outcomes }: Embeddings,
  models: Models | undefined,
): Availability {
  if (source === 'static') return { available: true, reason: 'ready: computed in this process' };
  const last = outcomes.of(model);
  if (last !== undefined) {
    return last.failure === null
      ? { available: true, reason: 'ready: the last call succeeded' }
      : { available: false, reason: last.failure.message };
  }
  if (source === 'transformers')
    return { available: true, reason: 'untried: the model is loaded at its first use' };
  return listed(models, model);
}

/** Before the first call, only the model catalog is known. */
function listed(models: Models | undefined, model: string): Availability {
  if (models === undefined) return { available: false, reason: 'no_models: no plugin provides models' };
  const own = models.list().filter(({ id, upstream }) => id === model || upstream === model.split('/')[0]);
  if (own.length === 0) return { available: false, reason: 'remote_unknown_model: nobody serves this model' };
  return own.some(({ hasKey }) => hasKey)
    ? { available: true, reason: 'untried: the upstream is set up' }
    : { available: false, reason: 'remote_unauthorized: the upstream has no key' };
}

function vectorStatus(
  { index, clock }: StatusParts,
  { vectorStore }: Settings,
  external: EngineStatus['externalStore'],
  flagged: number,
): EngineStatus['vectorStore'] {
  const { rows: rowCount, needsReindex } = index.catalog.vectorCounts({}, clock.now());
  // The index sees flags and vectors a moment after the storage.
  const counts = { rowCount, needsReindex: Math.max(needsReindex, flagged) };
  const wanted = vectorStore === 'external' || (vectorStore === 'auto' && external.enabled);
  if (wanted && external.healthy === true) {
    return { backend: 'external', available: true, ...counts, reason: 'ready: the external store answers' };
  }
  const missing = external.enabled ? (external.error ?? 'unreachable') : 'not_configured';
  const leftOut = index.vectors.refusal;
  const local = leftOut === null ? 'ready: the local index answers' : `vectors_left_out: ${leftOut}`;
  const reason = wanted ? `external_${missing}: the local index answers instead` : local;
  return { backend: 'local', available: true, ...counts, reason };
}

async function externalStatus({ external, sync }: StatusParts): Promise<EngineStatus['externalStore']> {
  const { shape } = await external.store.read();
  if (!shape.enabled) return { enabled: false, healthy: null, latencyMs: null, error: null };
  const { ok, latencyMs, error } = await external.health();
  return { enabled: true, healthy: ok, latencyMs, error: error ?? sync.lastError };
}

function rerankStatus({ embeddings, models }: StatusParts, settings: Settings): EngineStatus['rerank'] {
  const { rerankEnabled: enabled, rerankProviderModel: model } = settings;
  const named = { enabled, provider: model?.split('/')[0] ?? null, model };
  if (!enabled) return { ...named, available: false, reason: 'disabled: rerankEnabled is false' };
  if (model === null)
    return { ...named, available: false, reason: 'not_configured: rerankProviderModel is not set' };
  return { ...named, ...availability({ source: 'remote', model }, embeddings, models) };
}
