/** The public face stays narrow: what the SDK exports is used by a plugin or is on a page for authors. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/fixtures.js';

const EXPORT = /^export (?:declare |abstract |async )*(?:const|function|class|interface|type) (?!\{)(\w+)/gm;

test('every name of the SDK is used by a plugin or is on a page for authors', () => {
  const names = textsOf('kernel/sdk', '.ts').flatMap((text) =>
    Array.from(text.matchAll(EXPORT), ([, name = '']) => name),
  );
  assert.ok(names.length > 100, 'the names were found');
  const users = [...textsOf('plugins', '.ts'), ...textsOf('docs', '.md'), ...textsOf('docs', '.ts')];
  const words = new Set(users.flatMap((text) => text.match(/\w+/g) ?? []));
  assert.deepEqual(
    names.filter((name) => !words.has(name)),
    [],
  );
});

test('a call in the text of a page for authors has the names that the SDK has', () => {
  const pages = textsOf('docs', 'plugin-parts.md').concat(textsOf('docs', 'writing-a-plugin.md'));
  assert.equal(pages.length, 2);
  const sources = [...textsOf('kernel/sdk', '.ts'), ...textsOf('kernel/testing', '.ts')];
  const examples = pages.flatMap((page) => page.match(/^```[^]*?^```$/gm) ?? []);
  const words = new Set([...sources, ...examples].flatMap((text) => text.match(/\w+/g) ?? []));
  const strange = (page: string): string[] =>
    Array.from(
      page.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/`([\w.]+\([^`]*)`/g),
      ([, call = '']) => call,
    )
      .flatMap((call) => call.match(/\w+/g) ?? [])
      .filter((word) => !words.has(word));
  assert.deepEqual(pages.flatMap(strange), []);
  assert.deepEqual(strange("`isStorageError(error, 'duplicate')`"), ['duplicate']);
});

function textsOf(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending) && !file.includes('node_modules'))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'));
}
