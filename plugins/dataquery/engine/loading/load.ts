/** Loads the rows of the config's file into relations without rows. */
import { createHash } from 'node:crypto';
import {
  isServiceError,
  isStorageError,
  type Clock,
  type Collection,
  type WriteOperation,
} from 'plugboard/sdk';
import type { Catalog, Column, Relation } from '../catalog/model.js';
import type { Row } from '../write/rows.js';
import type { Stored, StoredRow } from '../values/stored.js';
import { defaultValue, type Defaults } from '../write/draft.js';
import { beginIdentities, reserveIdentities } from '../write/identity.js';
import { readRowsFile, RowsFileError } from './rows-file.js';
import { loadedId } from '../rows/row-id.js';
import type { CollectionOf, FileProgress, RowStore } from '../rows/row-store.js';
import type { Tally } from '../rows/table-sizes.js';

const BATCH = 1_000;
/** Relations loaded at a time: each batch waits for the disk, or for MongoDB. */
const AT_ONCE = 8;

/**
 * Returns how many rows were loaded. Relations with rows are left alone, except for an interrupted load, which is
 * resumed. `progress` is called after each batch with the rows that are done. Throws a RowsFileError.
 */
export async function loadRows(
  { store, state: { catalog } }: { readonly store: RowStore; readonly state: { readonly catalog: Catalog } },
  clock: Clock,
  file: string,
  progress: (done: number, total: number) => void,
): Promise<number> {
  let loaded = 0;
  let done = 0;
  const { parts, text } = await readRowsFile(catalog, file);
  const digest = createHash('sha256').update(text).digest('hex');
  const total = parts.reduce((sum, { rows }) => sum + rows.length, 0);
  const advance = (rows: number): void => progress((done += rows), total);
  const waiting = parts.values();
  const inTurn = async (): Promise<void> => {
    for (const { relation, rows } of waiting) {
      const id = `load:${JSON.stringify([relation.schema, relation.name])}`;
      const begun = await beginLoad(store, relation, rows, id, digest);
      if (begun === undefined) continue;
      const documents = rows.map((row, at) => documentOf(relation, row, at, file));
      fillDefaults(relation, rows, documents, clock, begun.identities ?? {});
      needKeys(relation, documents, file);
      const stored = await insertInBatches(store, relation, documents, id, file, advance);
      loaded += stored;
    }
  };
  // The error of a refused relation is thrown after the other loads in progress.
  const turns = await Promise.allSettled(Array.from({ length: Math.min(AT_ONCE, parts.length) }, inTurn));
  for (const turn of turns) if (turn.status === 'rejected') throw turn.reason;
  return loaded;
}

/** The record of a load to do or to resume; undefined if the relation has rows of its own. */
async function beginLoad(
  store: RowStore,
  relation: Relation,
  rows: readonly Row[],
  id: string,
  digest: string,
): Promise<FileProgress | undefined> {
  const found = await store.imports.findOne({ _id: id });
  if (found !== null) {
    if (found.digest !== digest)
      await store.imports.updateOne({ _id: id, digest: found.digest }, { $set: { digest, rows: CLEARING } });
    while (await removeLoaded(store, relation, id));
    return (await store.imports.findOne({ _id: id })) ?? undefined;
  }
  if (rows.length === 0 || (await store.collection(relation).findOne({})) !== null) return undefined;
  const record = { _id: id, rows: 0, digest, identities: await identitiesOf(store, relation, rows) };
  try {
    await store.imports.insertOne(record);
    return record;
  } catch (error) {
    if (!isStorageError(error, 'duplicate_key')) throw error;
    // Another instance has begun meanwhile.
    return (await store.imports.findOne({ _id: id })) ?? undefined;
  }
}

/** A record's row count while rows of another version of the file are removed. */
const CLEARING = -1;

/** Removes a batch of rows loaded from another version of the file; false if there is nothing to remove. */
function removeLoaded(store: RowStore, relation: Relation, id: string): Promise<boolean> {
  return inTransaction(store, async (imports, collection, tally) => {
    // Counted, so that of two concurrent instances none removes what the other has loaded since.
    const { matched } = await imports.updateOne({ _id: id, rows: CLEARING }, { $inc: { cleared: 1 } });
    if (matched === 0) return false;
    const rows = collection(relation);
    const loaded = { _id: { $lt: loadedId(Number.MAX_SAFE_INTEGER) } };
    const found = await rows.find(loaded, { limit: BATCH }).toArray();
    if (found.length > 0) {
      await rows.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
      tally?.note(
        relation,
        found.map((before) => ({ before })),
      );
    } else await imports.updateOne({ _id: id }, { $set: { rows: 0 } });
    return found.length > 0;
  });
}

