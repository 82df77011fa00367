/** Paths: names and positions, separated by dots. */
import { StorageError } from 'plugboard/sdk';

/** Checks a path; throws `invalid`. The error of the server would not name the path. */
export function checkPath(path: string): string {
  if (path.includes('\0') || path.split('.').some((part) => part === '' || part.startsWith('$')))
    throw new StorageError('invalid', `${JSON.stringify(path)} is not a path of names and positions`);
  return path;
}
