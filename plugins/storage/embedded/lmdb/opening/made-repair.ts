/** A repair builds the new data file in a folder of its own, and replaces the old files once it is complete. */
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

/** Undefined if there is none, or it was interrupted before its data file was complete. */
export function readMadeRepair(directory: string): MadeRepair | undefined {
  const path = join(directory, DRAFT, MADE);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as MadeRepair) : undefined;
}

export function writeMadeRepair(directory: string, made: MadeRepair): void {
  const draft = join(directory, DRAFT);
  writeFileSync(join(draft, MADE), `${JSON.stringify(made)}\n`, { mode: 0o600, flush: true });
  syncDirectory(draft);
}
