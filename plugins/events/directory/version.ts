/**
 * The version of the directory: one counter in storage, raised by every change of names, ties and visibility in its own
 * transaction. Publishing leaves it alone, so publishers never meet on it.
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

  /** Makes the counter, so that no two first writers meet over it. */
  async prepare(): Promise<void> {
    await this.#collection.updateOne({ _id: ID }, { $setOnInsert: { count: 0 } }, { upsert: true });
  }

  /** The version now: what was acknowledged before the call is in it. */
  current(): number | Promise<number> {
    return this.#reads.kept(ID) ?? (this.#reads.get(ID) as Promise<number>);
  }

  async raise(tx: Transaction): Promise<void> {
    await this.#collection.with(tx).updateOne({ _id: ID }, { $inc: { count: 1 } }, { upsert: true });
  }
}
