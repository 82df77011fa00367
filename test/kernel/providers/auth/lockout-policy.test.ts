import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lockEnd } from '../../../../kernel/providers/auth/password/lockout.js';

const policy = { failures: 3, minutes: 1 / 60 };
const at = (...times: number[]): Date[] => times.map((time) => new Date(time));

test('the last of enough failures within the window locks for the window', () => {
  assert.equal(lockEnd([], policy), undefined);
  assert.equal(lockEnd(at(1, 2), policy), undefined);
  assert.equal(lockEnd(at(1, 500, 1000), policy), 2000);
  assert.equal(lockEnd(at(1, 500, 1001), policy), undefined);
});

test('only the last failures count, and the first one after a lock does not lock again', () => {
  assert.equal(lockEnd(at(1, 5000, 5100, 5200), policy), 6200);
  assert.equal(lockEnd(at(5000, 5100, 5200, 6200), policy), undefined);
});
