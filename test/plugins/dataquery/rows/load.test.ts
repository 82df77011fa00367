import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CLOCK, definePlugin, STORAGE, Type } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';
import { readCatalog } from '../../../../plugins/dataquery/engine/catalog/read.js';
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
});
