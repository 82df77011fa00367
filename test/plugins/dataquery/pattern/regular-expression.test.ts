import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isServiceError } from 'plugboard/sdk';
import { regularExpression } from '../../../../plugins/dataquery/engine/pattern/regular-expression.js';

test('a pattern finds what the same JavaScript pattern finds', () => {
  const patterns = [
    'yx$',
    '^xy',
    'a|b',
    'a(b|cd)*e',
    'x{2,3}y',
    '[a-c]+[^x]',
    '(a?){3}b',
    'a.c',
    '\\d+\\s\\w',
    '^$',
    '(ab|a)(c|bcd)(d*)',
    '[]x]'.replace('[]x]', '[x\\]]'),
    'a+?b',
    'a{2}',
    '^(?:ab)+$',
  ];
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'x', 'y', '1', ' ', ']'),
    maxLength: 12,
  });
  for (const pattern of patterns) {
    const find = regularExpression(pattern, false);
    const same = new RegExp(pattern, 's');
    fc.assert(
      fc.property(text, (value) => assert.equal(find(value), same.test(value), `${pattern} on "${value}"`)),
      { numRuns: 200 },
    );
  }
});

test('case is ignored on request, in classes too', () => {
  assert.equal(regularExpression('^XY[a-b]', true)('xyB'), true);
  assert.equal(regularExpression('^XY', false)('xy'), false);
});

test('classes, word edges and named classes are those of PostgreSQL', () => {
  assert.equal(regularExpression('\\mwor\\w+\\M', false)('hello world!'), true);
  assert.equal(regularExpression('^[[:alpha:]]+[[:digit:]]$', false)('né7'), true);
  assert.equal(regularExpression('\\D', false)('123'), false);
  assert.equal(regularExpression('^[\\w-]+[^\\d\\s]\\Z', false)('né-1é'), true);
  assert.equal(regularExpression('\\yworld\\y', false)('hello world'), true);
  assert.equal(regularExpression('a{,2}', false)('a{,2}'), true);
});

test('a pattern that cannot be read is refused', () => {
  for (const pattern of [
    '(',
    ')',
    '[a',
    'a{9,2}',
    '*a',
    'a**',
    '\\',
    '(?=a)',
    '(a)\\1',
    '[b-a]',
    'a{300}',
    '\\m ',
    '(?i)a',
  ]) {
    assert.throws(
      () => regularExpression(pattern, false),
      (error) => isServiceError(error) && error.code === '2201B' && error.status === 400,
      pattern,
    );
  }
});

test('a pattern that makes backtracking engines run for years is decided', () => {
  assert.equal(regularExpression('^(a+)+$', false)(`${'a'.repeat(2_000)}b`), false);
  assert.throws(() => regularExpression('(((a{200}){200}){200})', false), /invalid repetition/);
  assert.throws(() => regularExpression('(((((){255}){255}){255}){255}){255}', false), /invalid repetition/);
  assert.throws(() => regularExpression('x'.repeat(1_001), false), /too complex/);
  assert.throws(
    () => regularExpression('([a-z]{1,50}){1,20}$', false)('a'.repeat(1_000_000)),
    (error) => isServiceError(error) && error.code === '54000',
  );
});
