/** The public face stays narrow: what the SDK exports is used by a plugin, or stands on a page for authors. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/fixtures.js';

const EXPORT = /^export (?:declare |abstract |async )*(?:const|function|class|interface|type) (?!\{)(\w+)/gm;

test('every name of the SDK is used by a plugin or stands on a page for authors', () => {
  const folder = join(root, 'kernel/sdk');
  const names = readdirSync(folder).flatMap((file) =>
    Array.from(readFileSync(join(folder, file), 'utf8').matchAll(EXPORT), ([, name = '']) => name),
  );
  assert.ok(names.length > 100, 'the names were found');
  const users = [...textsOf('plugins', '.ts'), ...textsOf('docs', '.md'), ...textsOf('docs', '.ts')];
  const words = new Set(users.flatMap((text) => text.match(/\w+/g) ?? []));
  assert.deepEqual(
    names.filter((name) => !words.has(name)),
    [],
  );
});

function textsOf(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending) && !file.includes('node_modules'))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'));
}
