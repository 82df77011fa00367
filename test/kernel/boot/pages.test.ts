/** Pages of plugins: what a plugin that shows them gets, and what is said of a page that is wrong. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { definePlugin, PAGES, token, Type, type InstalledPage, type Page, type Pages } from 'plugboard/sdk';
import { bootTest, type AnyPlugin } from 'plugboard/testing';

const config = Type.Object({}, { additionalProperties: false });
const SHOWN = token<Pages>('fixture.shown@1');

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugboard-pages-'));
  await mkdir(join(folder, 'console'));
  for (const file of ['console/page.js', 'console/page.css', 'other.css'])
    await writeFile(join(folder, file), '');
});
after(() => rm(folder, { recursive: true }));

const file = (name: string): string => join(folder, name);

function page(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const module = pathToFileURL(file('console/page.js'));
  return {
    console: 1,
    id: 'browse',
    title: 'Browse',
    group: 'Data',
    scope: 'notes:read',
    module,
    ...changes,
  };
}

function notes(pages: () => unknown): AnyPlugin {
  return definePlugin({
    name: 'notes',
    api: 1,
    config,
    prefix: '/notes',
    scopes: { 'notes:read': 'read notes' },
    setup: () => ({ provides: {}, pages: pages() as Page[] }),
  });
}

/** Set up before those whose pages it lists. */
const shell = definePlugin({
  name: 'shell',
  api: 1,
  config,
  needs: { pages: PAGES },
  provides: { shown: SHOWN },
  setup: ({ needs }) => ({ provides: { shown: needs.pages } }),
});

test('a plugin that needs PAGES lists the pages of every plugin, also of those set up after it', async () => {
  const css = [file('console/page.css')];
  const server = await bootTest({
    plugins: [
      { plugin: shell },
      { plugin: notes(() => [page({ css })]) },
      { plugin: notes(() => [page({ scope: 'manage' })]), id: 'archive', prefix: '/archive' },
    ],
  });
  const shared = { id: 'browse', title: 'Browse', group: 'Data', module: file('console/page.js') };
  const expected: InstalledPage[] = [
    { ...shared, plugin: 'notes', prefix: '/notes', scope: 'notes:read', css },
    { ...shared, plugin: 'archive', prefix: '/archive', scope: 'manage', css: [] },
  ];
  assert.deepEqual(server.service(SHOWN).list(), expected);
  await server.stop();
});

for (const [what, wrong, message] of [
  ['that are no array', () => page(), /setup returned "pages" as object; it must be an array$/],
  ['of another console', () => [page({ console: 2 })], /"browse" is made for version 2 .* has version 1$/],
  ['of no console', () => [page({ console: undefined })], /must say for which version .*: console: 1$/],
  ['without a title', () => [page({ title: ' ' })], /"browse" must have a "title", 1 to 100 characters$/],
  ['that are nothing', () => [null], /pages\[0\] must say for which version/],
  ['with a key too many', () => [page({ titel: 'x' })], /unknown key "titel"; did you mean "title"\?/],
  ['with a bad id', () => [page({ id: 'A b' })], /not lower case letters, digits and dashes$/],
  [
    'with a stranger’s scope',
    () => [page({ scope: 'notes:all' })],
    /does not declare \(allowed: notes:read, manage\)$/,
  ],
  [
    'without a module',
    () => [page({ module: './page.js' })],
    /must have a "module" that is a \.js or \.mjs file/,
  ],
  ['from the network', () => [page({ module: 'https://example.com/page.js' })], /must have a "module"/],
  [
    'whose module is missing',
    () => [page({ module: file('gone.js') })],
    /"module" that is not there: .*gone\.js$/,
  ],
  ['with text as css', () => [page({ css: 'page.css' })], /"css" that is not an array of files$/],
  ['with css elsewhere', () => [page({ css: [file('other.css')] })], /outside the folder of its module/],
  ['with one id', () => [page(), page()], /setup returned two pages with the id "browse"$/],
] as const) {
  test(`pages ${what} end the boot and say what is wrong`, async () => {
    await assert.rejects(bootTest({ plugins: [{ plugin: notes(wrong) }] }), message);
  });
}
