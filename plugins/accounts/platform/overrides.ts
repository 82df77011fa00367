/**
 * Settings of platforms that a test helper has set, over those of the config. They are needed for every request, so they
 * are kept in memory and follow the change feed of the storage; while there is none they are read each time.
 */
import { setTimeout } from 'node:timers/promises';
import { isStorageError, type Collection, type Document, type Storage } from 'plugboard/sdk';
import { Refused } from '../errors/errors.js';
import type { Settings } from '../schema/config.js';

interface OverrideDocument extends Document {
  /** JSON: names in it are the config's. */
  readonly settings: string;
  /** Counts the changes: the feed may tell of an older one than this instance has made since. */
  readonly revision?: number;
}

export type PartialSettings = Partial<Settings>;

const REOPEN_AFTER = 1_000;
/** Times that a change starts over because another was stored in between. */
const ATTEMPTS = 50;

/** `over` over `settings`; groups of settings are merged as well. */
export function withSettings<S extends PartialSettings>(settings: S, over: PartialSettings): S {
  const { acknowledged, features, ...rest } = over;
  return {
    ...settings,
    ...rest,
    ...(acknowledged && { acknowledged: { ...settings.acknowledged, ...acknowledged } }),
    ...(features && { features: { ...settings.features, ...features } }),
  };
}

export class Overrides {
  readonly #collection: Collection<OverrideDocument>;
  readonly #known = new Map<string, { readonly settings: PartialSettings; readonly revision: number }>();
  #following = false;

  constructor(storage: Storage) {
    this.#collection = storage.collection<OverrideDocument>({ name: 'platform_settings' });
  }

  /** Null where nothing is set; undefined while only a read can tell. */
  cached(platform: string): PartialSettings | null | undefined {
    return this.#following ? (this.#known.get(platform)?.settings ?? null) : undefined;
  }

  async read(platform: string): Promise<PartialSettings | null> {
    const found = await this.#collection.findOne({ _id: platform });
    return found === null ? null : (JSON.parse(found.settings) as PartialSettings);
  }

  /** Merges these into what is set; concurrent calls do not overwrite each other. */
  set(platform: string, settings: PartialSettings): Promise<void> {
    return this.#change(platform, (before) => withSettings(before, settings));
  }

  clear(platform: string): Promise<void> {
    return this.#change(platform, () => ({}));
  }

  async #change(platform: string, change: (before: PartialSettings) => PartialSettings): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const found = await this.#collection.findOne({ _id: platform });
      const after = change(found === null ? {} : (JSON.parse(found.settings) as PartialSettings));
      const document = {
        _id: platform,
        settings: JSON.stringify(after),
        revision: (found?.revision ?? 0) + 1,
      };
      if (await this.#replace(found, document)) return this.#learn(document);
    }
    throw new Refused({
      code: 'account_rate_limit_exceeded',
      message: 'the settings are being set by others: try again',
    });
  }

  /** False when another change was stored since `before` was read. */
  async #replace(before: OverrideDocument | null, after: OverrideDocument): Promise<boolean> {
    if (before !== null) {
      const unchanged = { _id: before._id, settings: before.settings, revision: before.revision ?? null };
      return (await this.#collection.replaceOne(unchanged, after)).matched === 1;
    }
    try {
      await this.#collection.insertOne(after);
      return true;
    } catch (error) {
      if (isStorageError(error, 'duplicate_key')) return false;
      throw error;
    }
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

  #learn({ _id, settings, revision = 0 }: OverrideDocument): void {
    if (revision < (this.#known.get(_id)?.revision ?? 0)) return;
    this.#known.set(_id, { settings: JSON.parse(settings) as PartialSettings, revision });
  }
}
