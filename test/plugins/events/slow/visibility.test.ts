/**
 * Who sees what, in 5,000 random worlds, on MongoDB a fifth of them. WORLDS says how many; WORLDS_SEED repeats a run
 * with the seed of one part.
 */
import { test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { checkWorlds } from '../support/check-worlds.js';

const worlds = Number(process.env['WORLDS'] ?? 5_000);
const seed = process.env['WORLDS_SEED'];
/** Each a test of its own, as tests have a time limit. */
const PARTS = 10;

eachStore('visibility', (store) => {
  const each = Math.ceil(worlds / PARTS / (store.name === 'mongodb' ? 5 : 1));
  for (let part = 1; part <= PARTS; part += 1)
    test(`every caller sees of every feed what the model says, in ${each} worlds (${part})`, async () => {
      await checkWorlds(await store.fresh(), each, seed === undefined ? undefined : Number(seed));
    });
});
