/** What a start says of a replica set that it cannot use. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Mongod, mongodMissing } from '../../../support/mongod/mongod.js';
import { openStore } from '../../../support/storage/open-store.js';

test(
  'a set that was never initiated, and a set of another name, are told',
  { skip: mongodMissing },
  async (t) => {
    const mongod = await Mongod.start({ args: ['--replSet', 'one'] });
    t.after(() => mongod[Symbol.asyncDispose]());
    const open = (set: string) =>
      openStore({
        use: 'mongodb',
        url: `mongodb://127.0.0.1:${mongod.port}/?replicaSet=${set}`,
        database: 'unreachable',
        timeouts: { serverSelection: 1000, connect: 1000 },
      });
    await assert.rejects(open('one'), /the replica set was never initiated; run rs\.initiate\(\)/);
    const members = [{ _id: 0, host: `127.0.0.1:${mongod.port}` }];
    await mongod.command({ replSetInitiate: { _id: 'one', members } });
    await assert.rejects(open('two'), /no server of storage\.url belongs to the replica set "two"/);
  },
);
