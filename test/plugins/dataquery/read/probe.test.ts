import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { openCinema, type Cinema } from '../cinema.js';

/** With a limit rows are found by looking at few of them; without one by the keys of all related rows. */
const REQUESTS = [
  'films?select=id,directors!inner(name)&order=id',
  'films?select=id,roles!inner(character,actors!inner(name))&order=id.desc',
  'films?select=id,roles!inner(actors!inner())&roles.actors.name=eq.Tatsuya',
  'films?select=id,actors!inner(name)&actors.name=neq.Tatsuya&order=id',
  'films?select=id,roles()&roles=is.null',
  'films?select=id,directors()&directors=is.null',
  'films?select=id,roles()&roles=count.gte.2',
  'films?select=id,roles()&roles=count.lt.2&order=id',
  'films?select=id,directors()&directors=count.eq.0',
  'films?select=id,roles(),directors()&or=(roles.is.null,directors.is.null)&order=id',
  'films?select=id,roles()&roles=is.null&title=match.^[OG]',
  'directors?select=name,films!inner(title)&films.year=gt.1980&films.offset=1&order=name',
  'actors?select=name,films!inner(title,directors!inner(name))&films.directors.name=like.A*',
  'recent_films?select=number,directors!inner(name)&order=number',
  'directors?select=name,directed_by!inner(title)&order=name',
  'films?select=id,directors(name)&order=directors(id)',
  'films?select=id,directors()&order=directors(id),title.desc&or=(rating.gt.7.8,title.eq.Orphan)',
  'films?select=id,directors()&order=directors(id).desc,id',
  'films?select=id,directors()&directors.name=like.A*&order=directors(id),id',
  'recent_films?select=number,directors()&order=directors(id),number',
  'roles?select=character,films()&order=films(id).desc.nullslast,actor_id',
];

eachStore('a page of rows by what is related to them', (store) => {
  let cinema: Cinema;
  before(async () => {
    cinema = await openCinema(await store.fresh());
  });
  after(() => cinema.stop());

  for (const request of REQUESTS) {
    test(`is a part of the whole: ${request}`, async () => {
      const whole = (await cinema.get(request)) as unknown[];
      for (const [offset, limit] of [
        [0, 1],
        [0, 3],
        [1, 2],
        [0, 100],
        [4, 5],
      ] as const) {
        const page = await cinema.get(`${request}&limit=${limit}&offset=${offset}`);
        assert.deepEqual(page, whole.slice(offset, offset + limit), `limit ${limit}, offset ${offset}`);
      }
    });
  }
});
