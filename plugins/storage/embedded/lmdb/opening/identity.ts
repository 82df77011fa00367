/** Which store the files belong to: kept in the data file, and beside it what the data file was when it was closed. */
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertFormat } from '../../../file-format.js';
import { DATA } from '../log/checkpoint.js';

export interface Identity {
  /** Made when the store was, in hex. */
  readonly store: string;
  /** Of the process that has it open; 0: it was closed, and the data file is all that counts. */
  readonly opening: number;
}

/** The key in the catalog. */
export const IDENTITY = Buffer.from('store');

/** [store: 16][opening: 4] */
export function encodeIdentity({ store, opening }: Identity): Buffer {
  const bytes = Buffer.alloc(20);
  bytes.write(store, 0, 16, 'hex');
  bytes.writeUInt32LE(opening, 16);
  return bytes;
}

export function decodeIdentity(bytes: Buffer): Identity {
  return { store: bytes.toString('hex', 0, 16), opening: bytes.readUInt32LE(16) };
}

export const STORE_FILE = 'store.json';

/** Of all files of the folder together: the layout of the keys and values in the data file, the log, the checkpoints. */
export const STORE_FORMAT = 1;

interface StoreFile {
  readonly format?: number;
  readonly store: string;
  /** What the data file was when it was closed; undefined: it is open. */
  readonly closed?: { readonly size: number; readonly modified: number };
}

/** Throws a `UserError` for a store that a newer version of the server has written: it is left as it is. */
export function assertStoreFormat(directory: string): void {
  assertFormat(`the store in "${directory}"`, readStoreFile(directory) ?? {}, STORE_FORMAT);
}

/** Undefined: there is none that can be read. */
export function readStoreFile(directory: string): StoreFile | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, STORE_FILE), 'utf8')) as StoreFile;
  } catch {
    return undefined;
  }
}

export function writeStoreFile(directory: string, store: string, state: 'open' | 'closed'): void {
  const file: StoreFile = {
    format: STORE_FORMAT,
    store,
    ...(state === 'closed' && { closed: footprint(directory) }),
  };
  const draft = join(directory, `${STORE_FILE}.new`);
  writeFileSync(draft, `${JSON.stringify(file)}\n`, { mode: 0o600 });
  renameSync(draft, join(directory, STORE_FILE));
}

/** Whether the data file is as the store left it: then nobody has copied, cut or changed it since. */
export function isAsClosed(directory: string): boolean {
  const closed = readStoreFile(directory)?.closed;
  if (closed === undefined || !existsSync(join(directory, DATA))) return false;
  const { size, modified } = footprint(directory);
  return size === closed.size && modified === closed.modified;
}

function footprint(directory: string): { size: number; modified: number } {
  const { size, mtimeMs } = statSync(join(directory, DATA));
  return { size, modified: mtimeMs };
}
