/** Copies the store while it is in use. The copy is complete once it has a `backup.json`. */
import { chmodSync, closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { open } from 'lmdb';
import { UserError } from 'plugboard/sdk';
import { checksumIsRight } from '../checksum.js';
import { DATA } from '../lmdb/log/checkpoint.js';
import type { Environment } from '../lmdb/environment.js';
import { encodeIdentity, IDENTITY, STORE_FORMAT } from '../lmdb/opening/identity.js';
import { KeySpace } from '../lmdb/key-space.js';
import { isEncrypted } from './encryption.js';
import { newFolder } from '../../new-folder.js';
import { assertFormat } from '../../file-format.js';
import { Damage } from '../lmdb/damage.js';
import { checkedMetaPages, walkPages, type PageEntry } from '../lmdb/pages/data-file.js';

/** Written last: without it a backup is incomplete. */
export const BACKUP = 'backup.json';
const PER_TURN = 256;

export interface Backup {
  /** Of the store that was copied. Absent: 1. */
  readonly format?: number;
  /** The id of the store, in hex. */
  readonly store: string;
  readonly at: string;
  readonly documents: number;
}

export async function backup(environment: Environment, directory: string, now: number): Promise<Backup> {
  newFolder(directory);
  await environment.copyTo(directory);
  await close(directory, environment.store);
  chmodSync(join(directory, DATA), 0o600);
  const documents = await countDocuments(directory);
  const made = { format: STORE_FORMAT, store: environment.store, at: new Date(now).toISOString(), documents };
  writeFileSync(join(directory, BACKUP), `${JSON.stringify(made)}\n`, { mode: 0o600, flush: true });
  return made;
}

/** Marks the copy as closed: it needs no log. */
async function close(directory: string, store: string): Promise<void> {
  const path = join(directory, DATA);
  const root = open<Buffer, Buffer>({
    path,
    noSubdir: true,
    overlappingSync: false,
    encoding: 'binary',
    keyEncoding: 'binary',
  });
  try {
    root.transactionSync(() =>
      new KeySpace(root, 'catalog').put(IDENTITY, encodeIdentity({ store, opening: 0 })),
    );
  } finally {
    await root.close();
  }
  rmSync(`${path}-lock`, { force: true });
}

/** Throws a `UserError` if the folder has no complete backup. */
export function readBackup(directory: string): Backup {
  if (isEncrypted(directory))
    throw new UserError(
      `the backup in "${directory}" is encrypted: add --identity FILE, as age-keygen writes it`,
    );
  if (!existsSync(join(directory, DATA))) throw new UserError(`there is no backup in "${directory}"`);
  let made: Backup;
  try {
    made = JSON.parse(readFileSync(join(directory, BACKUP), 'utf8')) as Backup;
  } catch (error) {
    throw new UserError(`"${directory}" is not a whole backup: ${BACKUP} is missing or cannot be read`, {
      cause: error,
    });
  }
  assertFormat(`the backup in "${directory}"`, made, STORE_FORMAT);
  return made;
}

/** The id of the store that a folder is a complete backup of, even an encrypted one; else undefined. */
export function storeOfBackup(directory: string): string | undefined {
  const path = join(directory, BACKUP);
  if (!existsSync(path)) return undefined;
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as Backup).store;
  } catch {
    return undefined;
  }
}

async function countDocuments(directory: string): Promise<number> {
  let documents = 0;
  for await (const { tree } of entriesOfBackup(directory)) if (tree === 'documents') documents++;
  return documents;
}

/**
 * Every entry of a copy, read without lmdb and checked on the way; a `UserError` if it is damaged. Yields to the event
 * loop.
 */
export async function* entriesOfBackup(directory: string): AsyncGenerator<PageEntry, void> {
  const path = join(directory, DATA);
  const file = openSync(path, 'r');
  try {
    const metaPages = checkedMetaPages(path);
    if (metaPages === undefined) throw new Damage('it is empty');
    let count = 0;
    for (const entry of walkPages(file, metaPages)) {
      if (entry.tree === 'documents' && !checksumIsRight(entry.value))
        throw new Damage('a document in it does not match its checksum');
      yield entry;
      if (++count % PER_TURN === 0) await turn();
    }
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    throw new UserError(`"${path}" is damaged: ${error.message}`, { cause: error });
  } finally {
    closeSync(file);
  }
}
