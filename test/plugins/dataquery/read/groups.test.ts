/** The order of groups, and what may order them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { openData, refusal, type Data } from '../support/open-data.js';

const CATALOG = `
schemas:
  public:
    relations:
      genres: { columns: { id: integer, name: text, about: jsonb }, primaryKey: [id] }
      tracks:
        columns: { id: integer, genre_id: integer, title: text, about: jsonb, weight: real }
        primaryKey: [id]
        foreignKeys: { tracks_genre: { columns: [genre_id], references: { relation: genres, columns: [id] } } }
`;
const GENRES = [
  { id: 1, name: 'rock' },
  { id: 2, name: 'folk' },
  { id: 3, name: 'jazz' },
];
// The first of each genre come in another order than the genres.
const TRACKS = [3, 1, null, 2, 3, 1, 3].map((genre_id, at) => ({
  id: at + 1,
  genre_id,
  title: `t${at % 2}`,
  about: { year: 2000 + (at % 3) },
  weight: 0.1,
}));

eachStore('groups', (store) => {
  let data: Data;
  before(async () => {
    const rows = { 'public.genres': GENRES, 'public.tracks': TRACKS };
    data = await openData(await store.fresh(), CATALOG, rows, { aggregates: true });
  });
  after(() => data.stop());

  const column = async (path: string, key: string): Promise<unknown[]> =>
    ((await data.rows(path)) as Record<string, unknown>[]).map((row) => row[key]);

  test('come in the order of what they are grouped by', async () => {
    const path = '/tracks?select=genre_id,count()';
    assert.deepEqual(await column(`${path}&order=genre_id`, 'genre_id'), [1, 2, 3, null]);
    assert.deepEqual(await column(`${path}&order=genre_id&limit=2`, 'genre_id'), [1, 2]);
    assert.deepEqual(await column(`${path}&order=genre_id.desc&offset=1`, 'genre_id'), [3, 2, 1]);
    assert.deepEqual(await column(`${path}&order=genre_id.desc.nullslast`, 'count'), [3, 1, 2, 1]);
    assert.deepEqual(await column('/tracks?select=g:genre_id,count()&order=g.desc&limit=2', 'g'), [null, 3]);
  });

  test('come in an order of several columns, one of them of a document', async () => {
    const path = '/tracks?select=title,about->year,count()&order=about->year.desc,title';
    assert.deepEqual(await data.rows(path), [
      { title: 't0', year: 2002, count: 1 },
      { title: 't1', year: 2002, count: 1 },
      { title: 't0', year: 2001, count: 1 },
      { title: 't1', year: 2001, count: 1 },
      { title: 't0', year: 2000, count: 2 },
      { title: 't1', year: 2000, count: 1 },
    ]);
  });

  test('come in the order of what a spread leads to, by its name or its alias', async () => {
    const path = '/tracks?select=count(),...genres(genre:name)';
    for (const order of ['genres(name)', 'genre']) {
      const found = await column(`${path}&order=${order}`, 'genre');
      assert.deepEqual(found, ['folk', 'jazz', 'rock', null], order);
    }
    assert.deepEqual(await column(`${path}&order=genre.desc.nullslast`, 'count'), [2, 3, 1, 1]);
  });

  test('of an embed come in its order', async () => {
    const path = '/genres?id=eq.3&select=tracks(title,count())&tracks.order=title';
    const [genre] = (await data.rows(`${path}.desc`)) as [{ tracks: { title: string }[] }];
    assert.deepEqual(genre.tracks, [{ title: 't0', count: 3 }]);
    const all = (await data.rows('/genres?id=eq.1&select=tracks(id,count())&tracks.order=id.desc')) as [
      { tracks: { id: number }[] },
    ];
    assert.deepEqual(
      all[0].tracks.map(({ id }) => id),
      [6, 2],
    );
  });

  test('are not ordered by what their rows do not share', async () => {
    const ask = async (path: string): Promise<string> => refusal(await data.send('GET', path));
    assert.equal(await ask('/tracks?select=genre_id,count()&order=title'), '400 42803');
    assert.equal(await ask('/tracks?select=genre_id,count()&order=genre_id,id'), '400 42803');
    assert.equal(await ask('/tracks?select=count(),...genres(name)&order=genres(id)'), '400 42803');
    assert.equal(await ask('/tracks?select=genre_id,title.max()&order=title'), '400 42803');
    assert.equal(await ask('/tracks?select=genre_id,count()&order=nothing'), '400 42703');
  });

  test('sum real numbers as real numbers', async () => {
    assert.deepEqual(await data.rows('/tracks?select=weight.sum()&limit=1'), [{ sum: 0.70000005 }]);
  });
});
