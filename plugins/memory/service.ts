/** The parts of memory, made and connected. */
import {
  Lease,
  type Clock,
  type Jobs,
  type LeaseDocument,
  type Logger,
  type Models,
  type Secrets,
  type Storage,
} from 'plugboard/sdk';
import type { RecallParts } from './front/chat/recall.js';
import type { Embedder } from './engine/embedding/embedder.js';
import { HashingEmbedder } from './engine/embedding/hashing.js';
import { ENTRIES, type EntryDocument } from './engine/entries/document.js';
import { Entries, type EntryObserver } from './engine/entries/entries.js';
import { ExternalIndex } from './engine/external/external-index.js';
import { guardedDispatcher } from './engine/external/guarded-dispatcher.js';
import { StoredExternalStore } from './engine/external/stored-store.js';
import { ExternalSync } from './engine/external/sync.js';
import { Follower } from './engine/live/follower.js';
import { LiveIndex } from './engine/live/live-index.js';
import { LEASE_MS, LeasedLoop, type BackgroundJob } from './engine/maintenance/leased-loop.js';
import { FLAG_ALL, Reindex } from './engine/maintenance/reindex.js';
import { Retention } from './engine/maintenance/retention.js';
import { Summarize } from './engine/maintenance/summarize.js';
import { Listing } from './front/api/listing.js';
import { Retrieval } from './engine/retrieval/retrieval.js';
import type { MemoryRoutes } from './routes.js';
import type { Config } from './schema.js';
import { StoredSettings } from './engine/settings/stored-settings.js';
import { Embeddings } from './engine/sources/embeddings.js';

/** How often background work looks for what is due again without being told. */
const LOOK_AGAIN_MS = 5000;

export interface MemoryParts {
  readonly storage: Storage;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly config: Config;
  readonly log: Logger;
  readonly models: Models | undefined;
  readonly jobs: Jobs;
  /** Undefined: the built-in hashing. */
  readonly static: Embedder | undefined;
  readonly transformers: Embedder | undefined;
}

export interface Memory {
  readonly entries: Entries;
  readonly summarize: Summarize;
  readonly recall: Omit<RecallParts, 'auth' | 'log'>;
  readonly routes: Omit<MemoryRoutes, 'auth' | 'limit' | 'clock' | 'models' | 'jobs'>;
  /** Resolves when every stored entry can be found. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export function createMemory(parts: MemoryParts): Memory {
  const { storage, secrets, clock, config, log, models } = parts;
  const documents = storage.collection<EntryDocument>(ENTRIES);
  const settings = new StoredSettings(storage);
  const index = new LiveIndex(clock, log);
  const embeddings = new Embeddings({
    settings,
    static: parts.static ?? new HashingEmbedder((owner) => index.keyword.statistics(owner)),
    transformers: parts.transformers,
    models,
    timeout: config.remoteTimeout,
  });

  const { allowPrivateHosts: allowPrivate, timeout } = config.externalStore;
  const dispatcher = guardedDispatcher(allowPrivate);
  const stored = new StoredExternalStore(storage, secrets, allowPrivate);
  const external = new ExternalIndex(stored, embeddings, clock, { dispatcher, timeout, allowPrivate });
  const sync = new ExternalSync(storage, documents, external, embeddings, clock);

  const observer: EntryObserver = {
    async stored(entry) {
      await index.put(entry);
      if (entry.needsReindex === 1 && entry.attempts === 0) reindexLoop.poke();
      if (entry.externalStale === 1) syncLoop.poke();
    },
    removing: (ids) => sync.markDeletions(ids),
    removed(ids) {
      for (const id of ids) index.deleting(id);
      syncLoop.poke();
    },
  };
  const entries = new Entries(documents, observer, embeddings, clock);
  const retrieval = new Retrieval({
    entries,
    index,
    embeddings,
    external,
    settings,
    models,
    clock,
    neighbours: config.episodicNeighbours,
    keywordWeight: config.keywordWeight,
    timeout: config.remoteTimeout,
  });
  const reindex = new Reindex(entries, index.catalog, embeddings, clock, log);
  parts.jobs.handle<undefined>(FLAG_ALL, async (run) => {
    const flagged = await reindex.flagAll(run);
    reindexLoop.poke();
    return flagged;
  });
  const retention = new Retention(entries, settings, clock, config.purgeAfter);
  const summarize = new Summarize({
    entries,
    index,
    vectors: embeddings,
    models,
    summaryModel: config.summaryModel,
    timeout: config.remoteTimeout,
    clock,
    log,
  });

  const leases = storage.collection<LeaseDocument>({ name: 'leases' });
  const loop = (name: string, interval: number, job: BackgroundJob): LeasedLoop =>
    new LeasedLoop({ name, interval, job, log, lease: new Lease(leases, name, LEASE_MS) });
  const reindexLoop = loop('reindexing', LOOK_AGAIN_MS, reindex);
  const syncLoop = loop('external sync', LOOK_AGAIN_MS, sync);
  const retentionLoop = loop('retention', config.sweepInterval * 1000, retention);
  const loops = [reindexLoop, syncLoop, retentionLoop];
  const follower = new Follower(documents, index, log);

  return {
    entries,
    summarize,
    recall: {
      settings,
      retrieval,
      entries,
      limit: config.injectionLimit,
      minSimilarity: config.minSimilarity,
      timeout: config.recallTimeout,
    },
    routes: {
      entries,
      listing: new Listing(entries, index, retrieval, clock),
      embeddings,
      retrieval,
      summarize,
      reindex: { worker: reindex, poke: () => reindexLoop.poke() },
      status: { settings, embeddings, index, external, sync, models, clock },
      settings,
      changed: () => reindexLoop.poke(),
      external,
      sync: { worker: sync, poke: () => syncLoop.poke() },
    },
    async start() {
      await follower.start();
      for (const each of loops) each.start();
    },
    async close() {
      await Promise.all(loops.map((each) => each.stop()));
      await follower.stop();
      await index.close();
      await dispatcher.destroy();
    },
  };
}
