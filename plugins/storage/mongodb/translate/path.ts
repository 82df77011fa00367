/** Paths: names and positions with dots between them. */
import { StorageError } from 'plugboard/sdk';

/** The path, or `invalid` for what is none: the server's own refusal would not say which. */
export function checkPath(path: string): string {
  if (path.includes('\0') || path.split('.').some((part) => part === '' || part.startsWith('$')))
    throw new StorageError('invalid', `${JSON.stringify(path)} is not a path of names and positions`);
  return path;
}
