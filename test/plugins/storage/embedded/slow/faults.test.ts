/** Kills in each long task, and files harmed in each way, at new instants in every run; ROUNDS says how many, SEED repeats one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harmed, killedIn } from '../faults/faults.js';
import { seeded } from '../faults/power-loss.js';

const ROUNDS = Number(process.env['ROUNDS'] ?? 60);
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 32);

for (const task of ['backup', 'restore', 'export', 'import', 'index', 'repair', 'recovery'] as const)
  test(`${ROUNDS} kills in the middle of ${task}: nothing is done, or all of it`, async (t) => {
    t.diagnostic(`seed ${seed}`);
    const { right, refused } = await killedIn(t, task, ROUNDS, seeded(seed));
    t.diagnostic(`${task}: ${right} right, ${refused} refused`);
    assert.equal(right + refused, ROUNDS);
  });

for (const harm of ['shorten', 'flip', 'zero', 'swap'] as const)
  test(`${ROUNDS} files that someone ${harm}s: the right state, or a refusal in words`, async (t) => {
    t.diagnostic(`seed ${seed}`);
    const { right, refused } = await harmed(t, harm, ROUNDS, seeded(seed));
    t.diagnostic(`${harm}: ${right} right, ${refused} refused`);
    assert.equal(right + refused, ROUNDS);
  });
