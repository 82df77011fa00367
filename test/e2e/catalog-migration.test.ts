import { test } from 'node:test';
import { eachStore } from '../support/stores.js';
import { killedInMigration } from './catalog-migration.js';

eachStore('a migration of a catalog', (store) => {
  test('that kill -9 ends in the middle goes on with the next start', () =>
    killedInMigration(store, 5_000, 0.1));
});
