/** The manifest of an export, `export.json`, which is written last; until then, its progress. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from 'plugboard/sdk';
import { assertFormat } from '../file-format.js';

export interface ExportedCollection {
  /** `namespace/name`. */
  readonly name: string;
  /** Concatenated BSON documents, in id order. */
  readonly file: string;
  readonly documents: number;
  readonly bytes: number;
  /** CRC-32 of the file. */
  readonly checksum: number;
}

/** Of `export.json` and of the files that it lists. */
export const FORMAT = 1;

export interface Manifest {
  readonly format: typeof FORMAT;
  /** The id of the exported store. */
  readonly store: string;
  readonly collections: readonly ExportedCollection[];
}

/** The collection being written; `last` is its last id so far. */
export interface Unfinished extends Manifest {
  readonly current?: ExportedCollection & { readonly last: string | undefined };
}

const DONE = 'export.json';
const UNFINISHED = 'export.unfinished.json';

/** Throws a `UserError` if the folder has no complete export. */
export function readManifest(directory: string): Manifest {
  if (existsSync(join(directory, UNFINISHED)))
    throw new UserError(
      `the export in "${directory}" is not finished; run "plugboard data export" on it again`,
    );
  if (!existsSync(join(directory, DONE))) throw new UserError(`there is no export in "${directory}"`);
  return ofFormat(directory, read(join(directory, DONE)) as Manifest);
}

/** Undefined if no export has begun there. */
export function readUnfinished(directory: string): Unfinished | undefined {
  const path = join(directory, UNFINISHED);
  return existsSync(path) ? ofFormat(directory, read(path) as Unfinished) : undefined;
}

function ofFormat<M extends Manifest>(directory: string, manifest: M): M {
  assertFormat(`the export in "${directory}"`, manifest, FORMAT);
  return manifest;
}

/** Whether an export may begin there: an earlier one may have been killed before it saved any progress. */
export function isFree(directory: string): boolean {
  return !existsSync(directory) || readdirSync(directory).every((name) => name === `${UNFINISHED}.new`);
}

export function writeUnfinished(directory: string, unfinished: Unfinished): void {
  write(join(directory, UNFINISHED), unfinished);
}

export function writeManifest(directory: string, manifest: Manifest): void {
  write(join(directory, DONE), manifest);
  rmSync(join(directory, UNFINISHED), { force: true });
}

/** The progress of an import; undefined if it has not begun. */
export function readProgress(directory: string, store: string): ImportProgress | undefined {
  const path = progressPath(directory, store);
  return existsSync(path) ? (read(path) as ImportProgress) : undefined;
}

export interface ImportProgress {
  /** Index in the list of collections. */
  readonly collection: number;
  /** Bytes of its file that are imported. */
  readonly bytes: number;
  readonly documents: number;
}

export function writeProgress(directory: string, store: string, progress: ImportProgress): void {
  write(progressPath(directory, store), progress);
}

export function removeProgress(directory: string, store: string): void {
  rmSync(progressPath(directory, store), { force: true });
}

function progressPath(directory: string, store: string): string {
  return join(directory, `import-${store}.json`);
}

function read(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UserError(`"${path}" cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function write(path: string, value: object): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}
