/** Creates and wires the parts of memory. */
import type { Changes, Clock, Collection, Jobs, Logger, Models, Secrets, Storage } from 'plugboard/sdk';
import type { LearnParts } from './front/chat/learn.js';
import type { RecallParts } from './front/chat/recall.js';
import type { Embedder } from './engine/embedding/embedder.js';
import { BuiltInEmbedder } from './engine/embedding/built-in.js';
import { errors } from './engine/base/errors.js';
import { ENTRIES, type EntryDocument } from './engine/entries/document.js';
import type { Walked } from './engine/entries/each-step.js';
import type { EntryObserver } from './engine/entries/changes.js';
import { Entries } from './engine/entries/entries.js';
import { EntryTeller } from './engine/entries/told.js';
import { Extraction } from './engine/extraction/extraction.js';
import { EXTRACTIONS, type ExtractionDocument } from './engine/extraction/record.js';
import { ExternalIndex } from './engine/external/external-index.js';
import { StoredExternalStore } from './engine/external/stored-store.js';
import { ExternalSync } from './engine/external/sync.js';
import { Follower } from './engine/live/follower.js';
import { LiveIndex } from './engine/live/live-index.js';
import type { Readiness } from './engine/live/readiness.js';
import { WordsKeeper } from './engine/live/words-keeper.js';
import { MarkedWork, type MarkedWorkOptions } from './engine/maintenance/marked-work.js';
import { FLAG_ALL, Reindex } from './engine/maintenance/reindex.js';
import { Retention } from './engine/maintenance/retention.js';
import { Summarize } from './engine/maintenance/summarize.js';
import { Summarizing } from './engine/maintenance/summarizing.js';
import { Listing } from './front/api/listing.js';
import { MemoryMcp } from './front/mcp/server.js';
import { Mem0Memories } from './front/mem0/memories.js';
import { Retrieval } from './engine/retrieval/retrieval.js';
import type { MemoryRoutes } from './routes.js';
import type { Config } from './schema.js';
import { StoredSettings } from './engine/settings/stored-settings.js';
import { Embeddings } from './engine/sources/embeddings.js';

/** How often background work checks for due work without a nudge. */
const LOOK_AGAIN_MS = 15_000;

export interface MemoryParts {
  readonly storage: Storage;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly config: Config;
  readonly log: Logger;
  readonly models: Models | undefined;
  readonly jobs: Jobs;
  readonly changes: Changes | undefined;
  /** The file that keeps the words of the entries between starts; undefined: none. */
  readonly wordsFile: string | undefined;
  /** Aborted when the plugin stops. */
  readonly signal: AbortSignal;
  /** Undefined: the built-in vectors. */
  readonly static: Embedder | undefined;
  readonly transformers: Embedder | undefined;
}

export interface Memory {
  readonly entries: Entries;
  readonly recall: Omit<RecallParts, 'auth' | 'log'>;
  /** Undefined: extraction is not set up. */
  readonly learn: Omit<LearnParts, 'auth' | 'log'> | undefined;
  readonly records: Collection<ExtractionDocument>;
  readonly routes: Omit<MemoryRoutes, 'auth' | 'limit' | 'clock' | 'models' | 'jobs'>;
  /** Starts loading the index, then the background work. */
  start(): void;
  /** Throws `memory_loading` until the index is complete. */
  check(): void;
  close(): Promise<void>;
  /** After an erasure: removes data of erased entries outside the storage. */
  forget(): Promise<void>;
}

