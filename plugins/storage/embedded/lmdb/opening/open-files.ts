/** Opens the files of a folder: creates a store, opens one that was closed, or recovers one that was not. */
import { randomBytes, randomInt } from 'node:crypto';
import { chmodSync, fdatasyncSync, openSync, closeSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { CHECKPOINT, DATA } from '../log/checkpoint.js';
import { syncDirectory } from '../log/disk.js';
import { decodeIdentity, encodeIdentity, IDENTITY, writeStoreFile } from './identity.js';
import { inspect, type Found } from './inspect.js';
import { KeySpace, type Space } from '../key-space.js';
import { room } from './room.js';
import { writeMetaPages } from '../pages/data-file.js';
import type { Operation } from '../log/record.js';
import { LOG, type Logged } from '../log/write-ahead-log.js';

export interface Files {
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly spaces: Readonly<Record<Space, KeySpace>>;
  /** The id of the store, in hex. */
  readonly store: string;
  /** The id of this opening. */
  readonly opening: number;
  /** The opening that crashed; 0 if the store was closed. */
  readonly previous: number;
  /** One line about the recovery; undefined if none was needed. */
  readonly recovery: string | undefined;
  /** Whether indexes may disagree with documents: after a crash, or a change of the files by another program. */
  readonly doubtful: boolean;
}

/** Throws a `UserError` if files are damaged or do not belong together, and leaves them untouched. */
export function openFiles(directory: string, boot: string): Files {
  const found = inspect(directory, boot);
  if (found.kind === 'crashed') writeMetaPages(join(directory, DATA), found.checkpoint.metaPages);
  const mapSize = room();
  const root = open<Buffer, Buffer>({
    path: directory,
    noSubdir: false,
    encoding: 'binary',
    keyEncoding: 'binary',
    overlappingSync: false,
    maxReaders: 512,
    ...(mapSize !== undefined && { mapSize }),
    ...FREE_SPACE,
  });
  const spaces = root.transactionSync(() => {
    const opened = openSpaces(root);
    if (found.kind === 'crashed') replay(opened, found.records);
    return opened;
  });
  const known = spaces.catalog.get(IDENTITY);
  const store = known === undefined ? randomBytes(16).toString('hex') : decodeIdentity(known).store;
  if (known === undefined)
    root.transactionSync(() => spaces.catalog.put(IDENTITY, encodeIdentity({ store, opening: 0 })));
  toDisk(directory);
  protect(directory);
  writeStoreFile(directory, store, 'open');
  return {
    root,
    spaces,
    store,
    opening: randomInt(1, 2 ** 32),
    previous: found.kind === 'crashed' ? found.checkpoint.opening : 0,
    recovery: describe(found),
    doubtful: found.kind === 'crashed' || (found.kind === 'closed' && found.touched),
  };
}

/** Called after the last commit, with lmdb closed: the data file no longer needs the log and the checkpoint. */
export function leaveFiles(directory: string, store: string): void {
  toDisk(directory);
  writeStoreFile(directory, store, 'closed');
  for (const name of [CHECKPOINT, LOG]) rmSync(join(directory, name), { force: true });
  syncDirectory(directory);
}

/**
 * In pages. At every commit lmdb walks all free pages that it has in memory, which dominates after a large batch. The
 * types of lmdb lack these options.
 */
const FREE_SPACE: object = { maxFreeSpaceToLoad: 1000, maxFreeSpaceToRetain: 300 };

function openSpaces(root: RootDatabase<Buffer, Buffer>): Files['spaces'] {
  return {
    documents: new KeySpace(root, 'documents'),
    indexes: new KeySpace(root, 'indexes'),
    changes: new KeySpace(root, 'changes'),
    catalog: new KeySpace(root, 'catalog'),
  };
}

function replay(spaces: Files['spaces'], records: readonly Logged[]): void {
  for (const { operations = [] } of records) for (const operation of operations) apply(spaces, operation);
}

function apply(spaces: Files['spaces'], operation: Operation): void {
  const space = spaces[operation.space];
  if (operation.kind === 'put') space.put(operation.key, operation.value);
  else if (operation.kind === 'remove') space.remove(operation.key);
  else space.clear();
}

function describe(found: Found): string | undefined {
  if (found.kind !== 'crashed') return undefined;
  const { records, dropped } = found;
  const lost =
    dropped === 0
      ? 'nothing was dropped'
      : `${commits(dropped)} that had not reached the log, and were not acknowledged, ${dropped === 1 ? 'was' : 'were'} dropped`;
  return `the store was not closed: recovered ${commits(records.length)} from its log; ${lost}`;
}

function commits(count: number): string {
  return count === 1 ? '1 commit' : `${count} commits`;
}

/** Only the server's user may read the store, also in a folder that existed before. Windows has no such modes. */
function protect(directory: string): void {
  if (process.platform === 'win32') return;
  chmodSync(directory, 0o700);
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const stats = statSync(path);
    if (stats.isFile() && (stats.mode & 0o077) !== 0 && OURS.test(name)) chmodSync(path, 0o600);
  }
}

const OURS = /^(data|lock|server)\.(mdb|json)(-lock)?$|^(checkpoint|write-ahead\.log|store\.json|seal\.key)$/;

function toDisk(directory: string): void {
  const data = openSync(join(directory, DATA), 'r+');
  try {
    fdatasyncSync(data);
  } finally {
    closeSync(data);
  }
}
