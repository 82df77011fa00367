/**
 * Where the stores of a test run are: in memory, if there is enough. Each acknowledged write waits for its
 * disk, and a run makes tens of thousands; what a test kills is a process and never the machine.
 */
import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux keeps it in memory. */
const IN_MEMORY = '/dev/shm';
/** Bytes: mongod allocates its journals ahead, and a test may start three. */
const ENOUGH = 4 * 2 ** 30;

/** A new folder. A TMPDIR that is set decides where. */
export function makeTestFolder(env: NodeJS.ProcessEnv = process.env): { path: string; remove(): void } {
  const parent = env['TMPDIR'] === undefined && roomInMemory() ? IN_MEMORY : tmpdir();
  const path = mkdtempSync(join(parent, 'plugboard-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

function roomInMemory(): boolean {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH;
  } catch {
    return false;
  }
}
