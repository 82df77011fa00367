/** `plugboard version` */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExitCode } from './exit-code.js';
import { packageRoot } from './package-root.js';

export function version(): ExitCode {
  const { version: number } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  console.log(`plugboard ${number}, node ${process.version}`);
  return 0;
}
