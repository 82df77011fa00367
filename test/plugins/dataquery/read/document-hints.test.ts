/** Texts inside of documents: storage leaves out the rows whose document has no such text anywhere. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { openCinema, type Cinema } from '../cinema.js';

const CASES: readonly [request: string, ids: readonly number[], most: number][] = [
  ['films?select=id&data->a->>b=eq.x', [2], 1],
  ['films?select=id&data->>n=eq.1', [1], 1],
  ['films?select=id&or=(data->>n.eq.1,data->a->>b.eq.x)&order=id', [1, 2], 2],
  ['films?select=id&or=(data->>n.eq.1,year.eq.1985)&order=id', [1, 2], 2],
  ['films?select=id&and=(data->>n.eq.1,data->>z.eq.1)', [], 1],
  ['films?select=id&data->a->>b=eq.b', [], 2],
  ['films?select=id&data->>n=not.eq.1', [], 5],
  ['films?select=id&data->a->>b=eq.x"}', [], 5],
  ['films?select=id&data->>n=eq.[', [], 5],
  ['films?select=id&notes->>z=eq.null', [], 1],
];

eachStore('a text inside of a document', (store) => {
  let cinema: Cinema;
  before(async () => {
    cinema = await openCinema(await store.fresh());
  });
  after(() => cinema.stop());

  for (const [request, ids, most] of CASES) {
    test(request, async () => {
      const found = (await cinema.get(request)) as { readonly id: number }[];
      assert.deepEqual(
        found.map(({ id }) => id),
        ids,
      );
      assert.ok(cinema.rowsRead <= most, `${cinema.rowsRead} rows were read`);
    });
  }
});
