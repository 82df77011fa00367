/** Loads the rows of the config's file into relations that have none yet. */
import { isServiceError, isStorageError, type Clock, type Collection } from 'plugboard/sdk';
import type { Catalog, Column, Relation } from '../catalog/model.js';
import type { Row } from '../write/rows.js';
import type { Stored, StoredRow } from '../values/stored.js';
import { defaultValue, type Defaults } from '../write/draft.js';
import { beginIdentities, reserveIdentities } from '../write/identity.js';
import { readRowsFile, RowsFileError } from './rows-file.js';
import { loadedId } from '../rows/row-id.js';
import type { RowStore } from '../rows/row-store.js';

const BATCH = 1_000;

/**
 * How many rows were loaded. Relations that have rows are left alone. `progress` is called after each batch. Throws a
 * RowsFileError.
 */
export async function loadRows(
  { store, state: { catalog } }: { readonly store: RowStore; readonly state: { readonly catalog: Catalog } },
  clock: Clock,
  file: string,
  progress: () => void,
): Promise<number> {
  let loaded = 0;
  for (const { relation, rows } of await readRowsFile(catalog, file)) {
    if (rows.length === 0 || (await store.collection(relation).findOne({})) !== null) continue;
    const documents = rows.map((row, at) => documentOf(relation, row, at, file));
    await fillDefaults(store, relation, rows, documents, clock);
    needKeys(relation, documents, file);
    if (await insertTogether(store, relation, documents, file, progress)) loaded += documents.length;
  }
  return loaded;
}

type LoadedRow = { _id: string } & Record<string, Stored>;

/** The row as it is written: the file is the operator's own, so only types are checked, and keys by storage. */
function documentOf(relation: Relation, row: Row, at: number, file: string): LoadedRow {
  const document: LoadedRow = { _id: loadedId(at) };
  for (const [name, value] of Object.entries(row)) {
    const column = relation.columns.get(name);
    if (column === undefined) {
      throw new RowsFileError(
        `${file}: row ${at + 1} of "${relation.name}" has the unknown column "${name}"`,
      );
    }
    const stored = read(column, value, relation, at, file);
    if (stored !== null) document[column.field] = stored;
  }
  return document;
}

/** Columns that a row of the file does not mention get their defaults. */
async function fillDefaults(
  store: RowStore,
  relation: Relation,
  rows: readonly Row[],
  documents: readonly LoadedRow[],
  clock: Clock,
): Promise<void> {
  for (const column of relation.columns.values()) {
    const lacking = documents.filter((_, at) => !Object.hasOwn(rows[at] ?? {}, column.name));
    if (column.default === undefined || lacking.length === 0) continue;
    const identity =
      column.default.kind === 'identity'
        ? await identities(store, relation, column, documents, lacking.length)
        : (): Stored => 0;
    const defaults: Defaults = { clock, identity };
    for (const document of lacking) {
      const value = defaultValue(column, defaults);
      if (value !== null) document[column.field] = value;
    }
  }
}

/** Rows are looked up by their keys, and one without a key would not be found. */
function needKeys(relation: Relation, documents: readonly LoadedRow[], file: string): void {
  if (relation.kind !== 'table') return;
  for (const name of relation.primaryKey) {
    const field = relation.columns.get(name)?.field ?? name;
    const at = documents.findIndex((document) => (document[field] ?? null) === null);
    if (at === -1) continue;
    throw new RowsFileError(
      `${file}: row ${at + 1} of "${relation.name}" has no "${name}", which is its key`,
    );
  }
}

async function identities(
  store: RowStore,
  relation: Relation,
  column: Column,
  documents: readonly LoadedRow[],
  count: number,
): Promise<() => Stored> {
  await beginIdentities(
    store,
    relation,
    column,
    documents.map((document) => document[column.field]),
  );
  return reserveIdentities(store, relation, column, count);
}

function read(column: Column, value: unknown, relation: Relation, at: number, file: string) {
  try {
    return column.type.fromJson(value);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    const place = `row ${at + 1} of "${relation.name}", column "${column.name}"`;
    throw new RowsFileError(`${file}: ${place}: ${error.message}`, { cause: error });
  }
}

/**
 * In one transaction, so that a start that is cut short leaves the relation empty; without transactions in batches.
 * False when another instance has loaded the same rows in the meantime: their ids are the same.
 */
async function insertTogether(
  store: RowStore,
  relation: Relation,
  documents: readonly StoredRow[],
  file: string,
  progress: () => void,
): Promise<boolean> {
  const batches = Array.from({ length: Math.ceil(documents.length / BATCH) }, (_, at) =>
    documents.slice(at * BATCH, (at + 1) * BATCH),
  );
  const insert = async (collection: Collection<StoredRow>): Promise<void> => {
    for (const batch of batches) {
      await collection.insertMany(batch);
      progress();
    }
  };
  try {
    await store.transaction((collection) => insert(collection(relation)));
  } catch (error) {
    if (isStorageError(error, 'duplicate_key')) {
      if (error.index === '_id') return false;
      throw new RowsFileError(
        `${file}: "${relation.name}" has two rows with the same key (${error.index ?? ''})`,
        {
          cause: error,
        },
      );
    }
    if (!isStorageError(error, 'unsupported')) throw error;
    await insert(store.collection(relation));
  }
  return true;
}
