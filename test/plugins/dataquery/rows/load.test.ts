import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CLOCK, definePlugin, STORAGE, Type } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';
import { readCatalog } from '../../../../plugins/dataquery/engine/catalog/read.js';
import { relationOf } from '../../../../plugins/dataquery/engine/catalog/model.js';
import { loadRows } from '../../../../plugins/dataquery/engine/loading/load.js';
import { RowStore } from '../../../../plugins/dataquery/engine/rows/row-store.js';
import { eachStore } from '../../../support/stores.js';

const CATALOG = `
schemas: { public: { relations: { notes: { columns: { id: integer }, primaryKey: [id] } } } }
`;

eachStore('a file of rows', (store) => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'plugboard-rows-'));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  test('says that it gets on while it is loaded, and is loaded once', async () => {
    const file = join(directory, 'rows.json');
    await writeFile(
      file,
      JSON.stringify({ notes: Array.from({ length: 2_500 }, (_, at) => ({ id: at + 1 })) }),
    );
    const { catalog } = readCatalog(CATALOG, 'catalog.yaml', '/');
    const loads: { rows: number; words: number }[] = [];
    const loader = definePlugin({
      name: 'loader',
      api: 1,
      config: Type.Object({}, { additionalProperties: false }),
      needs: { storage: STORAGE, clock: CLOCK },
      setup({ needs }) {
        const rowStore = new RowStore(needs.storage);
        rowStore.declare(catalog);
        const load = async (): Promise<void> => {
          let words = 0;
          const into = { store: rowStore, state: { catalog } };
          const rows = await loadRows(into, needs.clock, file, () => (words += 1));
          loads.push({ rows, words });
        };
        return {
          async start() {
            await load();
            await load();
          },
        };
      },
    });
    const server = await bootTest({ storage: await store.fresh(), plugins: [{ plugin: loader }] });
    await server.stop();
    assert.deepEqual(loads, [
      { rows: 2_500, words: 3 },
      { rows: 0, words: 0 },
    ]);
  });

  test('goes on where a start was cut short, and begins again with another version of the file', async () => {
    const file = join(directory, 'cut.json');
    const write = (note: string): Promise<void> =>
      writeFile(
        file,
        JSON.stringify({ notes: Array.from({ length: 2_500 }, (_, at) => ({ id: at + 1, note })) }),
      );
    await write('first');
    const { catalog } = readCatalog(
      'schemas: { public: { relations: { notes: { columns: { id: integer, note: text }, primaryKey: [id] } } } }',
      'catalog.yaml',
      '/',
    );
    const seen: number[] = [];
    const loader = definePlugin({
      name: 'loader',
      api: 1,
      config: Type.Object({}, { additionalProperties: false }),
      needs: { storage: STORAGE, clock: CLOCK },
      setup({ needs }) {
        const rowStore = new RowStore(needs.storage);
        rowStore.declare(catalog);
        const relation = relationOf(catalog, { schema: 'public', relation: 'notes' })!;
        const load = (batches = Infinity): Promise<number> =>
          loadRows({ store: rowStore, state: { catalog } }, needs.clock, file, () => {
            if ((batches -= 1) === 0) throw new Error('cut short');
          });
        const count = async (filter = {}) =>
          seen.push(await rowStore.collection(relation).countDocuments(filter));
        return {
          async start() {
            await assert.rejects(load(2), /cut short/);
            await count();
            seen.push(await load());
            await count();
            await rowStore.collection(relation).deleteMany({});
            await assert.rejects(load(2), /cut short/);
            await write('second');
            seen.push(...(await Promise.all([load(), load()])).toSorted((a, b) => a - b));
            await count({ note: 'second' });
          },
        };
      },
    });
    const server = await bootTest({ storage: await store.fresh(), plugins: [{ plugin: loader }] });
    await server.stop();
    assert.deepEqual(seen.slice(0, 3), [2_000, 500, 2_500]);
    assert.equal(seen[3]! + seen[4]!, 2_500, 'two that load at once load each row once');
    assert.equal(seen[5], 2_500);
  });
});
