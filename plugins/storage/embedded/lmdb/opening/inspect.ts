/**
 * Inspects the files of a folder before lmdb maps them: lmdb trusts its pages, and a truncated, mixed or modified
 * file would kill the process with a signal. Anything wrong throws `DamagedStore`, and nothing is written.
 */
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UNKNOWN } from '../log/boot-id.js';
import { CHECKPOINT, DATA, readNewest, type Checkpoint } from '../log/checkpoint.js';
import {
  assertStoreFormat,
  isAsClosed,
  decodeIdentity,
  IDENTITY,
  readStoreFile,
  STORE_FILE,
  type Identity,
} from './identity.js';
import { readMadeRepair } from './made-repair.js';
import { checkedMetaPages, transactionOf, walkPages } from '../pages/data-file.js';
import { Damage, DamagedStore, inFile } from '../damage.js';
import { checksumIsRight } from '../../checksum.js';
import { LOG, WriteAheadLog, type Logged } from '../log/write-ahead-log.js';

/** What state the files are in. */
export type Found =
  | { readonly kind: 'new' }
  /** `touched`: the data file was changed or copied since. */
  | { readonly kind: 'closed'; readonly touched: boolean }
  | {
      readonly kind: 'crashed';
      readonly checkpoint: Checkpoint;
      /** The commits after the checkpoint. */
      readonly records: readonly Logged[];
      /** Commits in the data file that are missing from the log; none was acknowledged. */
      readonly dropped: number;
    };

/** Leaf pages of larger files are not read: a full read takes seconds per gigabyte. */
const WHOLE = 2 ** 29;

const WHAT_TO_DO =
  'run "plugboard data repair" to see what can be kept, or remove the folder and restore a backup into a new one';

export function inspect(directory: string, boot: string): Found {
  assertStoreFormat(directory);
  if (readMadeRepair(directory) !== undefined)
    throw new DamagedStore(
      `a repair of "${directory}" was broken off; run "plugboard data repair --yes" again to finish it`,
    );
  const data = join(directory, DATA);
  const checkpoint = inFile(join(directory, CHECKPOINT), WHAT_TO_DO, () => readNewest(directory));
  if (!existsSync(data) || statSync(data).size === 0) {
    if (checkpoint !== undefined || readStoreFile(directory) !== undefined)
      throw new DamagedStore(
        `"${data}" is ${existsSync(data) ? 'empty' : 'missing'}; put it back, or remove the other files of "${directory}" and restore a backup`,
      );
    return { kind: 'new' };
  }
  const metaPages = inFile(data, WHAT_TO_DO, () => checkedMetaPages(data))!;
  if (checkpoint !== undefined) return crashed(directory, checkpoint, transactionOf(metaPages), boot);
  if (isAsClosed(directory)) return { kind: 'closed', touched: false };
  const identity = inFile(data, WHAT_TO_DO, () => walk(data, metaPages));
  if (identity !== undefined && identity.opening !== 0)
    throw new DamagedStore(
      `"${data}" was in use when it was copied or its server ended, and the files that belong to it ` +
        `(${CHECKPOINT}, ${LOG}) are missing; ${WHAT_TO_DO}`,
    );
  const known = readStoreFile(directory)?.store;
  if (identity !== undefined && known !== undefined && identity.store !== known)
    throw new DamagedStore(
      `"${data}" belongs to another store than "${join(directory, STORE_FILE)}" says; put the right one back, ` +
        `or remove "${STORE_FILE}" to use this one`,
    );
  return { kind: 'closed', touched: identity !== undefined };
}

function crashed(directory: string, checkpoint: Checkpoint, transaction: number, boot: string): Found {
  const data = join(directory, DATA);
  const { metaPages } = checkpoint;
  const before = inFile(join(directory, CHECKPOINT), WHAT_TO_DO, () => transactionOf(metaPages));
  inFile(data, WHAT_TO_DO, () => {
    if (transaction < before)
      throw new Damage(
        'it is older than its checkpoint, as when files of different times or stores are mixed',
      );
    const identity = walk(data, metaPages);
    if (identity !== undefined && identity.store !== checkpoint.store)
      throw new Damage('it belongs to another store than its checkpoint');
  });
  const records = inFile(join(directory, LOG), WHAT_TO_DO, () => readLog(directory, checkpoint));
  const logged = records.findIndex(({ operations }) => operations === undefined);
  const replayed = logged === -1 ? records : records.slice(0, logged);
  const dropped = Math.max(0, transaction - before - replayed.length);
  if (dropped > 0 && logged === -1)
    inFile(join(directory, LOG), WHAT_TO_DO, () => mustBeWhole(checkpoint, boot, dropped));
  return { kind: 'crashed', checkpoint, records: replayed, dropped };
}

function readLog(directory: string, checkpoint: Checkpoint): Logged[] {
  const { progress, opening } = checkpoint;
  const log = WriteAheadLog.open(directory, checkpoint);
  // A recovery crashed: its checkpoint includes the whole previous log, and it has no log of its own yet.
  if (log === undefined) return [];
  try {
    return [...log.read(progress.position, opening, progress.sequence)];
  } finally {
    log.close();
  }
}

/** Within one boot no written byte is lost, so the log must have every commit that the data file has. */
function mustBeWhole(checkpoint: Checkpoint, boot: string, dropped: number): void {
  if (checkpoint.logged && boot !== UNKNOWN && boot === checkpoint.boot)
    throw new Damage(`the last ${dropped} commits of the data file are missing from it`);
}

/** Returns the identity stored in this state. Throws `Damage`. */
function walk(path: string, metaPages: Buffer): Identity | undefined {
  const file = openSync(path, 'r');
  try {
    const leaves = statSync(path).size <= WHOLE;
    let identity: Identity | undefined;
    for (const { tree, key, value } of walkPages(file, metaPages, { leaves })) {
      if (tree === 'catalog' && key.equals(IDENTITY)) identity = decodeIdentity(value);
      if (tree === 'documents' && !checksumIsRight(value))
        throw new Damage('a document in it was changed by something else than the store');
    }
    return identity;
  } finally {
    closeSync(file);
  }
}
