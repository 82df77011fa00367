/** Refuses folders and dangling links in place of the store's files. */
import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from 'plugboard/sdk';
import { CHECKPOINT, DATA } from '../log/checkpoint.js';
import { LOCK } from './folder-lock.js';
import { STORE_FILE } from './identity.js';
import { LOG } from '../log/write-ahead-log.js';

const FILES = [LOCK, `${LOCK}-lock`, DATA, 'lock.mdb', CHECKPOINT, LOG, STORE_FILE, 'seal.key'];

/** Throws a `UserError` if one exists and is not a file: lmdb aborts the process if its lock file is a folder. */
export function assertFiles(directory: string): void {
  for (const path of FILES.map((name) => join(directory, name))) {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) continue;
    const target = statSync(path, { throwIfNoEntry: false });
    if (target?.isFile() === true) continue;
    const what = target === undefined ? 'a link to a file that does not exist' : 'not a file';
    throw new UserError(
      `the store cannot be opened: "${path}" is ${what}; move it away, or name another folder`,
    );
  }
}
