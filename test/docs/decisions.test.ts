/** A decision record says when it was made and whether it still holds. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/fixtures.js';

const FOLDER = join(root, 'docs/decisions');
const STATUS =
  /^# .+\n\nDate: \d{4}-\d\d-\d\d\. Status: (?:accepted|withdrawn|superseded by \[decision \d+\]\([^)]+\))[ .;]/;

const records = readdirSync(FOLDER).filter((name) => name !== 'README.md');

/** What is wrong with a record; undefined: nothing. */
function fault(name: string, text: string): string | undefined {
  if (!/^\d{4}-[a-z0-9-]+\.md$/.test(name)) return `${name}: a record is called NNNN-title.md`;
  if (!STATUS.test(text))
    return `${name}: below its title a record has the line "Date: YYYY-MM-DD. Status: accepted." (or "withdrawn", or "superseded by [decision N](file)")`;
  const missing = Array.from(text.matchAll(/\]\((\d{4}-[^)]+)\)/g), ([, file = '']) => file).find(
    (file) => !records.includes(file),
  );
  return missing === undefined ? undefined : `${name}: it refers to ${missing}, which does not exist`;
}

test('every decision record has a number of its own, a date and a status', () => {
  const faults = records.map((name) => fault(name, readFileSync(join(FOLDER, name), 'utf8')));
  assert.deepEqual(
    faults.filter((one) => one !== undefined),
    [],
  );
  const numbers = records.map((name) => name.slice(0, 4));
  assert.deepEqual(
    numbers.filter((number, at) => numbers.indexOf(number) !== at),
    [],
  );
});

test('a record without a date or a status, or with a dead reference, is refused', () => {
  const accepted = '# 1. Title\n\nDate: 2026-01-31. Status: accepted.\n\nText.\n';
  assert.equal(fault('0001-title.md', accepted), undefined);
  assert.match(fault('title.md', accepted) ?? '', /NNNN/);
  for (const text of [
    '# 1. Title\n\nText.\n',
    '# 1. Title\n\nDate: 2026-01-31.\n\nText.\n',
    '# 1. Title\n\nStatus: accepted.\n\nText.\n',
    '# 1. Title\n\nDate: 2026-01-31. Status: fine.\n\nText.\n',
    '# 1. Title\n\nDate: 2026-01-31. Status: superseded.\n\nText.\n',
  ])
    assert.match(fault('0001-title.md', text) ?? '', /has the line/, text);
  const dead = accepted.replace('accepted', 'superseded by [decision 9999](9999-nothing.md)');
  assert.match(fault('0001-title.md', dead) ?? '', /refers to 9999-nothing\.md/);
});
