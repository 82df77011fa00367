/** Killed servers: what was acknowledged is there, and the indexes agree with the documents. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killRounds } from './kill.js';

test('kill -9 in the middle of mixed writes loses nothing that was acknowledged', async (t) => {
  assert.ok((await killRounds(t, 5)) > 0);
});
