/** The table of every operation by every kind of key, on both stores. */
import { eachStore } from '../../support/stores.js';
import { operationsByKey } from '../operations-by-key.js';

eachStore('operations by key', (store) =>
  operationsByKey(`operations-${store.name}.md`, () => store.fresh()),
);
