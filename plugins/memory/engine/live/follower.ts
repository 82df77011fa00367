/**
 * Synchronises the live index with the storage: a full load, then the changes of every instance, as long as the server
 * runs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isStorageError, pagesById, type ChangeFeed, type Collection, type Logger } from 'plugboard/sdk';
import type { EntryDocument } from '../entries/document.js';
import type { LiveIndex } from './live-index.js';
import { Readiness } from './readiness.js';
import type { WordsKeeper } from './words-keeper.js';

const RETRY_MS = 500;
/** Entries per read. */
const PAGE = 250;

export class Follower {
  readonly readiness = new Readiness();
  readonly #documents: Collection<EntryDocument>;
  readonly #index: LiveIndex;
  readonly #keeper: WordsKeeper | undefined;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  #following: Promise<void> = Promise.resolve();

  constructor(documents: Collection<EntryDocument>, index: LiveIndex, log: Logger, keeper?: WordsKeeper) {
    this.#documents = documents;
    this.#index = index;
    this.#log = log;
    this.#keeper = keeper;
  }

  /** Loads the index and follows changes, in the background; `readiness` reports when the index is complete. */
  start(): void {
    this.#following = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
    if (this.readiness.isComplete) await this.#keeper?.write();
  }

  async #run(): Promise<void> {
    await this.#keeper?.load();
    const feed = await this.#untilStopped(async () => {
      const opened = await this.#open();
      await this.#load();
      return opened;
    });
    if (this.#stopping.signal.aborted) return;
    this.readiness.complete();
    const keeping = this.#keeper?.run(this.#stopping.signal);
    if (feed !== undefined) await this.#follow(feed);
    await keeping;
  }

  /** Undefined on a server without a change history: this instance then sees only its own writes. */
  async #open(): Promise<ChangeFeed<EntryDocument> | undefined> {
    try {
      return await this.#documents.changes({ signal: this.#stopping.signal });
    } catch (error) {
      if (!isStorageError(error, 'unsupported')) throw error;
      this.#log.warn(
        'the storage has no change feed: memories that other instances write are found after a restart',
      );
      return undefined;
    }
  }

  /** Reads everything in pages; entries that the storage no longer has are dropped from the index. */
  async #load(): Promise<void> {
    const gone = new Set(this.#index.catalog.ids());
    const total = await this.#documents.countDocuments({});
    let done = 0;
    for await (const page of pagesById(this.#documents, { size: PAGE })) {
      this.#stopping.signal.throwIfAborted();
      for (const entry of page) {
        if (entry.archived) continue;
        await this.#index.put(entry);
        gone.delete(entry._id);
      }
      this.readiness.progress((done += page.length), total);
    }
    for (const id of gone) this.#index.deleted(id);
    this.#index.dropUnknownWords();
  }

  async #follow(first: ChangeFeed<EntryDocument>): Promise<void> {
    const { signal } = this.#stopping;
    let feed = first;
    while (!signal.aborted) {
      try {
        for await (const change of feed) {
          if (change.kind === 'put') await this.#index.put(change.document);
          else this.#index.deleted(change.id);
        }
        if (signal.aborted) return;
      } catch (error) {
        if (signal.aborted) return;
        this.#log.warn({ err: error }, 'the change feed of the memories broke; taking it up again');
      }
      const next = await this.#resume(feed);
      if (next === undefined) return;
      feed = next;
    }
  }

  async #resume(broken: ChangeFeed<EntryDocument>): Promise<ChangeFeed<EntryDocument> | undefined> {
    const { signal } = this.#stopping;
    const after = broken.token;
    await broken.close().catch(() => {});
    while (!signal.aborted) {
      try {
        return await this.#documents.changes({ after, signal });
      } catch (error) {
        if (signal.aborted) return undefined;
        if (isStorageError(error, 'history_lost')) return this.#startAnew();
        await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
      }
    }
    return undefined;
  }

  #startAnew(): Promise<ChangeFeed<EntryDocument> | undefined> {
    return this.#untilStopped(async () => {
      const feed = await this.#documents.changes({ signal: this.#stopping.signal });
      await this.#load();
      return feed;
    });
  }

  /** Retries until it succeeds; undefined if stopped. */
  async #untilStopped<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted) break;
        this.#log.warn({ err: error }, 'the memories could not be read for the index; trying again');
        await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
      }
    }
    return undefined;
  }
}
