/** What joins, groups and orders read, in rows that storage hands out: it follows the answer, not the relations. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { relationOf } from '../../../../plugins/dataquery/engine/catalog/model.js';
import type { StoredRow } from '../../../../plugins/dataquery/engine/values/stored.js';
import { eachStore } from '../../../support/stores.js';
import { openCinema, type Cinema } from '../cinema.js';

const FILMS = 1_500;
const ACTORS = 200;
/** Every film has as many, but one of 50 has none. */
const ROLES = 3;

const films = Array.from({ length: FILMS }, (_, at) => ({
  id: 1_000 + at,
  year: 1_900 + (at % 100),
  director_id: 1 + (at % 3),
}));
const actors = Array.from({ length: ACTORS }, (_, at) => ({ id: 1_000 + at, name: `Actor ${at}` }));
const roles = films.flatMap(({ id }, at) =>
  at % 50 === 49
    ? []
    : Array.from({ length: ROLES }, (_, n) => ({
        film_id: id,
        actor_id: 1_000 + ((at * 7 + n * 31) % ACTORS),
      })),
);
const ids = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => ({ id }));

eachStore('what a read of many related rows takes', (store) => {
  let cinema: Cinema;
  before(async () => {
    cinema = await openCinema(await store.fresh());
    const { context, catalog } = cinema;
    for (const [name, rows] of Object.entries({ films, actors, roles })) {
      const relation = relationOf(catalog, { schema: 'public', relation: name })!;
      const stored = rows.map((row, at): StoredRow => ({ _id: `z${String(at).padStart(6, '0')}`, ...row }));
      await context.collection(relation).insertMany(stored);
    }
  });
  after(() => cinema.stop());

  /** The answer, and at most so many rows that storage has handed out for it. */
  async function reads(request: string, expected: unknown, most: number): Promise<void> {
    const answer = (await cinema.get(request)) as Record<string, unknown>[];
    const shown = answer.map(({ roles: _, ...row }) => row);
    assert.deepEqual(shown, expected);
    assert.ok(cinema.rowsRead <= most, `${cinema.rowsRead} rows were read, at most ${most} are needed`);
  }

  test('a page of inner joins on two levels looks at some hundred rows', async () => {
    const expected = ids(films.filter((_, at) => at >= 500 && at % 50 !== 49).slice(0, 20));
    const request = 'films?select=id,roles!inner(actors!inner())&id=gte.1500&order=id&limit=20';
    await reads(request, expected, 1_200);
  });

  test('inner joins with few leaves start from these', async () => {
    const leaf = new Set(roles.filter(({ actor_id }) => actor_id === 1_007).map(({ film_id }) => film_id));
    const expected = ids(films.filter(({ id }) => leaf.has(id)));
    const request = 'films?select=id,roles!inner(actors!inner())&roles.actors.id=eq.1007&order=id';
    await reads(request, expected, 4 * leaf.size + 10);
  });

  test('a join of few rows with many starts from the few', async () => {
    const request = 'films?select=id,roles!inner(actors!inner())&id=in.(1010,1049,1100)&order=id';
    await reads(request, [{ id: 1_010 }, { id: 1_100 }], 60);
    await reads('films?select=id,roles()&roles=is.null&id=in.(1010,1049,1100)', [{ id: 1_049 }], 40);
  });

  test('a page without related rows looks at as many as it takes to fill it', async () => {
    const expected = ids(films.filter((_, at) => at >= 100 && at % 50 === 49).slice(0, 5));
    const request = 'films?select=id,roles()&roles=is.null&id=gte.1100&order=id&limit=5';
    await reads(request, expected, 3 * 250 + 3 * 250 * ROLES);
  });

  test('sums and groups hand out no rows', async () => {
    const sum = roles.reduce((all, { actor_id }) => all + actor_id, 0);
    await reads('roles?select=actor_id.sum()&film_id=gte.1000', [{ sum }], 0);
    const years = Array.from({ length: 10 }, (_, at) => ({ year: 1_990 + at, count: FILMS / 100 }));
    await reads('films?select=year,count()&year=gte.1990&id=gte.1000', years, 0);
  });

  test('to-one embeds of a thousand rows read each row once', async () => {
    const answer = await cinema.get('films?select=id,directors(id)&id=gte.1000&order=id&limit=1000');
    const expected = films
      .slice(0, 1_000)
      .map(({ id, director_id }) => ({ id, directors: { id: director_id } }));
    assert.deepEqual(answer, expected);
    assert.deepEqual([cinema.calls, cinema.rowsRead], [2, 1_003]);
  });

  test('an order by an embed reads the rows that pass, and what they are ordered by', async () => {
    const request =
      'films?select=id,directors()&year=eq.1950&id=gte.1000&order=directors(id).desc,id&limit=4';
    const passing = films.filter(({ year }) => year === 1_950);
    const expected = passing.toSorted((a, b) => b.director_id - a.director_id || a.id - b.id).slice(0, 4);
    await reads(request, ids(expected), passing.length + 3);
  });

  test('a page in the order of an embed goes along that from its start', async () => {
    const request = 'roles?select=film_id,actor_id,films()&order=films(id),actor_id&limit=4&offset=6';
    // The cinema has four roles of its own, of films before these.
    const ordered = roles.toSorted((a, b) => a.film_id - b.film_id || a.actor_id - b.actor_id);
    await reads(request, ordered.slice(2, 6), 50 * ROLES + 2 * 51);
  });
});
