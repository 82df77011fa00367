/** Machines that lose their power: what was acknowledged is there, and the indexes agree with the documents. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blackouts } from './blackout.js';
import { seeded } from './power-loss.js';

const skip = process.platform === 'linux' ? false : 'skipped: the syncs of a process are seen on Linux only';

test('a loss of power between any two writes takes nothing that was acknowledged', { skip }, async (t) => {
  assert.ok((await blackouts(t, { rounds: 4, random: seeded(1) })) > 25);
});
