/**
 * Checks who imports whom (`.dependency-cruiser.cjs`): `node dist/tools/check-architecture.js [FOLDER]`.
 *
 * The sources are read by swc and the tests as compiled, because swc's reader does not know `await using`. A
 * reader that fails to parse reports nothing over zero modules, so the number of modules is held against the
 * number of files.
 */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

const root = resolve(import.meta.dirname, '../..');
process.chdir(resolve(process.argv[2] ?? root));

const options = await extractOptions(join(root, '.dependency-cruiser.cjs'));
const faults: string[] = [];
let modules = 0;

for (const { folders, ending } of [
  { folders: ['kernel', 'plugins', 'tools'], ending: '.ts' },
  { folders: ['dist/test'], ending: '.test.js' },
]) {
  const there = folders.filter((folder) => countFiles(folder, ending) > 0);
  if (there.length === 0) continue;
  const { output } = await cruise(there, options);
  const result = output as ICruiseResult;
  const seen = result.modules.filter(
    ({ source }) => source.endsWith(ending) && there.some((folder) => source.startsWith(`${folder}/`)),
  );
  const expected = there.reduce((sum, folder) => sum + countFiles(folder, ending), 0);
  if (seen.length < expected)
    faults.push(`read ${seen.length} of ${expected} modules of ${there.join(', ')}: the check is blind`);
  faults.push(...result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`));
  modules += seen.length;
}

if (modules === 0) faults.push('found no module at all');
for (const fault of faults) console.error(fault);
console.log(`architecture: ${modules} modules, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;

function countFiles(folder: string, ending: string): number {
  try {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return files.filter(
      (file) => file.endsWith(ending) && !file.endsWith('.d.ts') && !/node_modules|^bench\//.test(file),
    ).length;
  } catch {
    return 0;
  }
}
