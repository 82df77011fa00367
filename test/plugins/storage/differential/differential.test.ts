import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { compareStores } from './compare.js';
import { embeddedConfig } from './embedded-config.js';

/** The same sequences in every run, so that a change is judged by itself; `PLUGBOARD_SEED=n` takes others, the slow test always does. */
const seed = Number(process.env['PLUGBOARD_SEED'] ?? 161252881);

eachStore('the two stores side by side', (store) => {
  if (store.name !== 'mongodb') return;
  test(`answer 200 random sequences alike (PLUGBOARD_SEED=${seed})`, async (context) => {
    const alike = await compareStores({
      stores: [await embeddedConfig(context), await store.fresh()],
      sequences: 200,
      seed,
    });
    assert.ok(alike >= 200);
  });
});
