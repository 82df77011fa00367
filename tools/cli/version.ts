/** `plugboard version` */
import type { ExitCode } from './exit-code.js';
import { packageVersion } from './package-root.js';

export function version(): ExitCode {
  console.log(`plugboard ${packageVersion()}, node ${process.version}`);
  return 0;
}
