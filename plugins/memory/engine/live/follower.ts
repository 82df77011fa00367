/** Keeps the live index level with the storage: everything once, then the changes of every instance, for as long as the server runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isStorageError, type ChangeFeed, type Collection, type Logger } from 'plugboard/sdk';
import type { EntryDocument } from '../entries/document.js';
import type { LiveIndex } from './live-index.js';

const RETRY_MS = 500;

export class Follower {
  readonly #documents: Collection<EntryDocument>;
  readonly #index: LiveIndex;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  #following: Promise<void> = Promise.resolve();

  constructor(documents: Collection<EntryDocument>, index: LiveIndex, log: Logger) {
    this.#documents = documents;
    this.#index = index;
    this.#log = log;
  }

  /** Resolves when the index holds every entry; following goes on behind it. `progress` is called on the way. */
  async start(progress: () => void): Promise<void> {
    const feed = await this.#open();
    await this.#load(progress);
    if (feed !== undefined) this.#following = this.#follow(feed);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
  }

  /** Undefined on a server without a change history: this instance then knows its own writes alone. */
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

  /** Reads everything; what the index holds and the storage does not is dropped. */
  async #load(progress: () => void): Promise<void> {
    const gone = new Set(this.#index.catalog.ids());
    for await (const entry of this.#documents.find({ archived: false })) {
      await this.#index.put(entry);
      progress();
      gone.delete(entry._id);
    }
    for (const id of gone) this.#index.deleted(id);
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

  async #startAnew(): Promise<ChangeFeed<EntryDocument> | undefined> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const feed = await this.#documents.changes({ signal });
        await this.#load(() => {});
        return feed;
      } catch {
        await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
      }
    }
    return undefined;
  }
}
