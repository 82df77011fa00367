/**
 * Imports an export into a store of either kind. It can be interrupted at any time and run again: documents are stored
 * by id, so repeating a page whose progress was not saved is harmless. At the end both sides are compared, document by
 * document.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { type Collection, type Document, pagesById, UserError } from 'plugboard/sdk';
import { encode } from '../bson/encode.js';
import { bringSealKeys } from '../seal-keys.js';
import type { TransferOptions } from './export.js';
import { checkFile, exportedPages } from './exported-file.js';
import {
  readManifest,
  readProgress,
  removeProgress,
  writeProgress,
  type ExportedCollection,
  type ImportProgress,
} from './manifest.js';
import { markFinished, markUnfinished } from './unfinished.js';
import { PAGE, type WholeStore } from './whole-store.js';

export interface Imported {
  readonly collections: number;
  readonly documents: number;
  /** Documents that expired before the comparison. */
  readonly expired: number;
  /** `stored`: in the folder of this store; `shown`: with the export, for the config; `none`: it has none. */
  readonly sealKey: 'stored' | 'shown' | 'none';
}

export interface ImportOptions extends TransferOptions {
  /** Whether existing documents may be deleted. */
  readonly replace: boolean;
  readonly hasSealKey: boolean;
}

export async function importAll(
  store: WholeStore,
  directory: string,
  { progress, signal, replace, hasSealKey }: ImportOptions,
): Promise<Imported> {
  const { collections } = readManifest(directory);
  for (const exported of collections) {
    checkFile(directory, exported);
    await turn();
  }
  const from = await begin(store, directory, collections, replace);
  const places = collections.map((exported, at) => placeOf(exported, at, from));
  for (const [at, exported] of collections.entries()) {
    let { bytes, documents } = places[at]!;
    const target = await store.open(exported.name);
    for (const page of exportedPages(directory, exported, bytes)) {
      if (signal.aborted) throw new UserError('interrupted; run the same command again to go on');
      await putAll(target, page.documents);
      bytes = page.end;
      documents += page.documents.length;
      writeProgress(directory, store.id, { collection: at, bytes, documents });
      progress.tell(exported.name, documents, exported.documents);
    }
  }
  let expired = 0;
  for (const exported of collections) expired += await compare(store, directory, exported);
  await markFinished(store);
  removeProgress(directory, store.id);
  return {
    collections: collections.length,
    documents: collections.reduce((sum, exported) => sum + exported.documents, 0),
    expired,
    sealKey: !hasSealKey ? 'none' : bring(store, directory),
  };
}

function bring(store: WholeStore, directory: string): 'stored' | 'shown' {
  return store.directory !== undefined && bringSealKeys(directory, store.directory) ? 'stored' : 'shown';
}

/** The progress of a collection. */
function placeOf(
  exported: ExportedCollection,
  at: number,
  from: ImportProgress,
): Pick<ImportProgress, 'bytes' | 'documents'> {
  if (at < from.collection) return exported;
  return at === from.collection ? from : { bytes: 0, documents: 0 };
}

/**
 * Empties the collections of the export, if allowed. Noted before anything is changed, so that the same import may
 * continue after an interruption.
 */
async function begin(
  store: WholeStore,
  directory: string,
  collections: readonly ExportedCollection[],
  replace: boolean,
): Promise<ImportProgress> {
  const noted = readProgress(directory, store.id);
  if (noted !== undefined && (noted.collection > 0 || noted.bytes > 0)) {
    await markUnfinished(store);
    return noted;
  }
  const filled: string[] = [];
  for (const { name } of collections)
    if ((await (await store.open(name)).findOne({})) !== null) filled.push(name);
  if (filled.length > 0 && !replace && noted === undefined)
    throw new UserError(
      `this store has documents in ${filled.slice(0, 5).join(', ')}${filled.length > 5 ? ', ...' : ''}; ` +
        'add --replace to delete what it has in the collections of the export',
    );
  const start = { collection: 0, bytes: 0, documents: 0 };
  await markUnfinished(store);
  writeProgress(directory, store.id, start);
  for (const name of filled) await empty(await store.open(name));
  return start;
}

async function empty(collection: Collection<Document>): Promise<void> {
  for await (const page of pagesById(collection, { size: PAGE }))
    await collection.deleteMany({ _id: { $in: page.map(({ _id }) => _id) } });
}

async function putAll(target: Collection<Document>, documents: readonly Document[]): Promise<void> {
  await target.bulkWrite(
    documents.map((document) => ({
      replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true },
    })),
  );
}

/** Returns the number of documents that expired meanwhile. Throws on any other difference. */
async function compare(store: WholeStore, directory: string, exported: ExportedCollection): Promise<number> {
  const target = await store.open(exported.name);
  let expired = 0;
  let last: string | undefined;
  for (const { documents } of exportedPages(directory, exported, 0)) {
    const present = new Map<string, Document>();
    for (const document of await range(target, last, documents.at(-1)!._id))
      present.set(document._id, document);
    last = documents.at(-1)!._id;
    for (const document of documents) {
      const found = present.get(document._id);
      present.delete(document._id);
      if (found === undefined && mayHaveExpired(document)) expired++;
      else if (found === undefined || !encode(found).equals(encode(document)))
        throw new Error(`${exported.name}: the document "${document._id}" is not as it was exported`);
    }
    const [extra] = present.keys();
    if (extra !== undefined)
      throw new Error(`${exported.name}: the document "${extra}" is not of the export`);
  }
  return expired;
}

/** Documents with ids after `after`, up to and including `last`. */
async function range(
  target: Collection<Document>,
  after: string | undefined,
  last: string,
): Promise<Document[]> {
  const _id = after === undefined ? { $lte: last } : { $gt: after, $lte: last };
  return target.find({ _id }, { sort: { _id: 1 }, limit: 2 * PAGE }).toArray();
}

function mayHaveExpired(document: Document): boolean {
  return Object.values(document).some((value) => value instanceof Date && value.getTime() <= Date.now());
}
