/** The rows of all relations: one storage collection each, and the sequences of identities. */
import type { Collection, Document, IndexSpec, Storage, Transaction } from 'plugboard/sdk';
import type { Catalog, Relation } from '../catalog/model.js';
import type { StoredRow } from '../values/stored.js';
import { searchedColumns } from '../words/word-index.js';
import { relationIndexes, type Withdrawn } from './indexes.js';
import { RowChanges } from './row-changes.js';
import { RowIds } from './row-id.js';
import { searchedRows } from './searched-rows.js';
import { TableSizes } from './table-sizes.js';

/** The greatest number that a column's identity has given. */
export interface Sequence extends Document {
  readonly value: number;
}

/** How many rows of a file are stored, and a digest to recognize the file. */
export interface FileProgress extends Document {
  readonly rows: number;
  readonly digest: string;
  /** How often rows of another version of the file were removed. */
  readonly cleared?: number;
  /** For a file whose rows get identities: the number before the first, by member. */
  readonly identities?: Readonly<Record<string, number>>;
}

export type CollectionOf = (relation: Relation) => Collection<StoredRow>;

export class RowStore {
  readonly sequences: Collection<Sequence>;
  /** Progress of file imports. */
  readonly imports: Collection<FileProgress>;
  /** Of live tables. */
  readonly changes: RowChanges;
  readonly sizes: TableSizes;
  readonly #storage: Storage;
  readonly #ids = new RowIds();
  readonly #collections = new Map<string, Collection<StoredRow>>();

  /** `mostCharacters`: of the rows of one table; without it they are not counted. */
  constructor(storage: Storage, mostCharacters?: number) {
    this.#storage = storage;
    this.sizes = new TableSizes(storage, mostCharacters);
    this.changes = new RowChanges(storage);
    this.imports = storage.collection<FileProgress>({ name: 'imports' });
    this.sequences = storage.collection<Sequence>({ name: 'sequences' });
  }

  /** Declares the collections of a catalog. Call it in `setup`, and again for a catalog that replaces it. */
  declare(catalog: Catalog, withdrawn: Withdrawn = {}): void {
    for (const relation of storedRelations(catalog)) this.#declare(catalog, relation, withdrawn);
  }

  /** Declares undeclared collections of the catalog under which the rows are stored. */
  declareStored(catalog: Catalog): void {
    for (const relation of storedRelations(catalog)) {
      if (!this.#collections.has(relation.collection)) this.#declare(catalog, relation);
    }
  }

  /** Declares undeclared collections without their indexes: rows may violate keys. */
  declareNew(catalog: Catalog): void {
    for (const { collection } of storedRelations(catalog)) {
      if (this.#collections.has(collection)) continue;
      this.#collections.set(collection, this.#storage.collection({ name: collection }));
    }
  }

  #declare(catalog: Catalog, relation: StoredRelation, withdrawn: Withdrawn = {}): void {
    const indexes = relationIndexes(catalog, relation);
    const rows = this.#storage.collection<StoredRow>({
      name: relation.collection,
      indexes,
      withdrawn: (withdrawn[relation.collection] ?? []).map((text) => JSON.parse(text) as IndexSpec),
    });
    this.#collections.set(relation.collection, searchedRows(rows, searchedColumns(relation)));
  }

  /** A collection by its name, whether or not a catalog has it. */
  existing(name: string): Collection<StoredRow> {
    return this.#storage.collection<StoredRow>({ name });
  }

  /** Resolves when the indexes of the relations are built. Throws if rows violate one. */
  async ready(catalog: Catalog): Promise<void> {
    for (const relation of storedRelations(catalog)) await this.collection(relation).ready();
  }

  /** Builds indexes of a relation's rows, and resolves when they are ready. */
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

  /** All that `work` writes is stored together or not at all. Retried after a conflict. */
  transaction<T>(work: (collection: CollectionOf, tx: Transaction) => Promise<T>): Promise<T> {
    return this.#storage.transaction((tx) => work((relation) => this.collection(relation).with(tx), tx));
  }

  /** The store's commit count: between two equal counts a read returns the same. */
  get commits(): number | undefined {
    return this.#storage.commits;
  }

  nextId(): string {
    return this.#ids.next();
  }
}

type StoredRelation = Relation & { readonly collection: string };

function* storedRelations(catalog: Catalog): Generator<StoredRelation, void> {
  for (const { relations } of catalog.schemas.values()) {
    for (const relation of relations.values()) {
      const { collection } = relation;
      if (collection !== undefined) yield { ...relation, collection };
    }
  }
}
