/** The conformance cases of the data API, on both stores: every case passes or is listed with the reason why not. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { bootTest, type TestServer } from 'plugboard/testing';
import dataquery from '../../plugins/dataquery/index.js';
import { eachStore } from '../support/stores.js';
import { check, send } from './dataquery/answer.js';
import { readCases } from './dataquery/cases.js';
import { completeCatalog } from './dataquery/catalog.js';
import { misses } from './dataquery/misses.js';

const folder = resolve('../shared/conformance/dataquery');
const skip = existsSync(folder) ? false : 'skipped: ../shared is not there';
const cases = skip === false ? readCases(resolve(folder, 'cases.json')) : [];

eachStore('dataquery conformance', (store) => {
  describe('a case', { skip }, () => {
    let server: TestServer;
    let base: string;
    let catalog: string;

    before(async () => {
      catalog = await completeCatalog(folder);
      server = await bootTest({
        storage: await store.fresh(),
        plugins: [
          {
            plugin: dataquery,
            prefix: '/',
            config: {
              catalog,
              rows: resolve(folder, 'rows.json'),
              auth: 'none',
              txEnd: 'rollback-allow-override',
            },
          },
        ],
      });
      base = await server.listen();
    });
    after(async () => {
      await server.stop();
      await rm(dirname(catalog), { recursive: true });
    });

    for (const one of cases) {
      const reason = misses[one.id];
      const title = `${one.id}: ${one.method} ${one.url}`;
      test(reason === undefined ? title : `${title} (a known miss: ${reason})`, async () => {
        const answer = await send(base, one);
        if (reason === undefined) check(one, answer);
        else assert.throws(() => check(one, answer), 'it passes: take it off the list of misses');
      });
    }
  });
});

describe('the list of misses', { skip }, () => {
  test('names cases that exist', () => {
    const ids = new Set(cases.map(({ id }) => id));
    assert.deepEqual(
      Object.keys(misses).filter((id) => !ids.has(id)),
      [],
    );
  });

  test('leaves at least 95 of 100 core cases', () => {
    const core = cases.filter(({ tier }) => tier === 'core');
    const missed = core.filter(({ id }) => Object.hasOwn(misses, id));
    assert.ok(missed.length <= core.length * 0.05, `${missed.length} of ${core.length} are missed`);
  });
});
