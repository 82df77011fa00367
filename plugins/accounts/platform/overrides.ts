/**
 * Platform settings from a test helper, which override the config. Every request needs them, so they are cached in
 * memory; without a change feed they are read each time.
 */
import {
  isStorageError,
  KeptCollection,
  type Collection,
  type Document,
  type FollowOptions,
  type Storage,
} from 'plugboard/sdk';
import { Refused } from '../errors/errors.js';
import type { Settings } from '../schema/config.js';

interface OverrideDocument extends Document {
  /** JSON: its names are the config's. */
  readonly settings: string;
  /** Counts the changes. */
  readonly revision?: number;
}

export type PartialSettings = Partial<Settings>;

/** Retries of a change when another was stored in between. */
const ATTEMPTS = 50;

/** `settings` overridden by `over`; groups of settings are merged. */
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
  readonly #kept: KeptCollection<ReadonlyMap<string, PartialSettings>>;

  constructor(storage: Storage) {
    this.#collection = storage.collection<OverrideDocument>({ name: 'platform_settings' });
    this.#kept = new KeptCollection(this.#collection, async () => {
      const found = await this.#collection.find({}).toArray();
      return new Map(found.map((document) => [document._id, settingsOf(document)]));
    });
  }

  /** Null if nothing is set; undefined if only a read can tell. */
  cached(platform: string): PartialSettings | null | undefined {
    const known = this.#kept.current;
    return known && (known.get(platform) ?? null);
  }

  async read(platform: string): Promise<PartialSettings | null> {
    const found = await this.#collection.findOne({ _id: platform });
    return found && settingsOf(found);
  }

  /** Merges `settings` into the stored ones; concurrent calls do not overwrite each other. */
  set(platform: string, settings: PartialSettings): Promise<void> {
    return this.#change(platform, (before) => withSettings(before, settings));
  }

  clear(platform: string): Promise<void> {
    return this.#change(platform, () => ({}));
  }

  async #change(platform: string, change: (before: PartialSettings) => PartialSettings): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const found = await this.#collection.findOne({ _id: platform });
      const after = change(found === null ? {} : settingsOf(found));
      const document = {
        _id: platform,
        settings: JSON.stringify(after),
        revision: (found?.revision ?? 0) + 1,
      };
      if (await this.#replace(found, document)) {
        await this.#kept.refresh();
        return;
      }
    }
    throw new Refused({
      code: 'account_rate_limit_exceeded',
      message: 'the settings are being set by others: try again',
    });
  }

  /** False if another change was stored since `before` was read. */
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

  /** Follows changes until the signal is aborted. */
  follow(options: FollowOptions): Promise<void> {
    return this.#kept.follow(options);
  }
}

function settingsOf({ settings }: OverrideDocument): PartialSettings {
  return JSON.parse(settings) as PartialSettings;
}
