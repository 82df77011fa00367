/** JSON texts with half of a surrogate pair. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hasLoneSurrogate } from 'plugboard/sdk';

/** Every unit as an escape, as some clients write them all. */
function escaped(value: string): string {
  const units = Array.from({ length: value.length }, (_, at) => value.charCodeAt(at));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}

test('a text has a lone surrogate when one of its strings has', () => {
  const unit = fc.constantFrom(
    'a',
    '\\',
    '"',
    '\n',
    'u',
    'd800',
    '\ud83d',
    '\ude00',
    '\ud83d\ude00',
    '\uac00',
  );
  fc.assert(
    fc.property(fc.array(fc.array(unit).map((units) => units.join(''))), (values) => {
      const expected = values.some((value) => /\p{Surrogate}/u.test(value));
      assert.equal(hasLoneSurrogate(JSON.stringify(values)), expected);
      assert.equal(hasLoneSurrogate(`[${values.map(escaped).join(',')}]`), expected);
    }),
    { numRuns: 1_000 },
  );
});
