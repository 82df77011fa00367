/** A hundred killed servers on one store. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killRounds } from '../faults/kill.js';

test('a hundred kills in the middle of mixed writes lose nothing that was acknowledged', async (t) => {
  const acknowledged = await killRounds(t, 100);
  assert.ok(acknowledged > 100);
  t.diagnostic(`${acknowledged} acknowledged rows looked at`);
});