export function createMemory(parts: MemoryParts): Memory {
  const { storage, secrets, clock, config, log, models, jobs, signal } = parts;
  const documents = storage.collection<EntryDocument>(ENTRIES);
  const settings = new StoredSettings(storage);
  const index = new LiveIndex(clock, log);
  const keeper =
    parts.wordsFile === undefined ? undefined : new WordsKeeper(parts.wordsFile, index.keyword, log);
  const follower = new Follower(documents, index, log, keeper);
  const { readiness } = follower;
  const embeddings = new Embeddings({
    settings,
    static: parts.static ?? new BuiltInEmbedder((owner) => index.keyword.statistics(owner)),
    transformers: parts.transformers,
    models,
    timeout: config.remoteTimeout,
  });

  const { allowPrivateHosts: allowPrivate, timeout } = config.externalStore;
  const stored = new StoredExternalStore(storage, secrets, allowPrivate);
  const external = new ExternalIndex(stored, embeddings, clock, { timeout, allowPrivate });
  const sync = new ExternalSync(storage, documents, external, embeddings, clock);

  const observer: EntryObserver = {
    async stored(entry) {
      await index.put(entry);
      if (entry.needsReindex === 1 && entry.attempts === 0) reindexing.nudge();
      if (entry.externalStale === 1) sending.nudge();
    },
    removing: (ids) => sync.markDeletions(ids),
    removed(ids) {
      for (const id of ids) index.deleting(id);
      sending.nudge();
    },
  };
  const teller = new EntryTeller(parts.changes);
  const { maxCharacters: most = Infinity } = config;
  const entries = new Entries({
    storage,
    documents,
    observer,
    teller,
    vectors: embeddings,
    clock,
    // The global pool belongs to the operator.
    assertRoom(owner) {
      if (owner !== null && index.catalog.charactersOf(owner) >= most)
        throw errors.memories_too_large({ values: { most } });
    },
  });
  const retrieval = new Retrieval({
    entries,
    index,
    embeddings,
    external,
    settings,
    models,
    clock,
    readiness,
    neighbours: config.episodicNeighbours,
    keywordWeight: config.keywordWeight,
    timeout: config.remoteTimeout,
  });
  const records = storage.collection<ExtractionDocument>(EXTRACTIONS);
  const extraction =
    config.extraction &&
    models &&
    new Extraction({
      ...config.extraction,
      records,
      entries,
      retrieval,
      models,
      nudge: () => extracting?.nudge(),
      clock,
      log,
    });
  const mem0 = new Mem0Memories({ entries, retrieval, clock, extraction, records });
  const reindex = new Reindex(entries, index.catalog, embeddings, clock, log);
  jobs.handle<undefined, Walked>(FLAG_ALL, async (run) => {
    // The index follows the writes of a run: during the initial load it would have to read everything again.
    await readiness.whenComplete(run.signal);
    const flagged = await reindex.flagAll(run);
    reindexing.nudge();
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

  const summarizing = new Summarizing(jobs, summarize, signal, readiness);
  const marked = (
    name: string,
    every: number,
    worker: { wanted(): Promise<boolean>; drain: MarkedWorkOptions['work'] },
  ): MarkedWork =>
    new MarkedWork({
      jobs,
      name,
      every,
      clock,
      log,
      signal,
      wanted: () => worker.wanted(),
      work: (run) => worker.drain(run),
    });
  const reindexing = marked('reindex', LOOK_AGAIN_MS, {
    wanted: () => reindex.wanted(),
    // Outdated vectors are known from the index.
    drain: async (run) => {
      await readiness.whenComplete(run.signal);
      return reindex.drain(run);
    },
  });
  const sending = marked('send to the external store', LOOK_AGAIN_MS, sync);
  // Known memories come from the index.
  const extracting =
    extraction &&
    marked('extract', LOOK_AGAIN_MS, {
      wanted: () => extraction.wanted(),
      drain: async (run) => {
        await readiness.whenComplete(run.signal);
        return extraction.drain(run);
      },
    });
  const purging = marked('purge', config.sweepInterval * 1000, retention);
  const work = [reindexing, sending, purging, ...(extracting ? [extracting] : [])];
  let working: Promise<void> = Promise.resolve();

  return {
    entries,
    recall: {
      settings,
      retrieval,
      entries,
      isReady: () => readiness.isComplete,
      limit: config.injectionLimit,
      minSimilarity: config.minSimilarity,
      timeout: config.recallTimeout,
    },
    learn: config.extraction && extraction && { settings, extraction, chats: config.extraction.chats },
    records,
    routes: {
      entries,
      listing: new Listing({ entries, index, retrieval, clock, readiness }),
      embeddings,
      retrieval,
      summarizing,
      reindex,
      reindexSoon: () => reindexing.nudge(),
      status: { settings, embeddings, index, external, sync, reindex, models, clock },
      settings,
      external,
      syncSoon: () => sending.nudge(),
      mem0,
      mcp: new MemoryMcp({ mem0, log }),
      records,
    },
    start() {
      follower.start();
      working = begin(work, readiness, signal).catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error }, 'the background work of memory did not begin');
      });
    },
    check: () => readiness.assertComplete(),
    forget: async () => keeper?.forget(),
    async close() {
      await working;
      await Promise.all(work.map((each) => each.close()));
      await follower.stop();
      await index.close();
      await external.close();
    },
  };
}

async function begin(work: readonly MarkedWork[], readiness: Readiness, signal: AbortSignal): Promise<void> {
  await readiness.whenComplete(signal);
  await Promise.all(work.map((each) => each.start()));
}
