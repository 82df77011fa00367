/** What is read between two equal marks of the last commit has every write that was acknowledged before the second. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import type { Document, Storage } from 'plugboard/sdk';
import { eventually } from '../../../support/eventually.js';
import { openStore } from '../../../support/open-store.js';
import { eachStore } from '../../../support/stores.js';
import { suiteStore } from '../../../support/store-of-test.js';

interface Counter extends Document {
  readonly n: number;
}

const WRITERS = 12;
const WRITES = 15;

async function markOf(storage: Storage): Promise<string | number | undefined> {
  return storage.commits ?? (await storage.lastCommit?.());
}

/** Others that share the server may be about to commit. */
async function knownMarkOf(storage: Storage): Promise<string | number> {
  let mark: string | number | undefined;
  await eventually(async () => (mark = await markOf(storage)) !== undefined, 'the last commit is known');
  return mark!;
}

eachStore('the last commit', (store) => {
  const suite = suiteStore(store);

  test('its mark changes with each commit, of whatever collection', async () => {
    const [one, other] = [await suite.collection<Counter>(), await suite.collection<Counter>()];
    const marks = new Set<unknown>();
    const writes = [
      () => one.insertOne({ _id: 'a', n: 0 }),
      () => other.insertOne({ _id: 'a', n: 0 }),
      () => one.updateOne({ _id: 'a' }, { $inc: { n: 1 } }),
      () => suite.storage.transaction((tx) => one.with(tx).insertOne({ _id: 'b', n: 0 })),
      () => other.deleteOne({ _id: 'a' }),
    ];
    for (const write of writes) {
      await write();
      marks.add(await knownMarkOf(suite.storage));
    }
    assert.equal(marks.size, writes.length);
  });

  test('answers that are kept between equal marks lack no write that was acknowledged', async (t) => {
    const reading = await suite.holding<Counter>(
      ...Array.from({ length: WRITERS }, (_, at) => ({ _id: String(at), n: 0 })),
    );
    // Where several processes share a store, another client writes too.
    const second = store.alone === false ? await openStore(suite.config) : suite.open;
    if (second !== suite.open) t.after(() => second.close());
    const elsewhere = second.storage.collection<Counter>({ name: reading.name });
    await second.start();
    const acknowledged = Array.from({ length: WRITERS }, () => 0);
    let writing = WRITERS;
    const write = async (at: number): Promise<void> => {
      const collection = at % 2 === 0 ? reading : elsewhere;
      for (let n = 1; n <= WRITES; n += 1) {
        await collection.updateOne({ _id: String(at) }, { $set: { n } });
        acknowledged[at] = n;
        // All rest now and then, so that some answers are of use.
        if (n % 5 === 0) await sleep(40);
      }
      writing -= 1;
    };
    const read = async (): Promise<void> => {
      let kept: { readonly mark: unknown; readonly found: readonly Counter[] } | undefined;
      while (writing > 0) {
        const least = [...acknowledged];
        const mark = await markOf(suite.storage);
        if (kept === undefined || mark === undefined || kept.mark !== mark) {
          kept = { mark, found: await reading.find({}).toArray() };
        }
        const found = new Map(kept.found.map(({ _id, n }) => [_id, n]));
        for (const [at, n] of least.entries()) assert.ok(found.get(String(at))! >= n, `${mark}: ${at}, ${n}`);
        await sleep(1);
      }
    };
    await Promise.all([...acknowledged.keys()].map(write).concat(read(), read()));
    const last = await reading.find({}).toArray();
    assert.ok(last.every(({ n }) => n === WRITES));
  });
});
