/** A collection cached in memory and kept current with changes by any instance. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../plugin/logger.js';
import type { Change } from '../storage/change-feed.js';
import type { Document } from '../storage/document.js';
import { isStorageError } from '../storage/errors.js';
import type { Collection } from '../storage/port.js';
import { Semaphore } from './semaphore.js';

/** Milliseconds until a lost feed is reopened. */
const REOPEN_AFTER = 1_000;
/** Milliseconds between reads of a store without change feeds. */
const POLL = 5_000;

type Followed<D extends Document> = Pick<Collection<D>, 'changes' | 'name'>;

export interface FollowOptions {
  readonly log: Logger;
  /** Ends it. */
  readonly signal: AbortSignal;
}

export interface ChangeFollower<D extends Document> {
  /** The feed is open, for the first time or again: reads from here on plus the changes miss nothing. */
  opened(): void | Promise<void>;
  changed(change: Change<D>): void | Promise<void>;
  /** Changes are missed until `opened` is called again. */
  lost(): void;
}

/**
 * Follows the changes of a collection until the signal is aborted. If the feed is lost or the follower throws, logs it
 * once and reopens the feed every second until it holds. Returns at once if the store has no feeds (a standalone
 * MongoDB server).
 */
export async function followChanges<D extends Document>(
  collection: Followed<D>,
  follower: ChangeFollower<D>,
  { log, signal }: FollowOptions,
): Promise<void> {
  let isOpen = true;
  while (!signal.aborted) {
    try {
      const feed = await collection.changes({ signal });
      try {
        await follower.opened();
        isOpen = true;
        for await (const change of feed) await follower.changed(change);
      } finally {
        follower.lost();
        await feed.close();
      }
    } catch (error) {
      if (signal.aborted || isStorageError(error, 'unsupported')) return;
      if (isOpen) log.warn({ err: error }, `lost the change feed of "${collection.name}"; opening it again`);
      isOpen = false;
    }
    await sleep(REOPEN_AFTER, undefined, { signal }).catch(() => {});
  }
}

/**
 * A small collection, or a value derived from it, kept in memory and reread whenever it changes; every five seconds if
 * the store has no change feeds.
 */
export class KeptCollection<V> {
  readonly #collection: Followed<Document>;
  readonly #read: () => Promise<V>;
  readonly #turns = new Semaphore(1);
  #value: V | undefined;
  #isLevel = false;

  /** `read` reads the collection and returns the value to keep. It never overlaps: no older value replaces a newer. */
  constructor(collection: Followed<Document>, read: () => Promise<V>) {
    this.#collection = collection;
    this.#read = read;
  }

  /** Undefined while changes may have been missed. */
  get current(): V | undefined {
    return this.#isLevel ? this.#value : undefined;
  }

  /** Reads now: at the start, and after the caller's own change. Throws what `read` throws. */
  refresh(): Promise<V> {
    return this.#turns.run(async () => (this.#value = await this.#read()));
  }

  /** Keeps the value current until the signal is aborted. */
  async follow({ log, signal }: FollowOptions): Promise<void> {
    const follower = {
      opened: async () => {
        await this.refresh();
        this.#isLevel = true;
      },
      changed: async () => void (await this.refresh()),
      lost: () => void (this.#isLevel = false),
    };
    await followChanges(this.#collection, follower, { log, signal });
    while (!signal.aborted) {
      await this.refresh().catch((error: unknown) =>
        log.warn({ err: error }, `"${this.#collection.name}" could not be read anew`),
      );
      await sleep(POLL, undefined, { signal }).catch(() => {});
    }
  }
}
