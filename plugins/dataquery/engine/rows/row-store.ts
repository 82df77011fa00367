/** The rows of all relations: one storage collection each, and the sequences of identities. */
import type { Collection, Document, IndexSpec, Storage, Transaction } from 'plugboard/sdk';
import type { Catalog, Relation } from '../catalog/model.js';
import type { StoredRow } from '../values/stored.js';
import { relationIndexes } from './indexes.js';
import { RowIds } from './row-id.js';

/** The greatest number that a column's identity has given. */
export interface Sequence extends Document {
  readonly value: number;
}

export type CollectionOf = (relation: Relation) => Collection<StoredRow>;

export class RowStore {
  readonly sequences: Collection<Sequence>;
  readonly #storage: Storage;
  readonly #ids = new RowIds();
  readonly #collections = new Map<string, Collection<StoredRow>>();

  constructor(storage: Storage) {
    this.#storage = storage;
    this.sequences = storage.collection<Sequence>({ name: 'sequences' });
  }

  /** Declares the collections of a catalog. Call it in `setup`, and again for a catalog that takes its place. */
  declare(catalog: Catalog): void {
    for (const { relations } of catalog.schemas.values()) {
      for (const relation of relations.values()) {
        if (relation.collection === undefined) continue;
        const indexes = relationIndexes(catalog, relation);
        this.#collections.set(
          relation.collection,
          this.#storage.collection({ name: relation.collection, indexes }),
        );
      }
    }
  }

  /** Declares the collections that are not declared yet, without their unique keys: rows may stand in their way. */
  declareNew(catalog: Catalog): void {
    for (const { relations } of catalog.schemas.values()) {
      for (const { collection } of relations.values()) {
        if (collection === undefined || this.#collections.has(collection)) continue;
        this.#collections.set(collection, this.#storage.collection({ name: collection }));
      }
    }
  }

  /** Builds indexes of a relation's rows, and resolves when they are there. */
  async addIndexes({ collection: name }: Relation, indexes: readonly IndexSpec[]): Promise<void> {
    if (name === undefined) return;
    await this.#storage.collection<StoredRow>({ name, indexes }).ready();
  }

  /** The rows of a table or of a stored view. */
  readonly collection: CollectionOf = (relation) => {
    const collection = this.#collections.get(relation.collection ?? '');
    if (collection === undefined)
      throw new TypeError(`"${relation.schema}.${relation.name}" keeps no rows of its own`);
    return collection;
  };

  /** All that `work` writes is stored together or not at all. It may run again after a conflict. */
  transaction<T>(work: (collection: CollectionOf, tx: Transaction) => Promise<T>): Promise<T> {
    return this.#storage.transaction((tx) => work((relation) => this.collection(relation).with(tx), tx));
  }

  nextId(): string {
    return this.#ids.next();
  }
}
