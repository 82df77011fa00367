/** What administrators add by API, by name. A change is in force at once on its own instance, soon on others. */
import {
  KeptCollection,
  type Collection,
  type Document,
  type Filter,
  type FollowOptions,
} from 'plugboard/sdk';

export class Added<D extends Document> {
  readonly #documents: Collection<D>;
  readonly #most: number;
  readonly #kept: KeptCollection<void>;

  /** `serve` is given all of them, `most` at most, whenever they were read. */
  constructor(
    documents: Collection<D>,
    most: number,
    serve: (documents: readonly D[]) => void | Promise<void>,
  ) {
    this.#documents = documents;
    this.#most = most;
    this.#kept = new KeptCollection(documents, async () => serve(await this.list()));
  }

  /** Reads them, and follows them until the signal is aborted. */
  async start(options: FollowOptions): Promise<void> {
    await this.#kept.refresh();
    void this.#kept.follow(options);
  }

  list(): Promise<D[]> {
    return this.#documents.find({}, { sort: { _id: 1 }, limit: this.#most }).toArray();
  }

  async put(document: D): Promise<void> {
    await this.#documents.replaceOne(withName<D>(document._id), document, { upsert: true });
    await this.#kept.refresh();
  }

  /** False when there was none. */
  async delete(name: string): Promise<boolean> {
    const deleted = await this.#documents.deleteOne(withName<D>(name));
    await this.#kept.refresh();
    return deleted > 0;
  }
}

function withName<D extends Document>(name: string): Filter<D> {
  return { _id: name } as Filter<D>;
}
