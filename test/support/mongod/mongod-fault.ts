/** Kills the primary under load, starts it again, and compares what is stored with what was acknowledged and told. */
import type { ChangeFeed } from 'plugboard/sdk';
import { openStore } from '../storage/open-store.js';
import { startMongodSet } from './mongod-set.js';
import type { Anything } from '../storage/store-of-test.js';
import { startWriteLoad } from './write-load.js';

export interface FaultResult {
  readonly acknowledged: number;
  /** Ids that were acknowledged and are not there. */
  readonly missing: readonly string[];
  /** Ids of documents whose transaction's other document is not there. */
  readonly halves: readonly string[];
  /** Ids that are there and of which a feed that was open all the time did not tell. */
  readonly untold: readonly string[];
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
      const told = new Set<string>();
      const reading = readFeed(await collection.changes(), told);
      const load = startWriteLoad(store.storage, collection);
      for (let round = 0; round < rounds; round++) {
        await load.more(100);
        const killed = await set.killPrimary();
        // With a majority left, the others take over first.
        if (members > 1) await load.more(100);
        await set.start(killed);
        await load.more(100);
      }
      await load.stop();
      await collection.insertOne({ _id: END });
      await reading;
      const documents = await collection.find({}).toArray();
      const stored = new Set(documents.map(({ _id }) => _id));
      return {
        acknowledged: load.acknowledged.size,
        missing: [...load.acknowledged].filter((id) => !stored.has(id)),
        halves: documents.flatMap(({ _id, twin }) => (twin && !stored.has(String(twin)) ? [_id] : [])),
        untold: [...stored].filter((id) => !told.has(id)),
        refusals: load.refusals,
      };
    } finally {
      await store.close();
    }
  } finally {
    await set.stop();
  }
}

/** The last document that is written. */
const END = 'end';

async function readFeed(feed: ChangeFeed<Anything>, told: Set<string>): Promise<void> {
  for await (const { id } of feed) {
    told.add(id);
    if (id === END) return;
  }
}
