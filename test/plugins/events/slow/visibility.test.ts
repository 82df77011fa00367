/** Who sees what, in 5,000 random worlds. WORLDS says how many, WORLDS_SEED repeats a run. */
import { test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { checkWorlds } from '../support/check-worlds.js';

const worlds = Number(process.env['WORLDS'] ?? 5_000);
const seed = process.env['WORLDS_SEED'];

eachStore('visibility', (store) => {
  test(`every caller sees of every feed what the model says, in ${worlds} worlds`, async () => {
    await checkWorlds(await store.fresh(), worlds, seed === undefined ? undefined : Number(seed));
  });
});
