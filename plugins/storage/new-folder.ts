/** The folder of a backup or an export, which the process makes that has the store: perhaps not as the user who typed it. */
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { makeFolder, UserError } from 'plugboard/sdk';
import { processUser } from './process-user.js';

/** Of what the user can mend by naming another folder. */
const REFUSALS = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'];

/** Makes the folder, or takes one that is empty by `isFree`. Throws a `UserError` where that is not possible. */
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
