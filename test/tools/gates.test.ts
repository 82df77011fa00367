/** A gate that cannot fail is no gate: each one must refuse its fixture. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { filesBelow } from '../../tools/files-below.js';
import { groupTestFiles } from '../../tools/test-groups.js';
import { runBox } from '../../tools/test-slow.js';
import { root } from '../support/fixtures.js';

const gates = join(root, 'test/fixtures/gates');
const bin = (name: string): string => join(root, 'node_modules/.bin', name);

function run(command: string, words: string[], cwd = root) {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

test('the architecture rule refuses a plugin that imports the kernel, another plugin, a kernel that knows a plugin, an engine that knows its front, a store that knows the pages of lmdb, a page that imports more than the kit, a server that loads a page, and circles of folders and of files, of types and of pages too', () => {
  const { status, output } = run(process.execPath, [
    join(root, 'dist/tools/check-architecture.js'),
    join(gates, 'architecture'),
  ]);
  assert.equal(status, 1, output);
  assert.match(output, /plugins-import-only-the-sdk: plugins\/a\/index\.ts -> kernel\/kernel\.ts/);
  assert.match(output, /plugins-do-not-meet: plugins\/a\/index\.ts -> plugins\/b\/index\.ts/);
  assert.match(output, /kernel-knows-no-plugin: kernel\/kernel\.ts -> plugins\/a\/index\.ts/);
  assert.match(
    output,
    /engine-is-the-ground-floor: plugins\/a\/engine\/find\.ts -> plugins\/a\/front\/answer\.ts/,
  );
  assert.match(
    output,
    /pages-of-lmdb-have-a-face: plugins\/b\/upkeep\.ts -> plugins\/b\/lmdb\/pages\/walk\.ts/,
  );
  assert.doesNotMatch(output, /pages-of-lmdb-have-a-face: .*data-file/);
  assert.match(output, /front-imports-downwards: plugins\/a\/front\/answer\.ts -> plugins\/a\/index\.ts/);
  assert.match(
    output,
    /circle of folders: kernel\/(config -> kernel\/http|http -> kernel\/config) -> kernel/,
  );
  const page = 'plugins/a/console/notes.page.tsx';
  assert.match(output, new RegExp(`pages-import-the-kit: ${page} -> plugins/a/index.ts`));
  assert.match(output, new RegExp(`pages-import-the-kit: ${page} -> plugins/b/notes/note.ts`));
  assert.doesNotMatch(output, /pages-import-the-kit: .*list/);
  assert.match(output, /servers-load-no-page: plugins\/b\/index\.ts -> plugins\/a\/console\/list\.tsx/);
  const list = 'plugins/a/console/list.tsx';
  assert.match(
    output,
    new RegExp(`circle of files: (${list} -> ${page} -> ${list}|${page} -> ${list} -> ${page})\\n`),
  );
  const notes = 'plugins/b/notes/';
  const circles = [
    `${notes}author.ts -> ${notes}note.ts -> ${notes}author.ts`,
    `${notes}note.ts -> ${notes}author.ts -> ${notes}note.ts`,
  ];
  assert.ok(
    circles.some((circle) => output.includes(`circle of files: ${circle}\n`)),
    output,
  );
});

test('the architecture check refuses a folder in which it sees nothing', () => {
  const empty = mkdtempSync(join(tmpdir(), 'plugboard-gate-'));
  const { status, output } = run(process.execPath, [join(root, 'dist/tools/check-architecture.js'), empty]);
  rmSync(empty, { recursive: true });
  assert.equal(status, 1);
  assert.match(output, /found no module at all/);
});

test('a test that hangs ends its file and is named; one that ends in time does not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-gate-'));
  const file = join(folder, 'hangs.test.js');
  writeFileSync(
    file,
    `const { test } = require('node:test');
     test('quick', () => {});
     test('outer', (t) => t.test('endless', () => new Promise((end) => setTimeout(end, 60_000))));`,
  );
  const preload = `--import=${pathToFileURL(join(root, 'dist/tools/test-file.js')).href}`;
  const env = { ...process.env, PLUGBOARD_TEST_TIMEOUT: '500', NODE_TEST_CONTEXT: undefined };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--test', preload, file], {
    env,
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  assert.equal(status, 1);
  assert.match(stdout + stderr, /the test "(endless|outer)" did not end within 500 ms/);
  assert.doesNotMatch(stdout + stderr, /"quick"/);
});

test('test files are found next to installed packages, one of which is a link to the project', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-files-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'browser/node_modules'), { recursive: true });
  symlinkSync(folder, join(folder, 'browser/node_modules/plugboard'));
  for (const file of ['one.test.ts', 'browser/two.test.ts']) writeFileSync(join(folder, file), '');
  assert.deepEqual(filesBelow(folder).toSorted(), ['browser/two.test.ts', 'one.test.ts']);
});

test('files that share a process all run, and one that fails is named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-gate-'));
  const tests = join(folder, 'test');
  const files = ['e2e/a', 'plugins/x/b', 'plugins/x/deep/c', 'plugins/y/d'].map((name) =>
    join(tests, `${name}.test.js`),
  );
  for (const file of files) {
    mkdirSync(dirname(file), { recursive: true });
    const body = file.includes('deep') ? "throw new Error('refused')" : '';
    writeFileSync(file, `require('node:test').test('of ${basename(file)}', () => { ${body} });`);
  }
  const processes = groupTestFiles(tests, files, join(folder, 'groups'));
  assert.deepEqual(
    processes.map((file) => basename(file)),
    ['000-e2e-a.test.mjs', '001-plugins-x.test.mjs', '002-plugins-y.test.mjs'],
  );
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const { status, stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', ...processes], {
    env,
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  assert.equal(status, 1);
  for (const name of ['a', 'b', 'd']) assert.match(stdout, new RegExp(`^ *ok \\d+ - of ${name}\\.test`, 'm'));
  assert.match(stdout, /^ *not ok \d+ - of c\.test\.js[^]*?location: '[^']*deep\/c\.test\.js/m);
});

test('a time box runs its slow tests in order, says what it left out, and fails with one that fails', async () => {
  const files = ['e2e/slow/fuzz', 'hostile/slow/corpus', 'hostile/slow/ratio'].map(
    (name) => `/x/dist/test/${name}.test.js`,
  );
  const ran: string[] = [];
  const said: string[] = [];
  const box = (minutes: number): Promise<number> =>
    runBox(
      files,
      minutes,
      (file) => Promise.resolve(ran.push(file) === 1 ? 7 : 0),
      (text) => said.push(text),
    );
  assert.equal(await box(1), 7);
  assert.deepEqual(ran, [files[1], files[0]]);
  assert.match(said.join('\n'), /corpus: FAILED[^]*fuzz: ok[^]*left out:\n  hostile\/slow\/ratio$/);
  assert.equal(await box(-1), 0);
  assert.equal(ran.length, 2);
  assert.match(said.at(-1) ?? '', /left out:\n  e2e\/slow\/fuzz\n  hostile\/slow\/corpus/);
});

test('the linter refuses a floating promise, which only its type-aware part can see', () => {
  const folder = mkdtempSync(join(root, 'coverage-gate-'));
  cpSync(join(gates, 'lint'), folder, { recursive: true });
  const { status, output } = run(bin('oxlint'), ['--type-aware', '--deny-warnings', folder]);
  rmSync(folder, { recursive: true });
  assert.notEqual(status, 0);
  assert.match(output, /no-floating-promises/);
});

test('the formatter refuses a file that it would write otherwise', () => {
  const { status } = run(bin('prettier'), [
    '--check',
    '--ignore-path',
    '/dev/null',
    join(gates, 'format/ugly.ts'),
  ]);
  assert.equal(status, 1);
});

test('the dead code check refuses a file that nothing imports', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-gate-'));
  writeFileSync(join(folder, 'package.json'), '{ "name": "x", "main": "index.js", "type": "module" }');
  writeFileSync(join(folder, 'index.js'), 'export {};\n');
  writeFileSync(join(folder, 'orphan.js'), 'export const orphan = 1;\n');
  const { status, output } = run(bin('knip'), [], folder);
  rmSync(folder, { recursive: true });
  assert.equal(status, 1, output);
  assert.match(output, /orphan\.js/);
});

test('the pattern check refuses slow patterns in literals, constructions and schemas, and what it cannot read', () => {
  const { status, output } = run(process.execPath, [
    join(root, 'dist/tools/check-patterns.js'),
    join(gates, 'patterns'),
  ]);
  assert.equal(status, 1, output);
  assert.deepEqual(
    output
      .split('\n')
      .filter((line) => line.includes('slow.ts: '))
      .map((line) => line.slice(line.indexOf('slow.ts: ') + 'slow.ts: '.length)),
    [
      String.raw`/^(\d+)*x$/: exponential in the length of the text`,
      '/0+$/: polynomial in the length of the text',
      String.raw`/^\s*\s*x$/: polynomial in the length of the text`,
      '/^(a|a)*$/u: exponential in the length of the text',
      '/^[a-z]*[a-y]*$/u: polynomial in the length of the text',
      'builds a pattern that this check cannot read',
    ],
  );
});

test('the pattern check refuses a folder in which it finds no pattern', () => {
  const empty = mkdtempSync(join(tmpdir(), 'plugboard-gate-'));
  const { status, output } = run(process.execPath, [join(root, 'dist/tools/check-patterns.js'), empty]);
  rmSync(empty, { recursive: true });
  assert.equal(status, 1);
  assert.match(output, /found no pattern at all/);
});

test('the licence check refuses what an MIT server cannot ship, and passes tools and choices', () => {
  const { status, output } = run(process.execPath, [
    join(root, 'dist/tools/check-licences.js'),
    join(gates, 'licences/package-lock.json'),
  ]);
  assert.equal(status, 1, output);
  assert.deepEqual(output.trim().split('\n').toSorted(), [
    'both: MIT AND GPL-3.0',
    'copyleft: GPL-3.0',
    'licences: 5 packages, 4 faults',
    'optional: GPL-3.0',
    'silent: names no licence',
  ]);
});

test('the compiler refuses wrong uses of the SDK', () => {
  const { status, output } = run(bin('tsc'), ['--noEmit', '-p', join(gates, 'types')]);
  assert.notEqual(status, 0);
  const refused = new Set(Array.from(output.matchAll(/wrong-uses\.ts\((\d+),/g), ([, line]) => Number(line)));
  const expected = linesMarked(join(gates, 'types/wrong-uses.ts'));
  assert.deepEqual(
    [...refused].toSorted((a, b) => a - b),
    expected,
  );
});

function linesMarked(file: string): number[] {
  const { output } = run('grep', ['-n', '// refused', file]);
  return output
    .trim()
    .split('\n')
    .map((line) => Number.parseInt(line, 10));
}
