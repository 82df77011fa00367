/** The client of PostgREST's users against the data API, on both stores. */
import { resolve } from 'node:path';
import { bootTest } from 'plugboard/testing';
import dataquery from '../../plugins/dataquery/index.js';
import { eachStore } from '../support/stores.js';
import { openData } from '../plugins/dataquery/support/open-data.js';
import { defineCalls } from './postgrest-js/calls.js';
import { CATALOG, defineTypeCalls, ROWS } from './postgrest-js/type-calls.js';

const baseDir = resolve(import.meta.dirname, '../../../config');

eachStore('@supabase/postgrest-js', (store) => {
  defineCalls(async () => {
    const server = await bootTest({
      baseDir,
      storage: await store.fresh(),
      plugins: [
        { plugin: dataquery, config: { catalog: 'demo/cinema.yaml', rows: 'demo/cinema.rows.json' } },
      ],
    });
    const key = await server.key('data:read', 'data:write', 'data:explain');
    return {
      url: `${await server.listen()}/data`,
      headers: { authorization: `Bearer ${key}` },
      stop: () => server.stop(),
    };
  });
  defineTypeCalls(async () => {
    const data = await openData(await store.fresh(), CATALOG, ROWS);
    return { url: (await data.server.listen()).replace(/\/$/, ''), headers: {}, stop: data.stop };
  });
});
