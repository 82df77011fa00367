/** Folders and files of this machine that a config names: the keys whose schema says `folder: true` or `file: true`. */
import { accessSync, constants, lstatSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { marked } from '../../config/marks.js';
import type { ConfigPath } from '../../config/problem.js';
import type { Instance } from './order.js';

export interface NamedPath {
  readonly path: ConfigPath;
  readonly absolute: string;
}

/** A folder is written into; a file is read. */
export function namedPaths(
  mark: 'folder' | 'file',
  { section, id, definition, config }: Pick<Instance, 'section' | 'id' | 'definition' | 'config'>,
  baseDir: string,
): NamedPath[] {
  return marked(mark, definition.config, config, [section, id]).flatMap(({ path, value }) =>
    typeof value === 'string' ? [{ path, absolute: resolve(baseDir, value) }] : [],
  );
}

/** Why this user cannot read the file; undefined if no reason is found. */
export function fileProblem(file: string): string | undefined {
  try {
    if (statSync(file).isDirectory()) return `${file} is a folder, not a file`;
    accessSync(file, constants.R_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? `there is no file ${file}`
      : `this user may not read ${file} (${code ?? 'error'})`;
  }
}

/** Why this user cannot write into the folder, which need not exist yet; undefined if no reason is found. */
export function folderProblem(folder: string): string | undefined {
  let at = folder;
  for (;;) {
    try {
      if (!statSync(at).isDirectory()) return `${at} is a file, not a folder`;
      accessSync(at, constants.W_OK | constants.X_OK);
      return undefined;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' && isLink(at))
        return `"${at}" is a link to a folder that does not exist; make that folder, or name another`;
      if (code === 'ENOENT' && dirname(at) !== at) at = dirname(at);
      else if (code === 'ENOTDIR') return `a part of the path ${folder} is a file`;
      else return `this user may not write into ${at} (${code ?? 'error'})${ownerOf(at)}`;
    }
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Undefined if a folder above it may not be read. */
function ownerId(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
}

function ownerOf(path: string): string {
  if (process.getuid === undefined) return '';
  const uid = ownerId(path);
  return uid === undefined || uid === process.getuid()
    ? ''
    : `; it belongs to the user with the id ${uid}: run this as that user`;
}
