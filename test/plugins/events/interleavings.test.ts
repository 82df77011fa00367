/** A page is never stale, whatever instance is asked while others write. */
import { test } from 'node:test';
import { eachStore } from '../../support/stores.js';
import { checkInterleavings } from './support/interleavings.js';

eachStore('interleavings', (store) => {
  test('a poll that begins after a write was acknowledged shows it, on any instance', async () => {
    await checkInterleavings(() => store.fresh(), store.name === 'embedded' ? 25 : 5);
  });
});
