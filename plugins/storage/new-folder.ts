/** Creates the folder of a backup or export, in the process of the store: perhaps as another user than the caller. */
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { makeFolder, UserError } from 'plugboard/sdk';
import { processUser } from './process-user.js';

/** Errors that naming another folder solves. */
const REFUSALS = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'];

/** Creates the folder, or accepts an existing one if `isFree`. Throws a `UserError` otherwise. */
export function newFolder(
  directory: string,
  isFree = (path: string): boolean => !existsSync(path) || readdirSync(path).length === 0,
): void {
  try {
    if (!isFree(directory)) throw new UserError(`"${directory}" is not empty; name a new folder`);
    makeFolder(directory, 0o700);
    accessSync(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    const cause = (error as Error).cause ?? error;
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (!REFUSALS.includes(code)) throw error;
    throw new UserError(
      `"${directory}" cannot be written by ${processUser()}, as whom the process runs that has the store (${code}); ` +
        'name a folder that this user may write',
      { cause: error },
    );
  }
}
