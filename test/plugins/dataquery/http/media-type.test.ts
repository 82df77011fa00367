import assert from 'node:assert/strict';
import { test } from 'node:test';
import { negotiateRows } from '../../../../plugins/dataquery/front/http/media-type.js';

test('without a wish, and for anything, rows are a JSON array', () => {
  for (const accept of [undefined, '', '*/*', 'text/html, */*;q=0.1']) {
    assert.equal(negotiateRows(accept).contentType, 'application/json; charset=utf-8');
  }
});

test('the best of the types that can be made is taken', () => {
  assert.equal(negotiateRows('image/png, text/csv;q=0.5, application/json;q=0.4').kind, 'csv');
});

test('a single object and stripped nulls say so in their content type', () => {
  assert.deepEqual(negotiateRows('application/vnd.pgrst.object+json;nulls=stripped'), {
    kind: 'object',
    stripNulls: true,
    contentType: 'application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8',
  });
});

test('only unknown types are refused by name', () => {
  assert.throws(() => negotiateRows('application/geo+json'), {
    code: 'SVC107',
    message: 'None of these media types are available: application/geo+json',
  });
});
