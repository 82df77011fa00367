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

test('a pattern finds what the regular expression finds that says the same', () => {
  const source = fc.string({ unit: fc.constantFrom('a', 'b', '💡', '%', '_'), maxLength: 8 });
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '💡'), maxLength: 12 });
  fc.assert(
    fc.property(source, text, (pattern, given) => {
      const same = new RegExp(`^${pattern.replaceAll('%', '.*').replaceAll('_', '.')}$`, 'su');
      assert.equal(likePattern(pattern, false).test(given), same.test(given), `${given} like ${pattern}`);
    }),
    { numRuns: 5_000 },
  );
});

test('long texts are found in longer ones, where they overlap with themselves, too', () => {
  const part = fc.string({ unit: fc.constantFrom('a', 'ab', 'aab'), minLength: 50, maxLength: 200 });
  fc.assert(
    fc.property(part, part, fc.nat(400), (wanted, other, cut) => {
      const text = other.repeat(10) + wanted.slice(0, cut) + wanted.slice(cut) + other.repeat(10);
      const near = `${other.repeat(10)}${wanted.slice(0, -1)}c${other.repeat(10)}`;
      for (const given of [text, near])
        assert.equal(likePattern(`%${wanted}%`, false).test(given), given.includes(wanted));
    }),
    { numRuns: 200 },
  );
});

test('9,000 letters are looked for in 0.9 MB that nearly hold them', () => {
  for (const [part, found] of [
    [`y${'x'.repeat(9_000)}`, false],
    [`${'x'.repeat(9_000)}y`, false],
    ['x'.repeat(9_000), true],
  ] as const)
    assert.equal(likePattern(`%${part}%`, true).test('x'.repeat(900_000)), found);
});

test('many wildcards on a long text are decided', () => {
  assert.equal(likePattern('%a'.repeat(50) + '%b', false).test('a'.repeat(5_000)), false);
});
