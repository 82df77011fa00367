import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runFault } from '../../../../support/mongod/mongod-fault.js';
import { mongodMissing } from '../../../../support/mongod/mongod.js';

for (const [name, options] of [
  ['one mongod killed and started again five times', { members: 1, rounds: 5 }],
  ['the primary of three killed three times', { members: 3, rounds: 3 }],
] as const) {
  test(
    `${name} under load: every acknowledged write is there and told, callers saw unavailable and then success`,
    { skip: mongodMissing, timeout: 300_000 },
    async (context) => {
      const { acknowledged, missing, halves, untold, refusals } = await runFault(options);
      context.diagnostic(`${acknowledged} acknowledged, refused ${JSON.stringify([...refusals])}`);
      assert.deepEqual({ missing, halves, untold }, { missing: [], halves: [], untold: [] });
      assert.deepEqual(
        [...refusals.keys()].filter((code) => code !== 'unavailable'),
        [],
      );
    },
  );
}
