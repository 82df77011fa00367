/** The second half of `npm run build`, behind the compiler: what the compiled code needs and the compiler does not make. */
import { chmodSync } from 'node:fs';
import { join, resolve } from 'node:path';

const dist = resolve(import.meta.dirname, '..');

chmodSync(join(dist, 'tools/plugboard.js'), 0o755);
