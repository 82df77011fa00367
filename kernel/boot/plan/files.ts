/** Files that a config names and that are read: the keys whose schema says `file: true`. */
import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { marked } from '../../config/marks.js';
import type { ConfigPath } from '../../config/problem.js';
import type { Instance } from './order.js';

export interface ConfigFile {
  readonly path: ConfigPath;
  /** Absolute. */
  readonly file: string;
}

export function filesOf(
  { section, id, definition, config }: Pick<Instance, 'section' | 'id' | 'definition' | 'config'>,
  baseDir: string,
): ConfigFile[] {
  return marked('file', definition.config, config, [section, id]).flatMap(({ path, value }) =>
    typeof value === 'string' ? [{ path, file: resolve(baseDir, value) }] : [],
  );
}

/** Why this user cannot read the file; undefined when nothing speaks against it. */
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
