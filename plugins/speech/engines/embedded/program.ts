/** The program of the embedded engine: a separate, optional package because of its licence. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

export const PACKAGE = 'plugboard-engine-espeak-ng';

/** Its main file, resolved from `folder` like plugins, then from the server; undefined if neither has it. */
export function findProgram(folder: string): string | undefined {
  for (const from of [join(folder, 'package.json'), import.meta.url]) {
    try {
      return createRequire(from).resolve(PACKAGE);
    } catch {
      // Not installed there.
    }
  }
  return undefined;
}
