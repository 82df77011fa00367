/** The folder and the version of the package. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder of package.json: this file is compiled to dist/tools/cli. */
export const packageRoot = resolve(import.meta.dirname, '../../..');

export function packageVersion(): string {
  const manifest = readFileSync(join(packageRoot, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
