import assert from 'node:assert/strict';
import { test } from 'node:test';
import { affordable } from '../../../../plugins/memory/engine/keyword/scoring.js';

test('a query that costs too much loses its commonest words, and never all of them', () => {
  assert.deepEqual([...affordable([5, 900, 20, 100], 1_100)].toSorted(), [0, 1, 2, 3]);
  assert.deepEqual([...affordable([5, 900, 20, 100], 200)].toSorted(), [0, 2, 3]);
  assert.deepEqual([...affordable([5_000, 900], 200)], [1]);
  assert.deepEqual([...affordable([], 200)], []);
});
