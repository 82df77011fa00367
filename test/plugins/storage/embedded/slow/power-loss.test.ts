/** Many losses of power on one store, at new instants in every run. */
import { test } from 'node:test';
import { blackouts } from '../blackout.js';
import { seeded } from '../power-loss.js';

const skip = process.platform === 'linux' ? false : 'skipped: the syncs of a process are seen on Linux only';

test('a hundred losses of power take nothing that was acknowledged', { skip }, async (t) => {
  const seed = Date.now() % 2 ** 32;
  t.diagnostic(`seed ${seed}`);
  const looked = await blackouts(t, { rounds: 100, random: seeded(seed) });
  t.diagnostic(`${looked} acknowledged rows looked at`);
});
