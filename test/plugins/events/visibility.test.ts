/** Who sees what, in random worlds, against a model that reads everything. */
import { test } from 'node:test';
import { eachStore } from '../../support/stores.js';
import { checkWorlds } from './support/check-worlds.js';

eachStore('visibility', (store) => {
  test('every caller sees of every feed what the model says', async () => {
    await checkWorlds(await store.fresh(), store.name === 'embedded' ? 20 : 8);
  });
});
