/** The walks of ARCHITECTURE.md: each file that they name is there, and a file named before it imports it. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/fixtures.js';

const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');

test('every walk of ARCHITECTURE.md names files that import each other in this order', () => {
  const walks = walksOf(page);
  assert.ok(walks.length >= 10, 'the walks were found');
  assert.deepEqual(walks.flatMap(faultsOf), []);
});

test('a walk is refused that names a file which is not there, or which nothing before it imports', () => {
  const walk = walksOf(page).find((text) => text.startsWith('**dataquery: `GET')) ?? '';
  const renamed = walk.replace('engine/plan/plan.ts', 'engine/plan/planner.ts');
  assert.deepEqual(faultsOf(renamed), ['no file plugins/dataquery/engine/plan/planner.ts']);
  const misled = walk.replace('engine/plan/plan.ts', 'engine/write/write.ts');
  assert.deepEqual(faultsOf(misled), ['nothing before plugins/dataquery/engine/write/write.ts imports it']);
});

test('every source file that a page of docs/ names is there', () => {
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  assert.ok(pages.length > 5, 'the pages were found');
  const missing = pages.flatMap((name) =>
    Array.from(
      readFileSync(join(root, 'docs', name), 'utf8').matchAll(
        /`((?:kernel|plugins|test|tools)\/[\w./-]+\.ts)`/g,
      ),
      ([, file = '']) => file,
    )
      .filter((file) => !existsSync(join(root, file)))
      .map((file) => `${name}: ${file}`),
  );
  assert.deepEqual(missing, []);
});

/** The paragraphs under "A walk", each with its title in bold. */
function walksOf(markdown: string): string[] {
  const [, section = ''] = markdown.split('\n## A walk');
  return (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('**'));
}

function faultsOf(walk: string): string[] {
  const trail: string[] = [];
  return Array.from(walk.matchAll(/`([\w./-]+\.ts)`/g), ([, name = '']) => name).flatMap((name) => {
    const file = find(name, trail);
    if (file === undefined) return [`no file ${name}`];
    const led = trail.length === 0 || trail.some((before) => importsOf(before).includes(file));
    trail.unshift(file);
    return led ? [] : [`nothing before ${file} imports it`];
  });
}

/** A name is a path from the root, or from the folder of a file named before, or from a folder around that. */
function find(name: string, trail: readonly string[]): string | undefined {
  for (const before of trail) {
    for (let folder = dirname(before); folder !== '.'; folder = dirname(folder))
      if (existsSync(join(root, folder, name))) return join(folder, name);
  }
  return existsSync(join(root, name)) ? name : undefined;
}

function importsOf(file: string): string[] {
  const path = join(root, file);
  if (!existsSync(path)) return [];
  return Array.from(
    readFileSync(path, 'utf8').matchAll(/(?:from |import\()'(\.[^']+)\.js'/g),
    ([, target = '']) => `${relative(root, join(dirname(path), target))}.ts`,
  );
}
