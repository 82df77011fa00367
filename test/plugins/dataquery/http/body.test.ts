import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRows } from '../../../../plugins/dataquery/http/body.js';
import { csvLine, parseCsv } from '../../../../plugins/dataquery/http/csv.js';

test('an object is one row, an array several, and a missing content type means JSON', () => {
  assert.deepEqual(parseRows(' {"a":1} ', undefined, undefined), { rows: [{ a: 1 }], keys: ['a'] });
  assert.deepEqual(parseRows('[{"a":1},{"a":2}]', 'application/json', undefined).rows, [{ a: 1 }, { a: 2 }]);
});

test('rows with different keys are refused unless the columns are named', () => {
  const text = '[{"a":1},{"b":2}]';
  assert.throws(() => parseRows(text, undefined, undefined), {
    code: 'SVC102',
    message: 'All object keys must match',
  });
  assert.equal(parseRows(text, undefined, ['a', 'b']).rows.length, 2);
});

test('an empty and a broken body are refused alike', () => {
  for (const text of ['', '}{ x = 2', '[1]x']) {
    assert.throws(() => parseRows(text, undefined, undefined), {
      code: 'SVC102',
      message: 'Empty or invalid json',
    });
  }
});

test('CSV holds quotes, commas and lines, and NULL without quotes is null', () => {
  const { rows } = parseRows('a,b\r\n"x, ""y""\nz",NULL\n"NULL",\n', 'text/csv; charset=utf-8', undefined);
  assert.deepEqual(rows, [
    { a: 'x, "y"\nz', b: null },
    { a: 'NULL', b: '' },
  ]);
  assert.throws(() => parseRows('a,b\n1', 'text/csv', undefined), {
    message: 'All lines must have same number of fields',
  });
});

test('a form is one row', () => {
  const { rows } = parseRows('a=1&b=x+y', 'application/x-www-form-urlencoded', undefined);
  assert.deepEqual(rows, [{ a: '1', b: 'x y' }]);
});

test('empty lines of CSV do not count, and without a header there are no rows', () => {
  assert.deepEqual(parseRows('a,b\n\n1,2\n\n', 'text/csv', undefined).rows, [{ a: '1', b: '2' }]);
  assert.deepEqual(parseRows('a\n""\n', 'text/csv', undefined).rows, [{ a: '' }]);
  assert.throws(() => parseRows('\n', 'text/csv', undefined), {
    code: 'SVC102',
    message: 'The CSV body has no header line',
  });
});

test('a line of CSV reads back as its cells', () => {
  const cells = ['', 'plain', 'a,b', 'say "so"', 'two\nlines'];
  assert.deepEqual(
    parseCsv(csvLine(cells))?.[0]?.map(({ text }) => text),
    cells,
  );
});
