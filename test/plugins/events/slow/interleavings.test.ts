/** A page is never stale: 10,000 random interleavings. INTERLEAVINGS says how many. */
import { test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { checkInterleavings } from '../support/interleavings.js';

const count = Number(process.env['INTERLEAVINGS'] ?? 10_000);

eachStore('interleavings', (store) => {
  test(`a poll that begins after a write was acknowledged shows it, in ${count} interleavings`, async () => {
    await checkInterleavings(() => store.fresh(), count);
  });
});
