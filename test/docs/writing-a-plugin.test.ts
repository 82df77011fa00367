/** docs/writing-a-plugin.md shows the example plugin as it is, and not as it was. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/fixtures.js';

const folder = join(root, 'docs/example-plugin');
const example = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => withoutSpace(readFileSync(join(folder, file), 'utf8')));

test('every TypeScript statement of the page is in the example plugin, which has a test', () => {
  const page = readFileSync(join(root, 'docs/writing-a-plugin.md'), 'utf8');
  const statements = statementsOf(page);
  assert.ok(statements.length >= 8, 'the statements were found');
  assert.deepEqual(statements.filter(isElsewhere), []);
});

test('a statement that the example plugin does not have is found', () => {
  const [stale] = statementsOf("```ts\nconst guard = auth.guard('bearer', { scope: 'guestbook' });\n```\n");
  assert.ok(stale !== undefined && isElsewhere(stale));
});

/** The text between empty lines of the blocks. */
function statementsOf(markdown: string): string[] {
  return Array.from(markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm), ([, block = '']) => block)
    .flatMap((block) => block.split('\n\n'))
    .map(withoutSpace);
}

/** The last semicolon is the page's where the example goes on. */
function isElsewhere(statement: string): boolean {
  return !example.some((text) => text.includes(statement.replace(/;$/, '')));
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
