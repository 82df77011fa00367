/** Windows of embedded rows: what they show, and that they bound what is read. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { relationOf } from '../../../../plugins/dataquery/engine/catalog/model.js';
import type { StoredRow } from '../../../../plugins/dataquery/engine/values/stored.js';
import { eachStore } from '../../../support/stores.js';
import { openCinema, type Cinema } from '../cinema.js';

/** Films of each of two directors, besides the five that exist; every tenth has no year. */
const MANY = 400;

eachStore('a window of embedded rows', (store) => {
  let cinema: Cinema;
  before(async () => {
    cinema = await openCinema(await store.fresh());
    const films = relationOf(cinema.catalog, { schema: 'public', relation: 'films' })!;
    const rows = Array.from({ length: 2 * MANY }, (_, at): StoredRow => {
      const year = at % 20 < 2 ? {} : { year: 3_000 + Math.floor(at / 2) };
      return { _id: `z${String(at).padStart(6, '0')}`, id: 100 + at, ...year, director_id: 1 + (at % 2) };
    });
    await cinema.context.collection(films).insertMany(rows);
  });
  after(() => cinema.stop());

  test('of many reads few: the latest of each parent', async () => {
    const request =
      'directors?select=id,films(id,year)&order=id&films.order=year.desc.nullslast,id&films.limit=2';
    assert.deepEqual(await cinema.get(request), [
      { id: 1, films: [film(898, 3_399), film(896, 3_398)] },
      { id: 2, films: [film(899, 3_399), film(897, 3_398)] },
      { id: 3, films: [] },
    ]);
    assert.ok(cinema.rowsRead < MANY, `${cinema.rowsRead} rows were read`);
  });

  test('of many without an order has the first that were inserted', async () => {
    const request = 'directors?select=id,films(id)&order=id.desc&films.limit=2&films.offset=1';
    assert.deepEqual(await cinema.get(request), [
      { id: 3, films: [] },
      { id: 2, films: [{ id: 5 }, { id: 101 }] },
      { id: 1, films: [{ id: 3 }, { id: 100 }] },
    ]);
    assert.ok(cinema.rowsRead < MANY, `${cinema.rowsRead} rows were read`);
  });

  test('of many that are filtered here is the same', async () => {
    const request = 'directors?select=id,films(id)&films.data->>n=eq.1&films.limit=1&order=id&limit=1';
    assert.deepEqual(await cinema.get(request), [{ id: 1, films: [{ id: 1 }] }]);
    const nulls = 'directors?select=id,films(id,year)&order=id&films.order=year.desc,id&films.limit=1';
    assert.deepEqual(await cinema.get(nulls), [
      { id: 1, films: [film(100, null)] },
      { id: 2, films: [film(101, null)] },
      { id: 3, films: [] },
    ]);
  });

  test('of few is one query for all parents', async () => {
    const request = 'films?select=id,roles(character)&id=lte.5&order=id&roles.limit=1';
    await cinema.get(request);
    assert.equal(cinema.calls, 2);
  });

  test('is cut from an order of all rows: pages neither repeat nor miss one', async () => {
    for (const order of ['score', 'score.desc', 'score.nullsfirst', 'director_id.desc,score.desc']) {
      const found: unknown[] = [];
      for (let offset = 0; offset < 2 * MANY + 5; offset += 90) {
        const page = `films?select=id&order=${order}&limit=90&offset=${offset}`;
        found.push(...((await cinema.get(page)) as { id: unknown }[]).map(({ id }) => id));
      }
      assert.equal(found.length, 2 * MANY + 5, order);
      assert.equal(new Set(found).size, found.length, order);
    }
  });

  test('beyond the keys of one query finds the rows of all', async () => {
    const films = relationOf(cinema.catalog, { schema: 'public', relation: 'films' })!;
    const roles = relationOf(cinema.catalog, { schema: 'public', relation: 'roles' })!;
    const more = Array.from({ length: 1_200 }, (_, at) => ({ _id: `zz${at}`, id: 10_000 + at }));
    await cinema.context.collection(films).insertMany(more);
    await cinema.context
      .collection(roles)
      .insertMany(more.map(({ id }) => ({ _id: `z${id}`, film_id: id, actor_id: 1 })));
    const rows = (await cinema.get('actors?select=id,films(id,roles(actor_id))&id=eq.1')) as {
      films: { id: number; roles: unknown[] }[];
    }[];
    const found = rows[0]?.films ?? [];
    assert.equal(found.length, 1_202);
    assert.ok(found.every(({ roles: own }) => own.length > 0));
  });
});

function film(id: number, year: number | null): object {
  return { id, year };
}
