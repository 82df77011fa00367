import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isServiceError } from 'plugboard/sdk';
import { parseQuery } from '../../../../plugins/dataquery/engine/query/parse.js';

/** Pieces of the grammar: strings of them get deeper into the parser than random characters do. */
const PIECES = [
  'select',
  'order',
  'limit',
  'offset',
  'or',
  'and',
  'not',
  'columns',
  'on_conflict',
  'id',
  'films',
  'a-b',
  '*',
  '...',
  '=',
  '&',
  '.',
  ',',
  ':',
  '::',
  '!',
  'inner',
  '(',
  ')',
  '{',
  '}',
  '"',
  '\\',
  '->',
  '->>',
  '-',
  ' ',
  '%',
  '%zz',
  '+',
  'eq',
  'in',
  'is',
  'null',
  'like',
  '(any)',
  'fts',
  'count()',
  'count.',
  'sum()',
  'desc',
  'nullsfirst',
  '0',
  '-1',
  'é',
  '💡',
  '\0',
];

function parsesOrRefuses(search: string): void {
  for (const callArguments of [false, true]) {
    try {
      parseQuery(search, { callArguments });
    } catch (error) {
      assert.ok(isServiceError(error), `${JSON.stringify(search)}: ${String(error)}`);
      assert.equal(error.code, 'SVC100');
      assert.match(error.message, /\(line 1, column \d+\)$/);
    }
  }
}

test('pieces of the grammar in any order parse or are refused', () => {
  const search = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(''));
  fc.assert(fc.property(search, parsesOrRefuses), { numRuns: 1_000 });
});

test('any text parses or is refused', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), parsesOrRefuses), { numRuns: 1_000 });
  const values = fc.tuple(
    fc.constantFrom('select', 'or', 'order', 'id', 'a.order', 'columns'),
    fc.string({ unit: 'grapheme' }),
  );
  const pairs = values.map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  fc.assert(fc.property(pairs, parsesOrRefuses), { numRuns: 1_000 });
});

test('a long parameter of any repeated piece is read to its end', () => {
  for (const key of ['select', 'or', 'order', 'id', 'columns']) {
    for (const piece of PIECES) parsesOrRefuses(`${key}=(${piece.repeat(5_000)}`);
  }
});
