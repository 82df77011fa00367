/** Where the package is. */
import { resolve } from 'node:path';

/** The folder of package.json: this file is compiled to dist/tools/cli. */
export const packageRoot = resolve(import.meta.dirname, '../../..');
