import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachStore } from '../../../../support/stores.js';
import { compareStores } from '../compare.js';
import { embeddedConfig } from '../embedded-config.js';

/** `PLUGBOARD_SEED=n` repeats a run, `PLUGBOARD_SEQUENCES=n` makes it longer. */
const seed = Number(process.env['PLUGBOARD_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const sequences = Number(process.env['PLUGBOARD_SEQUENCES'] ?? 10_000);

eachStore('the two stores side by side', (store) => {
  if (store.name !== 'mongodb') return;
  test(`answer ${sequences} random sequences alike (PLUGBOARD_SEED=${seed})`, async (context) => {
    const alike = await compareStores({
      stores: [await embeddedConfig(context), await store.fresh()],
      sequences,
      seed,
    });
    context.diagnostic(`${alike} sequences, PLUGBOARD_SEED=${seed}`);
    assert.ok(alike >= sequences);
  });
});
