/** A page is never stale: 10,000 random interleavings, on MongoDB a fifth of them. INTERLEAVINGS says how many. */
import { test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { checkInterleavings } from '../support/interleavings.js';

const count = Number(process.env['INTERLEAVINGS'] ?? 10_000);
/** Each a test of its own, as tests have a time limit. */
const PARTS = 10;

eachStore('interleavings', (store) => {
  const each = Math.ceil(count / PARTS / (store.name === 'mongodb' ? 5 : 1));
  for (let part = 1; part <= PARTS; part += 1)
    test(`a poll that begins after a write was acknowledged shows it, in ${each} interleavings (${part})`, async () => {
      await checkInterleavings(() => store.fresh(), each);
    });
});
