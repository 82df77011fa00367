/** A few kills and harmed files of each kind; the slow tests have sixty. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harmed, killedIn } from './faults.js';
import { seeded } from './power-loss.js';

for (const task of ['backup', 'restore', 'export', 'import', 'index', 'repair', 'recovery'] as const)
  test(`kill -9 in the middle of ${task}: nothing is done, or all of it`, async (t) => {
    const { right, refused } = await killedIn(t, task, 2, seeded(7));
    assert.equal(right + refused, 2);
  });

for (const harm of ['shorten', 'flip', 'zero', 'swap'] as const)
  test(`a file that someone ${harm}s: the right state, or a refusal in words`, async (t) => {
    const { right, refused } = await harmed(t, harm, 3, seeded(11));
    assert.equal(right + refused, 3);
  });
