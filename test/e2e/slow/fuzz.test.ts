/** No generated request makes a 500, on either store; FUZZ_SEED repeats one. */
import { test } from 'node:test';
import { eachStore } from '../../support/stores.js';
import { fuzz, seed } from '../fuzz.js';

/** FUZZ_REQUESTS says how many. */
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 50_000);

eachStore('the fuzz of all routes', (store) => {
  test(`${requests} generated requests never make a 500 (FUZZ_SEED=${seed})`, async (t) => {
    t.diagnostic(await fuzz(requests, await store.fresh()));
  });
});
