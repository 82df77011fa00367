import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf, pagesOf } from '../../../../plugins/memory/front/api/paging.js';

test('an offset beats the page, and the page it reports is the one that the offset lies on', () => {
  assert.deepEqual(pageOf({ limit: 10, page: 3 }), { skip: 20, limit: 10, page: 3 });
  assert.deepEqual(pageOf({ limit: 10, page: 3, offset: 0 }), { skip: 0, limit: 10, page: 1 });
  assert.deepEqual(pageOf({ limit: 10, page: 1, offset: 25 }), { skip: 25, limit: 10, page: 3 });
});

test('an empty list has no pages, and a page that is not full counts', () => {
  assert.deepEqual(
    [0, 1, 10, 11].map((total) => pagesOf(total, 10)),
    [0, 1, 1, 2],
  );
});
