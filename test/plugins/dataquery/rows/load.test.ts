import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CLOCK, definePlugin, STORAGE, Type, type Collection } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';
import { readCatalog } from '../../../../plugins/dataquery/engine/catalog/read.js';
import { relationOf } from '../../../../plugins/dataquery/engine/catalog/model.js';
import { loadRows } from '../../../../plugins/dataquery/engine/loading/load.js';
import { RowStore } from '../../../../plugins/dataquery/engine/rows/row-store.js';
import type { StoredRow } from '../../../../plugins/dataquery/engine/values/stored.js';
import { eachStore } from '../../../support/stores.js';

eachStore('a file of rows', (store) => {
  let directory: string;
  let file: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'plugboard-rows-'));
    file = join(directory, 'rows.json');
  });
  after(() => rm(directory, { recursive: true, force: true }));

  /** A server whose one plugin does `work` when it starts. */
  async function atStart(
    columns: string,
    work: (rows: Collection<StoredRow>, load: (progress: () => void) => Promise<number>) => Promise<void>,
  ): Promise<void> {
    const { catalog } = readCatalog(
      `schemas: { public: { relations: { notes: { columns: ${columns}, primaryKey: [id] } } } }`,
      'catalog.yaml',
      '/',
    );
    const relation = relationOf(catalog, { schema: 'public', relation: 'notes' })!;
    const loader = definePlugin({
      name: 'loader',
      api: 1,
      config: Type.Object({}, { additionalProperties: false }),
      needs: { storage: STORAGE, clock: CLOCK },
      setup({ needs }) {
        const rowStore = new RowStore(needs.storage);
        rowStore.declare(catalog);
        const load = (progress: () => void) =>
          loadRows({ store: rowStore, state: { catalog } }, needs.clock, file, progress);
        return { start: () => work(rowStore.collection(relation), load) };
      },
    });
    const server = await bootTest({ storage: await store.fresh(), plugins: [{ plugin: loader }] });
    await server.stop();
  }

  const write = (fields: object): Promise<void> =>
    writeFile(
      file,
      JSON.stringify({ notes: Array.from({ length: 2_500 }, (_, at) => ({ id: at + 1, ...fields })) }),
    );

  test('says how far it is while it is loaded, and is loaded once', async () => {
    await write({});
    const loads: { rows: number; words: number }[] = [];
    await atStart('{ id: integer }', async (_rows, load) => {
      for (let time = 0; time < 2; time += 1) {
        let words = 0;
        const rows = await load(() => (words += 1));
        loads.push({ rows, words });
      }
    });
    assert.deepEqual(loads, [
      { rows: 2_500, words: 3 },
      { rows: 0, words: 0 },
    ]);
  });

  test('goes on where a start was cut short, and begins again with another version of the file', async () => {
    await write({ note: 'first' });
    const seen: number[] = [];
    await atStart('{ id: integer, note: text }', async (rows, load) => {
      const cutShort = (): Promise<number> => {
        let batches = 0;
        return load(() => {
          if ((batches += 1) === 2) throw new Error('cut short');
        });
      };
      const whole = (): Promise<number> => load(() => undefined);
      const count = async (filter = {}) => seen.push(await rows.countDocuments(filter));
      await assert.rejects(cutShort(), /cut short/);
      await count();
      seen.push(await whole());
      await count();
      await rows.deleteMany({});
      await assert.rejects(cutShort(), /cut short/);
      await write({ note: 'second' });
      seen.push(...(await Promise.all([whole(), whole()])).toSorted((a, b) => a - b));
      await count({ note: 'second' });
    });
    assert.deepEqual(seen.slice(0, 3), [2_000, 500, 2_500]);
    assert.equal(seen[3]! + seen[4]!, 2_500, 'two that load at once load each row once');
    assert.equal(seen[5], 2_500);
  });
});
