/**
 * Golden cases: each `cases/NAME.yaml` is checked, and what the user would see is compared with
 * `NAME.expected.txt`. `UPDATE_GOLDEN=1` writes the expected files; read what it wrote.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { test } from 'node:test';
import { mergeConfigs } from '../../kernel/config/merge.js';
import { renderProblems } from '../../tools/cli/problems.js';
import { readConfig } from '../../kernel/config/read.js';
import { prepare } from '../../kernel/boot/plan/prepare.js';
import { builtins } from '../../plugins/index.js';

const root = resolve(import.meta.dirname, '../../..');
const folder = join(root, 'test/config/cases');
const env = { A_PORT: '9090', A_SECRET: 'hunter2-hunter2', A_SHORT_SECRET: 'hun' };
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml') && !file.endsWith('.over.yaml'))
  .map((file) => basename(file, '.yaml'));

test('there are at least 40 golden cases', () => {
  assert.ok(names.length >= 40, `${names.length}`);
});

for (const name of names) {
  test(`config case ${name} says what it should`, async () => {
    const shown = await check(`${name}.yaml`);
    const expectedFile = join(folder, `${name}.expected.txt`);
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(expectedFile, shown);
    assert.ok(existsSync(expectedFile), `${name}.expected.txt is missing`);
    assert.equal(shown, readFileSync(expectedFile, 'utf8'));
    for (const secret of [env.A_SECRET, `"${env.A_SHORT_SECRET}"`, 'written-in-the-file'])
      assert.ok(!shown.includes(secret), 'a secret is shown');
  });
}

/** `NAME.over.yaml`, where there is one, is a second file of the same config. */
async function check(file: string): Promise<string> {
  const over = file.replace('.yaml', '.over.yaml');
  const files = [file, over].filter((name) => existsSync(join(folder, name)));
  const read = files.map((name) => readConfig(name, readFileSync(join(folder, name), 'utf8')));
  const [first, ...others] = read.map((one) => one.source);
  assert.ok(first);
  const source = mergeConfigs([first, ...others]);
  const problems = read.flatMap((one) => one.problems);
  if (problems.some(({ severity }) => severity === 'error'))
    return `${renderProblems(problems, source, { secrets: source.secrets([]) })}\n`;
  const {
    plan,
    problems: more,
    secrets,
  } = await prepare({
    source,
    builtins: { ...builtins, plugins: {} },
    env,
    baseDir: folder,
  });
  const text = renderProblems([...problems, ...more], source, { secrets }).replaceAll(folder, 'FOLDER');
  const ids = plan?.instances.map(({ id }) => id).join(', ');
  return `${text}${text === '' ? '' : '\n'}${ids === undefined ? '' : `ok: ${ids}\n`}`;
}
