/** Fills an empty store from the file of an export, and compares the two at the end. */
import { UserError } from '../../../sdk/command.js';
import type { Collection, Document } from '../../../sdk/storage.js';
import { decode } from '../bson/decode.js';
import { encode } from '../bson/encode.js';
import { Tally, type Contents } from './digest.js';
import { readFrames, type Header } from './format.js';
import type { Progress } from './progress.js';
import { IMPORTS, type Transferable } from './transferable.js';

interface ImportRecord extends Document {
  /** The id of the export. */
  readonly export: string;
  readonly state: 'running' | 'done';
}

const RECORD = 'import';
/** Documents, and bytes of them, in one write. */
const BATCH = 500;
const BATCH_BYTES = 4 * 2 ** 20;

/**
 * An import that was cut goes on where it was when the same file is given again. Throws a `UserError` for a store
 * that holds anything else, before it writes.
 */
export async function importStore(
  store: Transferable,
  file: string,
  { progress, signal }: { readonly progress: Progress; readonly signal: AbortSignal },
): Promise<readonly Contents[]> {
  const frames = readFrames(file);
  const first = (await frames.next()).value;
  if (first?.kind !== 'header') throw new UserError(`"${file}" is not an export`);
  assertKnown(first.header, file);
  const resumed = await begin(store, first.header);

  let target: Batch | undefined;
  let promised: readonly Contents[] = [];
  for await (const frame of frames) {
    signal.throwIfAborted();
    switch (frame.kind) {
      case 'collection':
        await target?.write();
        target = new Batch(store.open(frame.name), resumed);
        break;
      case 'document':
        if (target === undefined)
          throw new UserError(`"${file}" is damaged: a document before any collection`);
        await target.add(frame.bytes);
        progress.advance(first.header.documents);
        break;
      case 'end':
        await target?.write();
        promised = frame.collections;
        break;
      case 'header':
        throw new UserError(`"${file}" is damaged: it begins twice`);
    }
  }
  for (const contents of promised) await assertSame(store, contents);
  await records(store).updateOne({ _id: RECORD }, { $set: { state: 'done' } });
  return promised;
}

/** Throws a `UserError` while an import has not finished: a server must not serve half of the data. */
export async function assertNoImportRuns(store: Transferable): Promise<void> {
  if (!(await store.names()).includes(IMPORTS)) return;
  if ((await records(store).findOne({ _id: RECORD }))?.state === 'running')
    throw new UserError(
      'an import into this store was cut off: run the same "plugboard data import" again, or begin with an empty store',
    );
}

/** Answers whether this import was begun before. */
async function begin(store: Transferable, { id }: Header): Promise<boolean> {
  const names = await store.names();
  if (names.includes(IMPORTS)) {
    const record = await records(store).findOne({ _id: RECORD });
    if (record?.state === 'running' && record.export === id) return true;
    if (record?.state === 'running')
      throw new UserError(
        'an import of another file was cut off here: run that one again, or take an empty store',
      );
  }
  for (const name of names.filter((one) => one !== IMPORTS)) {
    if ((await store.open(name).findOne({}, { projection: { _id: 1 } })) !== null)
      throw new UserError(
        `the store is not empty ("${name}" has documents): import into a new store, before its server has started`,
      );
  }
  await records(store).replaceOne(
    { _id: RECORD },
    { _id: RECORD, export: id, state: 'running' },
    { upsert: true },
  );
  return false;
}

async function assertSame(store: Transferable, { name, documents, digest }: Contents): Promise<void> {
  const tally = new Tally(name);
  for await (const document of store.open(name).find({}, { shared: true })) tally.add(encode(document));
  const found = tally.contents();
  if (found.documents === documents && found.digest === digest) return;
  throw new Error(
    `"${name}" differs from the export: ${found.documents} documents (${found.digest}), and the file has ${documents} (${digest})`,
  );
}

function assertKnown({ format, version }: Header, file: string): void {
  // The file says these, so the type promises nothing.
  if ((format as string) !== 'plugboard.export') throw new UserError(`"${file}" is not an export`);
  if ((version as number) !== 1)
    throw new UserError(`"${file}" has format version ${String(version)}; this server reads version 1`);
}

function records(store: Transferable): Collection<ImportRecord> {
  return store.open(IMPORTS) as unknown as Collection<ImportRecord>;
}

/** Documents of one collection on their way into the store. */
class Batch {
  readonly #collection: Collection<Document>;
  readonly #resumed: boolean;
  #documents: Document[] = [];
  #bytes = 0;

  constructor(collection: Collection<Document>, resumed: boolean) {
    this.#collection = collection;
    this.#resumed = resumed;
  }

  async add(bytes: Buffer): Promise<void> {
    this.#documents.push(decode(bytes) as unknown as Document);
    this.#bytes += bytes.length;
    if (this.#documents.length >= BATCH || this.#bytes >= BATCH_BYTES) await this.write();
  }

  async write(): Promise<void> {
    const documents = this.#resumed ? await this.#missing() : this.#documents;
    this.#documents = [];
    this.#bytes = 0;
    if (documents.length > 0) await this.#collection.insertMany(documents);
  }

  async #missing(): Promise<Document[]> {
    const ids = this.#documents.map(({ _id }) => _id);
    const there = await this.#collection.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
    const known = new Set(there.map(({ _id }) => _id));
    return this.#documents.filter(({ _id }) => !known.has(_id));
  }
}
