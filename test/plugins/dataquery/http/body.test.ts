import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Budget } from '../../../../plugins/dataquery/engine/base/budget.js';
import { csvLine, CsvReader } from '../../../../plugins/dataquery/engine/formats/csv.js';
import * as bodies from '../../../../plugins/dataquery/front/http/body.js';

function parseRows(text: string, contentType?: string, columns?: readonly string[], maxWriteRows = 100) {
  const budget = new Budget({
    rows: 1_000,
    characters: 1_000_000,
    milliseconds: 60_000,
    writtenRows: 10_000,
    writtenCharacters: 10_000_000,
  });
  return bodies.parseRows({ maxWriteRows, budget }, text, contentType, columns);
}

test('an object is one row, an array several, and a missing content type means JSON', async () => {
  assert.deepEqual(await parseRows(' {"a":1} ', undefined, undefined), { rows: [{ a: 1 }], keys: ['a'] });
  assert.deepEqual((await parseRows('[{"a":1},{"a":2}]', 'application/json', undefined)).rows, [
    { a: 1 },
    { a: 2 },
  ]);
});

test('rows with different keys are refused unless the columns are named', async () => {
  const text = '[{"a":1},{"b":2}]';
  await assert.rejects(() => parseRows(text, undefined, undefined), {
    code: 'SVC102',
    message: 'All object keys must match',
  });
  assert.equal((await parseRows(text, undefined, ['a', 'b'])).rows.length, 2);
});

test('more numbers that a double cannot hold than 20,000 are refused', async () => {
  const numbers = (count: number) => `{"a":[${Array.from({ length: count }, () => '1e400').join(',')}]}`;
  assert.equal((await parseRows(numbers(20_000))).rows.length, 1);
  await assert.rejects(() => parseRows(numbers(20_001)), { code: 'SVC129' });
});

test('an empty and a broken body are refused alike', async () => {
  for (const text of ['', '}{ x = 2', '[1]x']) {
    await assert.rejects(() => parseRows(text, undefined, undefined), {
      code: 'SVC102',
      message: 'Empty or invalid json',
    });
  }
});

test('CSV holds quotes, commas and lines, and NULL without quotes is null', async () => {
  const { rows } = await parseRows(
    'a,b\r\n"x, ""y""\nz",NULL\n"NULL",\n',
    'text/csv; charset=utf-8',
    undefined,
  );
  assert.deepEqual(rows, [
    { a: 'x, "y"\nz', b: null },
    { a: 'NULL', b: '' },
  ]);
  await assert.rejects(() => parseRows('a,b\n1', 'text/csv', undefined), {
    message: 'All lines must have same number of fields',
  });
});

test('a form is one row', async () => {
  const { rows } = await parseRows('a=1&b=x+y', 'application/x-www-form-urlencoded', undefined);
  assert.deepEqual(rows, [{ a: '1', b: 'x y' }]);
});

test('empty lines of CSV do not count, and without a header there are no rows', async () => {
  assert.deepEqual((await parseRows('a,b\n\n1,2\n\n', 'text/csv', undefined)).rows, [{ a: '1', b: '2' }]);
  assert.deepEqual((await parseRows('a\n""\n', 'text/csv', undefined)).rows, [{ a: '' }]);
  await assert.rejects(() => parseRows('\n', 'text/csv', undefined), {
    code: 'SVC102',
    message: 'The CSV body has no header line',
  });
});

test('a line of CSV reads back as its cells', () => {
  const cells = ['', 'plain', 'a,b', 'say "so"', 'two\nlines'];
  const [record] = records([csvLine(cells)]);
  assert.deepEqual(
    record?.cells.map(({ text }) => text),
    cells,
  );
});

function records(pieces: readonly string[]) {
  const reader = new CsvReader();
  return [...pieces.flatMap((piece) => [...reader.read(piece)]), ...reader.end()];
}

test('CSV in pieces of any size is the same records with the lines on which they begin', () => {
  const text = 'a,b\r\n"x, ""y""\r\nz",2\n,"q"\n\nlast,';
  const whole = records([text]);
  assert.deepEqual(
    whole.map(({ line, cells }) => [line, cells.map((cell) => cell.text)]),
    [
      [1, ['a', 'b']],
      [2, ['x, "y"\r\nz', '2']],
      [4, ['', 'q']],
      [6, ['last', '']],
    ],
  );
  for (const size of [1, 2, 3, 7]) {
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      text.slice(at * size, (at + 1) * size),
    );
    assert.deepEqual(records(pieces), whole, `pieces of ${size}`);
  }
});

test('an open quote and junk after a quote are refused with their line', () => {
  assert.throws(() => records(['a\n"open']), { name: 'CsvError', line: 2 });
  assert.throws(() => records(['a\n"x"y\n']), { name: 'CsvError', line: 2 });
});

test('a body with more rows or keys than are allowed is refused with the limit', async () => {
  await assert.rejects(() => parseRows('[{},{},{}]', undefined, undefined, 2), {
    code: 'SVC129',
    message: 'The request costs too much',
  });
  await assert.rejects(() => parseRows('a\n1\n2\n3', 'text/csv', undefined, 2), { code: 'SVC129' });
  const fields = ','.repeat(2_000);
  await assert.rejects(() => parseRows(fields, 'text/csv'), {
    message: /a record has more than 1600 fields/,
  });
  await assert.rejects(() => parseRows('a=1&'.repeat(1_601), 'application/x-www-form-urlencoded'), {
    message: 'A form has more than 1600 fields',
  });
  const keys = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`k${at}`, at]));
  await assert.rejects(() => parseRows(JSON.stringify(keys)), {
    message: 'An object has 2000 keys, the limit is 1600',
  });
});