/** A standalone server has no transactions. */
async function inTransaction<T>(
  store: RowStore,
  work: (
    imports: Collection<FileProgress>,
    collection: CollectionOf,
    tally: Tally | undefined,
    isSafe: boolean,
  ) => Promise<T>,
): Promise<T> {
  try {
    return await store.transaction(async (collection, tx) => {
      const tally = store.sizes.tally(tx, false);
      const done = await work(store.imports.with(tx), collection, tally, true);
      await tally?.settle();
      return done;
    });
  } catch (error) {
    if (!isStorageError(error, 'unsupported')) throw error;
    return work(store.imports, store.collection, undefined, false);
  }
}

/** The numbers before those of the rows, by member: the same when a load is resumed. */
async function identitiesOf(
  store: RowStore,
  relation: Relation,
  rows: readonly Row[],
): Promise<Record<string, number>> {
  const before: Record<string, number> = {};
  for (const column of relation.columns.values()) {
    if (column.default?.kind !== 'identity') continue;
    const lacking = rows.filter((row) => !Object.hasOwn(row, column.name)).length;
    const chosen = rows.map((row) => row[column.name]).filter((value) => typeof value === 'number');
    await beginIdentities(store, relation, column, chosen);
    if (lacking === 0) continue;
    const next = await reserveIdentities(store, relation, column, lacking);
    before[column.field] = Number(next()) - 1;
  }
  return before;
}

type LoadedRow = { _id: string } & Record<string, Stored>;

/** The row to write: the file is the operator's own, so only types are checked, and keys by storage. */
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

/** Columns missing in the file's row get their defaults. */
function fillDefaults(
  relation: Relation,
  rows: readonly Row[],
  documents: readonly LoadedRow[],
  clock: Clock,
  identities: Readonly<Record<string, number>>,
): void {
  for (const column of relation.columns.values()) {
    if (column.default === undefined) continue;
    let number = identities[column.field] ?? 0;
    const defaults: Defaults = { clock, identity: () => ++number };
    for (const [at, document] of documents.entries()) {
      if (Object.hasOwn(rows[at] ?? {}, column.name)) continue;
      const value = defaultValue(column, defaults);
      if (value !== null) document[column.field] = value;
    }
  }
}

/** Rows are looked up by their keys: one without a key would not be found. */
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
 * Each batch is stored with its progress, so that the next start resumes an interrupted load. Instances that load the
 * same rows at once take turns. Returns how many rows this one stored.
 */
async function insertInBatches(
  store: RowStore,
  relation: Relation,
  documents: readonly StoredRow[],
  id: string,
  file: string,
  advance: (rows: number) => void,
): Promise<number> {
  let loaded = 0;
  for (;;) {
    const record = await store.imports.findOne({ _id: id });
    // Another instance has stored the rest.
    if (record === null) return loaded;
    const batch = documents.slice(record.rows, record.rows + BATCH);
    if (batch.length === 0) {
      await store.imports.deleteMany({ _id: id });
      return loaded;
    }
    try {
      if (await insertBatch(store, relation, batch, id, record.rows)) loaded += batch.length;
    } catch (error) {
      if (!isStorageError(error, 'duplicate_key')) throw error;
      const key = error.index ?? '';
      throw new RowsFileError(`${file}: "${relation.name}" has two rows with the same key (${key})`, {
        cause: error,
      });
    }
    advance(batch.length);
  }
}

/** False if another instance was first. */
function insertBatch(
  store: RowStore,
  relation: Relation,
  batch: readonly StoredRow[],
  id: string,
  before: number,
): Promise<boolean> {
  return inTransaction(store, async (imports, collection, tally, isSafe) => {
    const rows = collection(relation);
    // Without transactions an interrupted batch may be stored in part.
    if (!isSafe) await rows.bulkWrite(batch.map((row) => replacement(row)));
    const next = { $set: { rows: before + batch.length } };
    const { matched } = await imports.updateOne({ _id: id, rows: before }, next);
    if (!isSafe || matched === 0) return matched === 1;
    await rows.insertMany(batch);
    tally?.note(
      relation,
      batch.map((after) => ({ after })),
    );
    return true;
  });
}

function replacement(row: StoredRow): WriteOperation<StoredRow> {
  return { replaceOne: { filter: { _id: row._id }, replacement: row, upsert: true } };
}
