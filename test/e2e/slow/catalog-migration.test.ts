import { test } from 'node:test';
import { eachStore } from '../../support/stores.js';
import { killedInMigration } from '../catalog-migration.js';

eachStore('migrations of a catalog', (store) => {
  for (let round = 0; round < 10; round += 1)
    test(`round ${round}: goes on where kill -9 ended it`, () =>
      killedInMigration(store, 40_000, round / 11));
});
