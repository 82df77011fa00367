/**
 * Versions of the documents of collections, see docs/stored-formats.md. Only versions above 1 are recorded, so a store
 * with today's formats has no record.
 */
import { type CollectionSpec, type Document, UserError } from 'plugboard/sdk';
import type { WholeStore } from './transfer/whole-store.js';

/** By the name of a collection, `namespace/name`. */
interface VersionDocument extends Document {
  readonly version: number;
}

const VERSIONS = 'storage/versions';

export class StoredVersions {
  readonly #stored: ReadonlyMap<string, number>;
  readonly #written = new Map<string, number>();

  static async of(store: WholeStore): Promise<StoredVersions> {
    const stored = new Map<string, number>();
    if ((await store.collections()).includes(VERSIONS))
      for await (const { _id, version } of (await store.open(VERSIONS)).find(
        {},
      ) as AsyncIterable<VersionDocument>)
        stored.set(_id, version);
    return new StoredVersions(stored);
  }

  constructor(stored: ReadonlyMap<string, number> = new Map()) {
    this.#stored = stored;
  }

  /** Throws a `UserError` if the store has a newer version than the plugin can read. */
  declare(namespace: string, { name, versions }: CollectionSpec): void {
    const collection = `${namespace}/${name}`;
    const { reads, writes } = versions ?? { reads: 1, writes: 1 };
    const stored = this.#stored.get(collection) ?? 1;
    if (stored > reads)
      throw new UserError(
        `the collection "${collection}" holds documents of version ${stored}, and this server reads version ${reads} and older: ` +
          'start the newer version of the server that has written them',
      );
    if (writes > stored) this.#written.set(collection, writes);
  }

  /** Records the version to be written, before the first such write. */
  async note(store: WholeStore): Promise<void> {
    if (this.#written.size === 0) return;
    const documents = await store.open(VERSIONS);
    for (const [_id, version] of this.#written)
      await documents.updateOne({ _id }, { $max: { version } }, { upsert: true });
  }
}
