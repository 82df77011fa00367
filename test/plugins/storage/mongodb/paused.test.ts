/** A mongod that keeps its connections and answers nothing: the worst way of being away. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isStorageError } from 'plugboard/sdk';
import { mongodMissing } from '../../../support/mongod/mongod.js';
import { startMongodSet } from '../../../support/mongod/mongod-set.js';
import { openStore, type OpenStore } from '../../../support/storage/open-store.js';
import type { Anything } from '../../../support/storage/store-of-test.js';
import { eventually } from '../../../support/eventually.js';

describe('a mongod that answers nothing', () => {
  test(
    'every call ends in "unavailable" within the timeouts, and goes on when it answers again',
    { skip: mongodMissing },
    async () => {
      const set = await startMongodSet(1);
      let store: OpenStore | undefined;
      let patient: OpenStore | undefined;
      try {
        const timeouts = { connect: 500, serverSelection: 500, socket: 1000, queue: 500, transaction: 500 };
        store = await openStore({ use: 'mongodb', url: set.url, database: 'paused', timeouts });
        const { storage } = store;
        const collection = storage.collection<Anything>({
          name: 'rows',
          indexes: [{ keys: { n: 1 } }],
        });
        await store.start();
        await collection.insertOne({ _id: 'before', n: 0 });

        patient = await openStore({ use: 'mongodb', url: set.url, database: 'paused' });
        const long = patient.storage.collection<Anything>({ name: 'rows' });
        await patient.start();

        set.pause(0);
        let isWaiting = true;
        const waiting = long.findOne({ _id: 'before' }).finally(() => (isWaiting = false));
        const calls = await Promise.allSettled([
          collection.findOne({ _id: 'before' }),
          collection.find({ n: 0 }).toArray(),
          collection.insertOne({ _id: 'during' }),
          collection.updateMany({}, { $inc: { n: 1 } }),
          collection.bulkWrite([{ insertOne: { _id: 'bulk' } }]),
          storage.transaction((tx) => collection.with(tx).insertOne({ _id: 'tx' })),
          collection.changes(),
          storage.ping(),
          store.check(),
        ]);
        for (const call of calls) {
          assert.equal(call.status, 'rejected');
          assert.ok(isStorageError(call.reason, 'unavailable'), String(call.reason));
        }

        assert.ok(isWaiting, 'a call under the default timeouts waits longer');

        set.resume(0);
        await waiting;
        const after = () => collection.updateOne({ _id: 'after' }, { $set: { n: 1 } }, { upsert: true });
        await eventually(
          () =>
            after().then(
              () => true,
              () => false,
            ),
          'a write is taken again',
        );
        assert.equal((await collection.findOne({ _id: 'after' }))?._id, 'after');
        assert.deepEqual(await store.check(), { deployment: 'replica set' });
      } finally {
        set.resume(0);
        // Also after a failure: an open client would keep the process.
        await Promise.all([store?.close(), patient?.close()]);
        await set.stop();
      }
    },
  );
});
