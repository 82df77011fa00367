import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runFault } from '../../../support/mongod/mongod-fault.js';
import { mongodMissing } from '../../../support/mongod/mongod.js';

test(
  'mongod killed and started again under load: every acknowledged write is there and told, without a restart of ours',
  { skip: mongodMissing },
  async () => {
    const { acknowledged, missing, halves, untold, refusals } = await runFault({ members: 1, rounds: 1 });
    assert.ok(acknowledged > 0);
    assert.deepEqual({ missing, halves, untold }, { missing: [], halves: [], untold: [] });
    assert.deepEqual(
      [...refusals.keys()].filter((code) => code !== 'unavailable'),
      [],
    );
  },
);
