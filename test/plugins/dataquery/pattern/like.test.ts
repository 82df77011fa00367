import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { likePattern } from '../../../../plugins/dataquery/engine/pattern/like.js';

test('percent is any text, underscore any character, a backslash takes the next as it is', () => {
  const cases: [pattern: string, text: string, expected: boolean][] = [
    ['%', '', true],
    ['a%c', 'abc', true],
    ['a%c', 'ab', false],
    ['_b_', 'abc', true],
    ['_', '💡', true],
    ['a\\%', 'a%', true],
    ['a\\%', 'ab', false],
    ['%b%d%', 'abcde', true],
    ['%b%d', 'abcde', false],
    ['', '', true],
  ];
  for (const [pattern, text, expected] of cases) {
    assert.equal(likePattern(pattern, false).test(text), expected, `${text} like ${pattern}`);
  }
  assert.equal(likePattern('A%', true).test('abc'), true);
});

test('the pattern for storage finds the same texts', () => {
  const alphabet = fc.constantFrom('a', 'b', '%', '_', '.', '\\', '\n');
  const words = fc.string({ unit: alphabet, maxLength: 6 });
  fc.assert(
    fc.property(
      words,
      fc.string({ unit: fc.constantFrom('a', 'b', '.', '\\', '\n'), maxLength: 6 }),
      (source, text) => {
        const { test: matches, pattern } = likePattern(source, false);
        if (pattern !== undefined)
          assert.equal(
            pattern.test(text),
            matches(text),
            `${JSON.stringify(text)} like ${JSON.stringify(source)} as ${pattern.source}`,
          );
      },
    ),
    { numRuns: 5_000 },
  );
});

test('many wildcards on a long text are decided', () => {
  assert.equal(likePattern('%a'.repeat(50) + '%b', false).test('a'.repeat(5_000)), false);
});
