/** No generated request makes a 500. `slow/` asks more, on both stores. */
import { test } from 'node:test';
import { fuzz, seed } from './fuzz.js';

/** FUZZ_REQUESTS says how many. */
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 1_500);

test(`${requests} generated requests never make a 500, and every answer has the shape that is documented (FUZZ_SEED=${seed})`, async (t) => {
  t.diagnostic(await fuzz(requests));
});
