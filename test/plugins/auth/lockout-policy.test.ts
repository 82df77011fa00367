import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitAfter } from '../../../plugins/auth/password/lockout.js';

const MINUTE = 60_000;

test('the wait begins at the limit with a minute, doubles, and ends at the window', () => {
  const policy = { failures: 5, minutes: 15 };
  const minutes = [0, 4, 5, 6, 7, 8, 9, 10, 1_000_000].map((count) => waitAfter(count, policy) / MINUTE);
  assert.deepEqual(minutes, [0, 0, 1, 2, 4, 8, 15, 15, 15]);
  assert.equal(waitAfter(5, { failures: 5, minutes: 0.5 }), MINUTE / 2);
});
