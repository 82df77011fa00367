import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { errorPage } from '../../tools/error-page.js';
import { root } from '../support/fixtures.js';

test('docs/errors.md says what the tables of error codes say', async () => {
  const written = tableRows(readFileSync(join(root, 'docs/errors.md'), 'utf8'));
  const tables = tableRows(await errorPage());
  assert.ok(tables.length > 20, 'the tables were found');
  assert.deepEqual(written, tables, 'run `node dist/tools/error-page.js`');
});

/** The rows of codes, whatever the formatter made of the columns' widths. */
function tableRows(page: string): string[] {
  return page
    .split('\n')
    .filter((line) => /^(## |\| `)/.test(line))
    .map((line) => line.replaceAll(/\s+/g, ' '));
}
