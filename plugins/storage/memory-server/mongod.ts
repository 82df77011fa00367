/** Finds a mongod on this machine. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A binary on this machine. */
export interface Mongod {
  readonly path: string;
  /** The variable or folder in which it was found, for messages. */
  readonly foundIn: string;
}

/** `MONGOMS_SYSTEM_BINARY`, then the first `mongod` on the PATH; null if there is neither. */
export function findMongod(env: NodeJS.ProcessEnv = process.env): Mongod | null {
  const named = env['MONGOMS_SYSTEM_BINARY'];
  if (named) {
    if (isExecutable(named)) return { path: named, foundIn: 'MONGOMS_SYSTEM_BINARY' };
    throw new Error(`MONGOMS_SYSTEM_BINARY names "${named}", which is not an executable file`);
  }
  const folder = (env['PATH'] ?? '').split(delimiter).find((entry) => isExecutable(join(entry, NAME)));
  return folder === undefined ? null : { path: join(folder, NAME), foundIn: 'PATH' };
}

/** `6.0.5`, as the binary reports it. */
export function versionOf(path: string): string {
  if (!isExecutable(path)) throw new Error(`"${path}" is not an executable file`);
  const text = execFileSync(path, ['--version'], { encoding: 'utf8', timeout: STARTS_WITHIN });
  const version = /db version v(\d+\.\d+\.\d+)/.exec(text)?.[1];
  if (version === undefined) throw new Error(`"${path}" does not tell the version of a mongod`);
  return version;
}

/** Milliseconds; enough for a busy machine to read a binary of 150 MB from disk. */
const STARTS_WITHIN = 60_000;

const NAME = process.platform === 'win32' ? 'mongod.exe' : 'mongod';

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
