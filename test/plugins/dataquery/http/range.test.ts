import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  contentRange,
  intersect,
  parseRange,
  rangeStatus,
} from '../../../../plugins/dataquery/front/http/range.js';

test('a range header and limit and offset intersect', () => {
  assert.deepEqual(intersect(parseRange('0-9', 'items'), undefined, 5), { offset: 5, limit: 5 });
  assert.deepEqual(intersect(parseRange('5-', undefined), 3, 0), { offset: 5, limit: 0 });
  assert.deepEqual(intersect(undefined, 10, -3), { offset: 0, limit: 10 });
});

test('a range of another unit is no range', () => {
  assert.equal(parseRange('0-9', 'bytes'), undefined);
});

test('a range that ends before it starts, and a negative limit, are refused', () => {
  assert.throws(() => parseRange('1-0', 'items'), { code: 'SVC103', status: 416 });
  assert.throws(() => intersect(undefined, -1, undefined), { code: 'SVC103' });
});

test('the content range says what is known', () => {
  assert.equal(contentRange(0, 15, undefined), '0-14/*');
  assert.equal(contentRange(3, 2, 20), '3-4/20');
  assert.equal(contentRange(0, 0, 0), '*/0');
});

test('a part is 206, the whole 200, and an offset beyond the end 416 with the total', () => {
  assert.equal(rangeStatus(0, 5, 10), 206);
  assert.equal(rangeStatus(0, 10, 10), 200);
  assert.equal(rangeStatus(0, 5, undefined), 200);
  assert.throws(() => rangeStatus(100, 0, 15), { code: 'SVC103', headers: { 'content-range': '*/15' } });
});
