/** A repair makes its new data file in a folder of its own. Once that is whole, the old files give way to it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncDirectory } from '../log/disk.js';

/** In the folder of the store. */
export const DRAFT = 'repair';
const MADE = 'made.json';

export interface MadeRepair {
  readonly documents: number;
  /** The name of the folder for the damaged files. */
  readonly aside: string;
}

/** Undefined: there is none, or it was broken off before its data file was whole. */
export function readMadeRepair(directory: string): MadeRepair | undefined {
  const path = join(directory, DRAFT, MADE);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as MadeRepair) : undefined;
}

export function writeMadeRepair(directory: string, made: MadeRepair): void {
  const draft = join(directory, DRAFT);
  writeFileSync(join(draft, MADE), `${JSON.stringify(made)}\n`, { mode: 0o600, flush: true });
  syncDirectory(draft);
}
