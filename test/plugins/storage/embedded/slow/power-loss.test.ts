/** Machines that lose their power, at new instants in every run; ROUNDS says how many, SEED repeats one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blackouts } from '../faults/blackout.js';
import { seeded } from '../faults/power-loss.js';

const skip = process.platform === 'linux' ? false : 'skipped: the syncs of a process are seen on Linux only';

const ROUNDS = Number(process.env['ROUNDS'] ?? 100);

test(
  `${ROUNDS} losses of power between any two writes take nothing that was acknowledged`,
  { skip },
  async (t) => {
    const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 32);
    t.diagnostic(`seed ${seed}`);
    const looked = await blackouts(t, { rounds: ROUNDS, random: seeded(seed) });
    assert.ok(looked > 0);
    t.diagnostic(`${looked} acknowledged rows looked at`);
  },
);
