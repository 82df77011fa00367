/**
 * Checks who imports whom (`.dependency-cruiser.cjs`): `node dist/tools/check-architecture.js [FOLDER]`.
 *
 * The sources are read by swc and the tests as compiled, because swc's reader does not know `await using`. A
 * reader that fails to parse reports nothing over zero modules, so the number of modules is held against the
 * number of files.
 *
 * No file and no folder may import itself through others, not even a type. A folder with folders inside holds the roof
 * and the foundation of what is below it, so each of its own files counts as a folder. `--map` prints who imports whom.
 */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import swc from '@swc/core';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

const root = resolve(import.meta.dirname, '../..');
const [folder = root] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
process.chdir(resolve(folder));

// dependency-cruiser reads by swc, and does not tell it which files hold JSX.
const { parseFileSync } = swc;
swc.parseFileSync = ((file, options) =>
  parseFileSync(file, {
    ...(options as object),
    syntax: 'typescript',
    tsx: file.endsWith('.tsx'),
  })) as typeof parseFileSync;

const options = await extractOptions(join(root, '.dependency-cruiser.cjs'));
const faults: string[] = [];
let modules = 0;
type Graph = Map<string, Set<string>>;
const files: Graph = new Map();
const folders: Graph = new Map();

for (const { parts, ending } of [
  { parts: ['kernel', 'plugins', 'tools'], ending: /\.tsx?$/ },
  { parts: ['dist/test'], ending: /\.test\.js$/ },
]) {
  const there = parts.filter((folder) => countFiles(folder, ending) > 0);
  if (there.length === 0) continue;
  const { output } = await cruise(there, options);
  const result = output as ICruiseResult;
  const seen = result.modules.filter(
    ({ source }) => ending.test(source) && there.some((folder) => source.startsWith(`${folder}/`)),
  );
  const expected = there.reduce((sum, folder) => sum + countFiles(folder, ending), 0);
  if (seen.length < expected)
    faults.push(`read ${seen.length} of ${expected} modules of ${there.join(', ')}: the check is blind`);
  faults.push(...result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`));
  modules += seen.length;
  const isSource = ({ resolved }: { resolved: string }): boolean =>
    /^(kernel|plugins|tools)\//.test(resolved);
  for (const { source, dependencies } of seen)
    for (const { resolved } of dependencies.filter(isSource)) {
      addImport(files, source, resolved);
      addImport(folders, unitOf(source), unitOf(resolved));
    }
}

for (const [what, graph] of Object.entries({ files, folders }))
  faults.push(...circles(graph).map((circle) => `circle of ${what}: ${circle.join(' -> ')}`));
if (process.argv.includes('--map')) {
  for (const [from, to] of [...folders].toSorted())
    console.log(`${from} -> ${[...to].toSorted().join(', ')}`);
}
if (modules === 0) faults.push('found no module at all');
for (const fault of faults) console.error(fault);
console.log(`architecture: ${modules} modules, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** Without those of the benches, whose own packages are many thousand files. */
function countFiles(folder: string, ending: RegExp): number {
  if (!existsSync(folder)) return 0;
  const entries = readdirSync(folder, { withFileTypes: true });
  const isFile = (name: string): boolean => ending.test(name) && !name.endsWith('.d.ts');
  return entries.reduce(
    (sum, entry) =>
      entry.isDirectory()
        ? sum + (/^(node_modules|bench)$/.test(entry.name) ? 0 : countFiles(join(folder, entry.name), ending))
        : sum + (isFile(entry.name) ? 1 : 0),
    0,
  );
}

/** What a file counts as on the map: its folder, or itself if its folder has subfolders. */
function unitOf(file: string): string {
  const folder = dirname(file);
  const isLeaf = readdirSync(folder, { withFileTypes: true }).every(
    (entry) => !entry.isDirectory() || entry.name === 'node_modules',
  );
  return isLeaf ? folder : file;
}

function addImport(graph: Graph, from: string, to: string): void {
  if (from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to));
}

/** Each cycle once, found depth first. */
function circles(graph: Graph): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (unit: string): void => {
    if (done.has(unit)) return;
    const at = trail.indexOf(unit);
    if (at !== -1) {
      found.push([...trail.slice(at), unit]);
      return;
    }
    trail.push(unit);
    for (const next of graph.get(unit) ?? []) visit(next);
    trail.pop();
    done.add(unit);
  };
  for (const unit of graph.keys()) visit(unit);
  return found;
}
