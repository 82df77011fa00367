/** Which store the files belong to (in the data file), and how that file looked when it was closed (next to it). */
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertFormat } from '../../../file-format.js';
import { DATA } from '../log/checkpoint.js';

export interface Identity {
  /** Random, made with the store; in hex. */
  readonly store: string;
  /** The current opening; 0 if the store was closed and the data file is complete. */
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

/** Version of all files of the folder: the keys and values of the data file, the log and the checkpoints. */
export const STORE_FORMAT = 1;

interface StoreFile {
  readonly format?: number;
  readonly store: string;
  /** Size and time of the data file when it was closed; undefined while it is open. */
  readonly closed?: { readonly size: number; readonly modified: number };
}

/** Throws a `UserError` for a store written by a newer version of the server. */
export function assertStoreFormat(directory: string): void {
  assertFormat(`the store in "${directory}"`, readStoreFile(directory) ?? {}, STORE_FORMAT);
}

/** Undefined if it is missing or unreadable. */
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

/** Whether the data file is unchanged since the store closed it: not copied, truncated or modified. */
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
