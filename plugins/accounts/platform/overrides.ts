/**
 * Settings of platforms that a test helper has set, over those of the config. They are needed for every request, so they
 * are kept in memory and follow the change feed of the storage; while there is none they are read each time.
 */
import { setTimeout } from 'node:timers/promises';
import { isStorageError, type Collection, type Document, type Storage } from 'plugboard/sdk';
import type { Settings } from '../schema/config.js';

interface OverrideDocument extends Document {
  /** JSON: names in it are the config's. */
  readonly settings: string;
}

export type PartialSettings = Partial<Settings>;

const REOPEN_AFTER = 1_000;

export class Overrides {
  readonly #collection: Collection<OverrideDocument>;
  readonly #known = new Map<string, PartialSettings>();
  #following = false;

  constructor(storage: Storage) {
    this.#collection = storage.collection<OverrideDocument>({ name: 'platform_settings' });
  }

  /** Null where nothing is set; undefined while only a read can tell. */
  cached(platform: string): PartialSettings | null | undefined {
    return this.#following ? (this.#known.get(platform) ?? null) : undefined;
  }

  async read(platform: string): Promise<PartialSettings | null> {
    const found = await this.#collection.findOne({ _id: platform });
    return found === null ? null : (JSON.parse(found.settings) as PartialSettings);
  }

  /** Replaces what is set. */
  async set(platform: string, settings: PartialSettings): Promise<void> {
    await this.#collection.replaceOne(
      { _id: platform },
      { _id: platform, settings: JSON.stringify(settings) },
      { upsert: true },
    );
    this.#known.set(platform, settings);
  }

  async clear(platform: string): Promise<void> {
    await this.#collection.deleteOne({ _id: platform });
    this.#known.delete(platform);
  }

  /** Follows changes until the signal; resolves then. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#followOnce(signal);
      } catch (error) {
        // A standalone server has no feed: reads it is.
        if (isStorageError(error, 'unsupported')) return;
      } finally {
        this.#following = false;
      }
      await setTimeout(REOPEN_AFTER, undefined, { signal }).catch(() => {});
    }
  }

  async #followOnce(signal: AbortSignal): Promise<void> {
    const feed = await this.#collection.changes({ signal });
    try {
      this.#known.clear();
      for await (const document of this.#collection.find({})) this.#learn(document);
      this.#following = true;
      for await (const change of feed) {
        if (change.kind === 'put') this.#learn(change.document);
        else this.#known.delete(change.id);
      }
    } finally {
      await feed.close();
    }
  }

  #learn({ _id, settings }: OverrideDocument): void {
    this.#known.set(_id, JSON.parse(settings) as PartialSettings);
  }
}
