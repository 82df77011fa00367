/** Makes folders that a user named. */
import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UserError } from './plugin/command.js';

/**
 * Makes a folder and its missing parents with `mode`; existing ones stay unchanged. Throws a `UserError` that names the
 * folder and the reason. Step by step: Node's recursive `mkdir` never ends below /proc.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  const missing: string[] = [];
  let at = resolve(folder);
  try {
    for (; !isFolder(at); at = dirname(at)) missing.unshift(at);
    for (at of missing) makeOne(at, mode);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = REASONS[code ?? '']?.(at, folder) ?? message;
    throw new UserError(`the folder "${folder}" cannot be made: ${reason}`, { cause: error });
  }
}

const REASONS: Readonly<Record<string, (at: string, folder: string) => string>> = {
  EACCES: (at) => `this user may not write into "${dirname(at)}"; name another folder, or change its owner`,
  EPERM: (at) => `"${dirname(at)}" takes no folders; name another one`,
  ENOENT: (at) => `"${dirname(at)}" takes no folders; name another one`,
  EROFS: (at) => `the file system of "${dirname(at)}" is read-only; name another folder`,
  ENOSPC: () => 'the disk is full; make room, or name a folder on another disk',
  EDQUOT: () => 'the quota of this user is used up; make room, or name a folder on another disk',
  ENOTDIR: () => 'a part of the path is a file; name another folder',
  EEXIST: (at) =>
    isLink(at)
      ? `"${at}" is a link to a folder that does not exist; make that folder, or name another`
      : `"${at}" is a file; name another folder`,
  ELOOP: (at) => `the links of "${at}" lead back to themselves; name another folder`,
  ENAMETOOLONG: () => 'its name is too long; name another folder',
};

/** False if nothing is there. */
function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** False if nothing is there. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Another process may make it at the same time. */
function makeOne(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(path)) throw error;
  }
}
