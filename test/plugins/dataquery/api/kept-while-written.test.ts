/** Answers that are kept, while rows change: each has every write that was acknowledged before it was asked for. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { openData, type Data } from '../support/open-data.js';

const WRITERS = 4;
const WRITES = 16;
const CATALOG = `exposed: [public]
schemas:
  public:
    relations:
      counters: { columns: { id: integer, n: integer }, primaryKey: [id] }
      notes: { columns: { id: integer, counter: integer }, primaryKey: [id] }`;
const ROWS = { 'public.counters': Array.from({ length: WRITERS }, (_, id) => ({ id, n: 0 })) };

eachStore('answers that are kept while rows change', (store) => {
  test('each has every write that was acknowledged, here or by another instance, before it was asked for', async (t) => {
    const storage = await store.fresh();
    const reading = await openData(storage, CATALOG, ROWS);
    t.after(() => reading.stop());
    const other = store.alone === false ? await openData(storage, CATALOG, ROWS) : reading;
    if (other !== reading) t.after(() => other.stop());

    const acknowledged = Array.from({ length: WRITERS }, () => 0);
    let notes = 0;
    let writing = WRITERS;
    const write = async (instance: Data, id: number): Promise<void> => {
      for (let n = 1; n <= WRITES; n += 1) {
        const { status } = await instance.send('PATCH', `/counters?id=eq.${id}`, { n });
        assert.equal(status, 204);
        acknowledged[id] = n;
        const note = { id: id * WRITES + n, counter: id };
        assert.equal((await instance.send('POST', '/notes', note)).status, 201);
        notes += 1;
        // Answers are of use while nobody writes.
        await sleep(n % 4 === 0 ? 120 : 5);
      }
      writing -= 1;
    };
    const read = async (instance: Data): Promise<void> => {
      while (writing > 0) {
        const [least, leastNotes] = [[...acknowledged], notes];
        const [rows, counted] = await Promise.all([
          instance.rows('/counters?order=id'),
          instance.send('GET', '/notes?limit=1', undefined, { prefer: 'count=exact' }),
        ]);
        for (const [id, n] of least.entries()) assert.ok((rows as { n: number }[])[id]!.n >= n);
        assert.ok(Number(String(counted.headers['content-range']).split('/')[1]) >= leastNotes);
        await sleep(3);
      }
    };
    const writers = acknowledged.map((_, id) => write(id % 2 === 0 ? reading : other, id));
    await Promise.all([...writers, read(reading), read(reading), read(other)]);
    assert.deepEqual(
      await reading.rows('/counters?select=n&order=id'),
      acknowledged.map(() => ({ n: WRITES })),
    );
  });
});
