/**
 * Checks the licences of everything that an installation takes, by the lock file:
 * `node dist/tools/check-licences.js [LOCK-FILE]`. The server is MIT; what it needs must not ask for more.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

interface Locked {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly dev?: boolean;
        readonly license?: string;
        readonly link?: boolean;
      }
    >
  >;
}

const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
]);

const file = resolve(process.argv[2] ?? join(import.meta.dirname, '../../package-lock.json'));
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as Locked;
const installed = Object.entries(packages).filter(
  ([path, { dev, link }]) => path.startsWith('node_modules/') && dev !== true && link !== true,
);
const faults = installed
  .filter(([, { license }]) => !isAllowed(license))
  .map(([path, { license }]) => `${path.slice('node_modules/'.length)}: ${license ?? 'names no licence'}`);

if (installed.length === 0) faults.push('found no package at all: the check is blind');
for (const fault of faults) console.error(fault);
console.log(`licences: ${installed.length} packages, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** `(MIT OR Apache-2.0)`: one of the choices is enough; `MIT AND Zlib`: all are needed. */
function isAllowed(license = ''): boolean {
  const plain = license.replaceAll('(', '').replaceAll(')', '');
  return plain.split(' OR ').some((choice) => choice.split(' AND ').every((one) => ALLOWED.has(one.trim())));
}
