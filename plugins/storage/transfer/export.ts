/**
 * Exports every collection of a store into a folder. It can be interrupted at any time and run again: it continues
 * after the last page on disk.
 */
import { closeSync, fdatasyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Collection, type Document, pagesById, UserError } from 'plugboard/sdk';
import { encode } from '../bson/encode.js';
import { newFolder } from '../new-folder.js';
import { takeSealKeys } from '../seal-keys.js';
import {
  FORMAT,
  isFree,
  readUnfinished,
  writeManifest,
  writeUnfinished,
  type ExportedCollection,
  type Unfinished,
} from './manifest.js';
import type { ProgressLine } from './progress-line.js';
import { MARKS } from './unfinished.js';
import { PAGE, type WholeStore } from './whole-store.js';

export interface Exported {
  readonly collections: number;
  readonly documents: number;
  /** Whether the export includes the sealing key of the store's folder. */
  readonly sealKey: boolean;
}

export interface TransferOptions {
  readonly progress: ProgressLine;
  readonly signal: AbortSignal;
}

export async function exportAll(
  store: WholeStore,
  directory: string,
  { progress, signal }: TransferOptions,
): Promise<Exported> {
  let state = begin(store, directory);
  for (const name of (await store.collections()).filter((one) => one !== MARKS).toSorted()) {
    if (state.collections.some((done) => done.name === name)) continue;
    const collection = await store.open(name);
    const writer = new CollectionWriter(directory, name, state);
    const total = await collection.countDocuments({});
    const written = await writer.write(collection, signal, (documents) =>
      progress.tell(name, documents, total),
    );
    state = { ...withoutCurrent(state), collections: [...state.collections, written] };
    writeUnfinished(directory, state);
  }
  const sealKey = takeSealKeys(store.directory, directory);
  writeManifest(directory, withoutCurrent(state));
  const documents = state.collections.reduce((sum, each) => sum + each.documents, 0);
  return { collections: state.collections.length, documents, sealKey };
}

function begin(store: WholeStore, directory: string): Unfinished {
  const unfinished = readUnfinished(directory);
  if (unfinished !== undefined) {
    if (unfinished.store !== store.id)
      throw new UserError(`"${directory}" holds an unfinished export of another store; name a new folder`);
    return unfinished;
  }
  newFolder(directory, isFree);
  const state: Unfinished = { format: FORMAT, store: store.id, collections: [] };
  writeUnfinished(directory, state);
  return state;
}

function withoutCurrent({ format, store, collections }: Unfinished): Unfinished {
  return { format, store, collections };
}

class CollectionWriter {
  readonly #directory: string;
  readonly #state: Unfinished;
  #written: ExportedCollection;
  #last: string | undefined;

  constructor(directory: string, name: string, state: Unfinished) {
    this.#directory = directory;
    this.#state = state;
    const { current } = state;
    const goesOn = current?.name === name;
    this.#last = goesOn ? current.last : undefined;
    this.#written = goesOn
      ? {
          name,
          file: current.file,
          documents: current.documents,
          bytes: current.bytes,
          checksum: current.checksum,
        }
      : { name, file: `${name.replace('/', '.')}.bson`, documents: 0, bytes: 0, checksum: 0 };
  }

  async write(
    collection: Collection<Document>,
    signal: AbortSignal,
    report: (documents: number) => void,
  ): Promise<ExportedCollection> {
    const file = openSync(join(this.#directory, this.#written.file), 'a+', 0o600);
    try {
      // Drop what was written after the last saved position.
      ftruncateSync(file, this.#written.bytes);
      for await (const page of pagesById(collection, { after: this.#last, size: PAGE })) {
        if (signal.aborted) throw new UserError('interrupted; run the same command again to go on');
        this.#append(file, page);
        report(this.#written.documents);
      }
      fdatasyncSync(file);
      return this.#written;
    } finally {
      closeSync(file);
    }
  }

  #append(file: number, page: readonly Document[]): void {
    const bytes = Buffer.concat(page.map(encode));
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    const { documents, bytes: before, checksum } = this.#written;
    this.#written = {
      ...this.#written,
      documents: documents + page.length,
      bytes: before + bytes.length,
      checksum: crc32(bytes, checksum),
    };
    this.#last = page.at(-1)!._id;
    // The position is saved once everything before it is on disk.
    fdatasyncSync(file);
    writeUnfinished(this.#directory, { ...this.#state, current: { ...this.#written, last: this.#last } });
  }
}
