/** Writes to a disk that loses its power, again and again, and compares each time with what was acknowledged. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { TestContext } from 'node:test';
import type { Collection } from 'plugboard/sdk';
import type { EmbeddedStore } from '../../../../../plugins/storage/embedded/storage.js';
import { openStore, type Row } from '../open.js';
import { Disk, type Random } from './power-loss.js';

const SPEC = {
  name: 'rows',
  indexes: [{ keys: { lane: 1, n: -1 } }, { keys: { tags: 1 } }, { keys: { key: 1 }, unique: true }],
} as const;

/** Returns how many rows were looked at. */
export async function blackouts(
  t: TestContext,
  { rounds, random }: { rounds: number; random: Random },
): Promise<number> {
  const parent = mkdtempSync(join(tmpdir(), 'plugboard-blackout-'));
  t.after(() => rmSync(parent, { recursive: true, force: true }));
  const acknowledged = new Map<string, number | null>();
  let directory = join(parent, '0');
  let looked = 0;
  for (let round = 1; round <= rounds; round++) {
    const { store } = await openStore(t, {
      directory,
      sync: true,
      checkpointEvery: 7,
      boot: String(round).padStart(32, '0'),
    });
    await verify(store, acknowledged);
    looked += acknowledged.size;
    const next = join(parent, String(round));
    const seen = await writeUntilBlackout(store, directory, next, { round, random });
    for (const [id, n] of seen) acknowledged.set(id, n);
    await store.close();
    rmSync(directory, { recursive: true });
    directory = next;
  }
  return looked;
}

/** Resolves to what was acknowledged at the instant of the crash. */
async function writeUntilBlackout(
  store: EmbeddedStore,
  directory: string,
  into: string,
  { round, random }: { round: number; random: Random },
): Promise<Map<string, number | null>> {
  const disk = new Disk(directory, random);
  const seen = new Map<string, number | null>();
  let running = true;
  const acknowledge = (id: string, n: number | null): void => {
    if (running) seen.set(id, n);
  };
  const rows = store.forPlugin('test').collection<Row>(SPEC);
  const lanes = [0, 1, 2].map((number) =>
    lane(rows, `${round}.${number}`, { store, acknowledge, random, goesOn: () => running }),
  );
  try {
    for (let turns = Math.floor(random() * 120); turns >= 0; turns--) {
      await turn();
      disk.look();
    }
    mkdirSync(into);
    disk.crash(into);
  } finally {
    running = false;
    await Promise.all(lanes);
    disk.close();
  }
  return seen;
}

interface Lane {
  readonly store: EmbeddedStore;
  readonly random: Random;
  acknowledge(id: string, n: number | null): void;
  goesOn(): boolean;
}

/** Inserts, changes and deletes its own rows; some steps are a transaction over two of them. */
async function lane(rows: Collection<Row>, name: string, { store, random, ...told }: Lane): Promise<void> {
  for (let step = 0; told.goesOn(); step++) {
    const id = `${name}.${step}`;
    const text = 'x'.repeat(random() * 3000);
    await rows.insertOne({ _id: id, lane: name, n: step, key: id, tags: [step % 3, 'all'], text });
    told.acknowledge(id, step);
    await rows.updateOne({ _id: id }, { $inc: { n: 1000 }, $push: { tags: 'more' } });
    told.acknowledge(id, step + 1000);
    if (step % 4 < 3) continue;
    const before = `${name}.${step - 1}`;
    await store.forPlugin('test').transaction(async (tx) => {
      await rows.with(tx).deleteOne({ _id: before });
      await rows.with(tx).updateOne({ _id: id }, { $set: { n: -1, pair: before } });
    });
    told.acknowledge(before, null);
    told.acknowledge(id, -1);
  }
}

/** Later writes of which the crash took the acknowledgement may be there too: they are taken as acknowledged now. */
async function verify(store: EmbeddedStore, acknowledged: Map<string, number | null>): Promise<void> {
  assert.deepEqual((await store.check()).faults, []);
  const rows = store.forPlugin('test').collection<Row>(SPEC);
  for (const [id, n] of acknowledged) {
    const row = await rows.findOne({ key: id });
    const now = row === null ? null : Number(row['n']);
    const later = n === null ? [null] : n === -1 ? [-1] : n < 1000 ? [n, n + 1000, -1, null] : [n, -1, null];
    assert.ok(later.includes(now), `${id} was acknowledged as ${n} and is ${now}`);
    acknowledged.set(id, now);
  }
  for (const { pair } of await rows.find({ n: -1 }).toArray())
    assert.equal(await rows.findOne({ _id: String(pair) }), null, 'a transaction is there by half');
}
