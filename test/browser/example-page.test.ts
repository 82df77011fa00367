/** The page of the docs, as `plugboard create-plugin --page` writes it for a plugin of another name. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { AnyPlugin } from 'plugboard/testing';
import { assertAccessible, inBrowser } from './browser.js';
import { bootConsole, logIn } from './console.js';

const root = resolve(import.meta.dirname, '../../..');

/** Below the project, so that it finds the SDK. */
async function createPlugin(name: string): Promise<AnyPlugin> {
  const folder = await mkdtemp(join(root, 'test/browser/dist/created-'));
  after(() => rm(folder, { recursive: true, force: true }));
  const target = join(folder, name);
  const script = join(root, 'dist/tools/plugboard.js');
  execFileSync(process.execPath, [script, 'create-plugin', name, target, '--page'], { cwd: tmpdir() });
  assert.match(await readFile(join(target, 'package.json'), 'utf8'), /"page"/);
  const outfile = join(target, 'dist/index.js');
  await build({
    entryPoints: [join(target, 'index.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  });
  return ((await import(pathToFileURL(outfile).href)) as { default: AnyPlugin }).default;
}

test('the page that create-plugin writes lists what was written, writes, and shows texts as they are', async () => {
  await using server = await bootConsole({ plugins: [{ plugin: await createPlugin('visitor-book') }] });
  await inBrowser(`${await server.listen()}/console`, async (page) => {
    await logIn(page);
    await page.getByRole('navigation').getByRole('link', { name: 'VisitorBook' }).click();
    await page.getByText('Nobody has written yet').waitFor();
    await assertAccessible(page);
    await page.getByLabel('Author').fill('Ann');
    await page.getByLabel('Text').fill('<b>hello</b>');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: 'Ann <b>hello</b>' }).waitFor();
    await page.getByText('Ann has written').waitFor();
    assert.equal(await page.locator('td b').count(), 0);
    await assertAccessible(page);
  });
});
