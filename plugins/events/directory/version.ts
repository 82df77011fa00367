/**
 * The version of the directory: one counter in storage, incremented by every change of names, ties and visibility in
 * its own transaction. Publishing does not change it, so publishers never conflict over it.
 */
import {
  SharedReads,
  type Collection,
  type CollectionSpec,
  type Document,
  type Storage,
  type Transaction,
} from 'plugboard/sdk';

interface VersionDocument extends Document {
  readonly count: number;
}

const VERSIONS: CollectionSpec = { name: 'versions' };
const ID = 'directory';

export class DirectoryVersion {
  readonly #collection: Collection<VersionDocument>;
  readonly #reads: SharedReads<string, number>;

  constructor(storage: Storage) {
    this.#collection = storage.collection<VersionDocument>(VERSIONS);
    this.#reads = new SharedReads(async () => {
      const found = await this.#collection.findOne({ _id: ID }, { shared: true });
      return new Map([[ID, found?.count ?? 0]]);
    }, storage);
  }

  /** Creates the counter, so that no two first writers conflict. */
  async prepare(): Promise<void> {
    await this.#collection.updateOne({ _id: ID }, { $setOnInsert: { count: 0 } }, { upsert: true });
  }

  /** The version now: includes everything acknowledged before the call. */
  current(): number | Promise<number> {
    return this.#reads.kept(ID) ?? (this.#reads.get(ID) as Promise<number>);
  }

  async raise(tx: Transaction): Promise<void> {
    await this.#collection.with(tx).updateOne({ _id: ID }, { $inc: { count: 1 } }, { upsert: true });
  }
}
