/** The program of the embedded engine: a package of its own, for its licence, which a user installs or does not. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

export const PACKAGE = 'plugboard-engine-espeak-ng';

/** Its main file, from `folder` as plugins are found, then from the server's own; undefined where neither has it. */
export function findProgram(folder: string): string | undefined {
  for (const from of [join(folder, 'package.json'), import.meta.url]) {
    try {
      return createRequire(from).resolve(PACKAGE);
    } catch {
      // It is not installed there.
    }
  }
  return undefined;
}
