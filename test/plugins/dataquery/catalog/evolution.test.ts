import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isUserError } from 'plugboard/sdk';
import { eachStore } from '../../../support/stores.js';
import { openData, refusal, type Data } from '../support/open-data.js';

const catalog = (films: string, more = ''): string => `
exposed: [public]
schemas:
  public:
    relations:
      films: { ${films} }
      directors: { columns: { id: integer, name: text }, primaryKey: [id] }
      ${more}
`;
const FILMS =
  'columns: { id: integer, title: text, year: text, note: text, director_id: integer }, primaryKey: [id]';
const ROWS = {
  'public.directors': [{ id: 1, name: 'Varda' }],
  'public.films': [
    { id: 1, title: 'Cléo', year: '1962', note: 'x', director_id: 1 },
    { id: 2, title: 'Ran', year: '1985', director_id: 2 },
    { id: 3, title: 'Ran', year: 'unknown', note: 'y' },
  ],
};

async function change(data: Data, text: string) {
  await writeFile(join(data.directory, 'catalog.yaml'), text);
}

async function reload(data: Data) {
  const key = await data.server.key('manage');
  return data.send('POST', '/-/reload', undefined, { authorization: `Bearer ${key}` });
}

eachStore('a catalog that changes', (store) => {
  test('additions and renames are taken at once, and no row is rewritten', async (t) => {
    const data = await openData(await store.fresh(), catalog(FILMS), ROWS);
    t.after(() => data.stop());
    await change(
      data,
      catalog(
        'columns: { id: integer, name: { type: text, was: title }, year: text, rating: integer }, primaryKey: [id]',
        'awards: { columns: { id: integer }, primaryKey: [id] }',
      ),
    );
    assert.equal((await reload(data)).status, 200);
    assert.deepEqual(await data.rows('/films?select=id,name,rating&id=eq.1'), [
      { id: 1, name: 'Cléo', rating: null },
    ]);
    assert.equal((await data.send('POST', '/films', { id: 9, name: 'New' })).status, 201);
    assert.deepEqual(await data.rows('/awards'), []);
    await change(data, catalog(FILMS));
    assert.equal(refusal(await reload(data)), '422 SVC130');
    assert.equal((await data.server.command(['catalog', 'migrate'])).code, 0);
    assert.deepEqual(await data.rows('/films?select=title,note&id=in.(1,9)&order=id'), [
      { title: 'Cléo', note: 'x' },
      { title: 'New', note: null },
    ]);
  });

  test('a change that rows prevent is refused with their keys, and the server serves as before', async (t) => {
    const data = await openData(await store.fresh(), catalog(FILMS), ROWS);
    t.after(() => data.stop());
    const bad = [
      [FILMS.replace('year: text', 'year: integer'), /year: .*"unknown": \(id\)=\(3\)/],
      [`${FILMS}, unique: { title_key: [title] }`, /unique title_key: \(title\)=\(Ran\)/],
      [FILMS.replace('note: text', 'note: { type: text, required: true }'), /note is null: \(id\)=\(2\)/],
      [
        `${FILMS}, foreignKeys: { fk: { columns: [director_id], references: { relation: directors, columns: [id] } } }`,
        /foreign key fk: \(director_id\)=\(2\)/,
      ],
      [`${FILMS}, checks: { low: { id: lt.3 } }`, /check low: \(id\)=\(3\)/],
    ] as const;
    for (const [films, problem] of bad) {
      await change(data, catalog(films));
      const answer = await reload(data);
      assert.equal(refusal(answer), '422 SVC130');
      assert.match((answer.body as { details: string }).details, problem);
      const plan = await data.server.command(['catalog', 'plan']);
      assert.match(plan.stdout, problem);
      const migrated = await data.server.command(['catalog', 'migrate']);
      assert.match(migrated.stderr, problem);
      assert.deepEqual(await data.rows('/films?select=id,year&id=eq.3'), [{ id: 3, year: 'unknown' }]);
      assert.equal((await data.send('PATCH', '/films?id=eq.3', { note: 'z' })).status, 204);
    }
  });

  test('a plan counts every row that breaks a foreign key, also those that break it alike', async (t) => {
    const films = [1, 2, 3, 4, 5].map((id) => ({ id, director_id: 9 }));
    const data = await openData(await store.fresh(), catalog(FILMS), { 'public.films': films });
    t.after(() => data.stop());
    const keyed = `${FILMS}, foreignKeys: { fk: { columns: [director_id], references: { relation: directors, columns: [id] } } }`;
    await change(data, catalog(keyed));
    const { stdout } = await data.server.command(['catalog', 'plan']);
    assert.match(stdout, /BROKEN by 5 rows: foreign key fk: \(director_id\)=\(9\)$/m);
  });

  test('a migration casts, fills defaults, checks and builds keys while writes go on', async (t) => {
    const data = await openData(await store.fresh(), catalog(FILMS), {
      'public.directors': [{ id: 1, name: 'Varda' }],
      'public.films': Array.from({ length: 1_500 }, (_, id) => ({
        id,
        title: `film ${id}`,
        year: String(1900 + (id % 100)),
        director_id: 1,
      })),
    });
    t.after(() => data.stop());
    await change(
      data,
      catalog(`
        columns: { id: integer, title: { type: text, required: true }, year: integer, director_id: integer, stars: { type: integer, default: 3 } },
        primaryKey: [id], unique: { title_key: [title] }, checks: { late: { year: gte.1900 } },
        foreignKeys: { fk: { columns: [director_id], references: { relation: directors, columns: [id] } } }`),
    );
    assert.equal(refusal(await reload(data)), '422 SVC130');
    let writing = true;
    const statuses: number[] = [];
    const writer = (async () => {
      for (let id = 0; writing; id = (id + 7) % 1_500) {
        // Both catalogs take this value: it is a text before, and a number after.
        const { status } = await data.send('PATCH', `/films?id=eq.${id}`, { year: '2001' });
        statuses.push(status);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    const { code, stderr, stdout } = await data.server.command(['catalog', 'migrate']);
    writing = false;
    await writer;
    assert.equal(code, 0, stderr);
    assert.match(stdout, /year: text becomes integer \(1500 rows\)[^]*the catalog is in force/);
    assert.deepEqual([...new Set(statuses)], [204]);
    const rows = (await data.rows('/films?select=year,stars&year=eq.2001&id=lt.70')) as object[];
    assert.deepEqual(rows[0], { year: 2001, stars: 3 });
    const late = (await data.rows('/films?select=id&year=eq.2001')) as object[];
    assert.equal(late.length, Math.min(statuses.length, 1_500));
    assert.equal(refusal(await data.send('PATCH', '/films?id=eq.1', { title: 'film 2' })), '409 23505');
    assert.equal(refusal(await data.send('PATCH', '/films?id=eq.1', { director_id: 5 })), '409 23503');
    assert.equal((await reload(data)).status, 200);
  });

  test('a start with a catalog that needs a migration stops and says so, unless it is told to serve', async (t) => {
    const storage = await store.fresh();
    const before = await openData(storage, catalog(FILMS), ROWS);
    await before.stop();
    const bad = catalog(FILMS.replace('note: text', 'note: text, more: { type: text, default: none }'));
    await assert.rejects(openData(storage, bad), (error: Error) => {
      assert.match(error.message, /run "plugboard catalog migrate"/);
      return isUserError(error.cause);
    });
    const serving = await openData(storage, bad, {}, { unmigrated: 'serve' });
    t.after(() => serving.stop());
    assert.deepEqual(await serving.rows('/films?select=note&id=eq.2'), [{ note: null }]);
    assert.equal((await serving.send('PATCH', '/films?id=eq.2', { title: 'Ran!' })).status, 204);
    const { code, stderr } = await serving.server.command(['catalog', 'migrate']);
    assert.equal(code, 0, stderr);
    assert.equal((await serving.send('POST', '/films', { id: 8 })).status, 201);
    assert.deepEqual(await serving.rows('/films?select=more&order=id&id=in.(2,8)'), [
      { more: 'none' },
      { more: 'none' },
    ]);
  });

  test('what is no longer declared is kept until it is dropped by name', async (t) => {
    const data = await openData(await store.fresh(), catalog(FILMS), ROWS);
    t.after(() => data.stop());
    await change(
      data,
      `exposed: [public]
schemas: { public: { relations: { films: { columns: { id: integer, title: text }, primaryKey: [id] } } } }`,
    );
    assert.equal((await reload(data)).status, 200);
    const migrate = (...words: string[]) => data.server.command(['catalog', 'migrate', ...words]);
    const { stderr } = await migrate('--drop', 'films.title');
    assert.match(stderr, /"films.title" cannot be dropped[^]*public.films.note[^]*public.directors/);
    const { stdout, code } = await migrate(
      ...['--drop', 'films.note', '--drop', 'public.directors', '--now'],
    );
    assert.equal(code, 0);
    assert.match(stdout, /dropped public.films.note .*\ndropped public.directors /);
    await change(data, catalog(FILMS));
    assert.equal((await reload(data)).status, 200);
    assert.deepEqual(await data.rows('/directors'), []);
    assert.deepEqual(await data.rows('/films?select=note,year&id=eq.1'), [{ note: null, year: '1962' }]);
  });

  test('a relation that comes back with rows is checked like any other', async (t) => {
    const data = await openData(await store.fresh(), catalog(FILMS), ROWS);
    t.after(() => data.stop());
    await change(
      data,
      'schemas: { public: { relations: { directors: { columns: { id: integer }, primaryKey: [id] } } } }',
    );
    assert.equal((await reload(data)).status, 200);
    await change(data, catalog(`${FILMS}, unique: { title_key: [title] }`));
    const answer = await reload(data);
    assert.equal(refusal(answer), '422 SVC130');
    assert.match((answer.body as { details: string }).details, /unique title_key: \(title\)=\(Ran\)/);
    assert.equal((await data.send('GET', '/films')).status, 404);
    await change(data, catalog(FILMS));
    const { code, stderr } = await data.server.command(['catalog', 'migrate']);
    assert.equal(code, 0, stderr);
    assert.deepEqual(await data.rows('/films?select=title&id=eq.1'), [{ title: 'Cléo' }]);
    assert.equal(refusal(await data.send('POST', '/films', { id: 1 })), '409 23505');
  });

  test('a unique key that is no longer declared holds no more', async (t) => {
    const keyed = `${FILMS}, unique: { director_key: [director_id] }`;
    const data = await openData(await store.fresh(), catalog(keyed), ROWS);
    t.after(() => data.stop());
    assert.equal(refusal(await data.send('POST', '/films', { id: 7, director_id: 1 })), '409 23505');
    await change(data, catalog(FILMS));
    assert.equal((await reload(data)).status, 200);
    assert.equal((await data.send('POST', '/films', { id: 7, director_id: 1 })).status, 201);
    await change(data, catalog(keyed));
    assert.equal(refusal(await reload(data)), '422 SVC130');
    assert.equal((await data.send('POST', '/films', { id: 6, director_id: 1 })).status, 201);
  });
});
