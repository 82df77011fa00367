/** Folders of this machine that a config names: the keys whose schema says `folder: true`. */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ConfigPath } from './config/problem.js';
import type { Instance } from './plan.js';

export interface ConfigFolder {
  readonly path: ConfigPath;
  /** Absolute. */
  readonly folder: string;
}

interface Schema {
  readonly folder?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
}

export function foldersOf(
  { section, id, definition, config }: Pick<Instance, 'section' | 'id' | 'definition' | 'config'>,
  baseDir: string,
): ConfigFolder[] {
  const walk = (schema: Schema, value: unknown, path: ConfigPath): ConfigFolder[] => {
    if (schema.folder === true && typeof value === 'string')
      return [{ path, folder: resolve(baseDir, value) }];
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) =>
      walk(inner, (value as Record<string, unknown>)[key], [...path, key]),
    );
  };
  return walk(definition.config as Schema, config, [section, id]);
}

/** Why this user cannot write into the folder, which need not exist yet; undefined when nothing speaks against it. */
export function folderProblem(folder: string): string | undefined {
  let at = folder;
  for (;;) {
    try {
      if (!statSync(at).isDirectory()) return `${at} is a file, not a folder`;
      accessSync(at, constants.W_OK | constants.X_OK);
      return undefined;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' && dirname(at) !== at) at = dirname(at);
      else if (code === 'ENOTDIR') return `a part of the path ${folder} is a file`;
      else return `this user may not write into ${at} (${code ?? 'error'})`;
    }
  }
}
