/** Kills the primary under load, starts it again, and compares what is stored with what was acknowledged. */
import { openStore } from './open-store.js';
import { startMongodSet } from './mongod-set.js';
import type { Anything } from './store-of-test.js';
import { startWriteLoad } from './write-load.js';

export interface FaultResult {
  readonly acknowledged: number;
  /** Ids that were acknowledged and are not there. */
  readonly missing: readonly string[];
  readonly refusals: ReadonlyMap<string, number>;
}

export async function runFault({
  members,
  rounds,
}: {
  members: number;
  rounds: number;
}): Promise<FaultResult> {
  const set = await startMongodSet(members);
  try {
    const store = await openStore({
      use: 'mongodb',
      url: set.url,
      database: 'fault',
      timeouts: { serverSelection: 1000, connect: 1000 },
    });
    try {
      const collection = store.storage.collection<Anything>({
        name: 'writes',
        indexes: [{ keys: { at: 1 } }],
      });
      await store.start();
      const load = startWriteLoad(collection);
      for (let round = 0; round < rounds; round++) {
        await load.more(100);
        const killed = await set.killPrimary();
        // With a majority left, the others take over first.
        if (members > 1) await load.more(100);
        await set.start(killed);
        await load.more(100);
      }
      await load.stop();
      const stored = new Set((await collection.find({}).toArray()).map(({ _id }) => _id));
      const missing = [...load.acknowledged].filter((id) => !stored.has(id));
      return { acknowledged: load.acknowledged.size, missing, refusals: load.refusals };
    } finally {
      await store.close();
    }
  } finally {
    await set.stop();
  }
}
