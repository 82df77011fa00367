/** Changes of a catalog on a deployment: every bad one is refused by all instances, every good one is taken under load. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, test } from 'node:test';
import { eventually } from '../../../support/eventually.js';
import { eachStore } from '../../../support/stores.js';
import { openData, refusal, type Data } from '../support/open-data.js';

const COLUMNS = {
  id: 'id: integer',
  title: 'title: text',
  year: 'year: text',
  note: 'note: text',
  director_id: 'director_id: integer',
};

/** Relations with some columns of films in another form, and with more of its keys. */
function catalog(columns: Partial<Record<keyof typeof COLUMNS, string>> = {}, keys = '', more = ''): string {
  const declared = Object.entries({ ...COLUMNS, ...columns }).map(([, text]) => text);
  const own = declared.filter((text) => text !== '').join(', ');
  const primary = keys.includes('primaryKey') ? '' : 'primaryKey: [id]';
  return `exposed: [public]
schemas:
  public:
    relations:
      films: { columns: { ${own} }, ${[primary, keys].filter((text) => text !== '').join(', ')} }
      directors: { columns: { id: integer, name: text }, primaryKey: [id] }
      ${more}`;
}

const ROWS = {
  'public.directors': [{ id: 1, name: 'Varda' }],
  'public.films': [
    { id: 1, title: 'Cléo', year: '1962', note: 'x', director_id: 1 },
    { id: 2, title: 'Ran', year: '1985', director_id: 2 },
    { id: 3, title: 'Ran', year: 'unknown', note: 'y' },
    ...Array.from({ length: 200 }, (_, at) => ({
      id: at + 10,
      title: `film ${at}`,
      year: '1990',
      note: 'z',
      director_id: 1,
    })),
  ],
};

const BAD: readonly (readonly [what: string, text: string, problem: RegExp])[] = [
  ['a cast that fails', catalog({ year: 'year: integer' }), /1 row: year: .*"unknown": \(id\)=\(3\)/],
  ['a narrower type', catalog({ title: "title: 'varchar(4)'" }), /BROKEN by 200 rows: .*and 190 more/],
  [
    'an enumeration that lacks a value',
    catalog({ note: 'note: { type: text, enum: [x, z] }' }),
    /note: .*\(id\)=\(3\)/,
  ],
  ['not null', catalog({ note: 'note: { type: text, required: true }' }), /note is null: \(id\)=\(2\)/],
  [
    'a required column without a default',
    catalog({}, '').replace('note: text', 'note: text, more: { type: text, required: true }'),
    /BROKEN by 203 rows: more is null/,
  ],
  ['a unique key', catalog({}, 'unique: { title_key: [title] }'), /unique title_key: \(title\)=\(Ran\)/],
  ['another primary key', catalog({}, 'primaryKey: [title]'), /unique films_pkey: \(title\)=\(Ran\)/],
  [
    'a foreign key',
    catalog(
      {},
      'foreignKeys: { fk: { columns: [director_id], references: { relation: directors, columns: [id] } } }',
    ),
    /foreign key fk: \(director_id\)=\(2\)/,
  ],
  ['a check', catalog({}, 'checks: { low: { id: lt.209 } }'), /check low: \(id\)=\(209\)/],
  [
    'a file that cannot be read',
    catalog().replace('primaryKey: [id]', 'primaryKey: [idd]'),
    /no column "idd"/,
  ],
];

const GOOD: readonly (readonly [what: string, text: string])[] = [
  ['new columns and relations', catalog({}, '', 'awards: { columns: { id: integer }, primaryKey: [id] }')],
  [
    'a default, a cast and a rename',
    catalog({
      title: 'name: { type: text, was: title }',
      year: 'year: integer',
      note: "note: { type: text, default: '-', required: true }",
    }),
  ],
  [
    'keys, a check and indexes',
    catalog(
      {
        title: 'name: { type: text, search: english }',
        year: 'year: integer',
        note: "note: { type: text, default: '-', required: true }",
      },
      `unique: { name_key: [name] }, checks: { late: { year: gte.1900 } }, indexes: [[year]],
       foreignKeys: { fk: { columns: [director_id], references: { relation: directors, columns: [id] } } }`,
    ),
  ],
  ['columns and keys that go', catalog({ title: 'name: text', note: '', year: 'year: integer' })],
];

async function manage({ server }: Data): Promise<Record<string, string>> {
  return { authorization: `Bearer ${await server.key('manage')}` };
}

eachStore('a deployment whose catalog changes', (store) => {
  describe(store.alone === false ? 'two instances' : 'one instance', () => {
    const open = async (): Promise<Data[]> => {
      const storage = await store.fresh();
      const first = await openData(storage, catalog(), ROWS);
      return store.alone === false ? [first, await openData(storage, catalog(), ROWS)] : [first];
    };

    test('every kind of bad change is refused with its keys, and all serve as before', async (t) => {
      const instances = await open();
      t.after(() => Promise.all(instances.map((one) => one.stop())));
      const first = instances[0]!;
      const headers = await manage(first);
      for (const [what, text, problem] of BAD) {
        await writeFile(join(first.directory, 'catalog.yaml'), text);
        const answer = await first.send('POST', '/-/reload', undefined, headers);
        assert.equal(refusal(answer), '422 SVC130', what);
        assert.match((answer.body as { details: string }).details, problem, what);
        for (const one of instances) {
          const found = await one.rows('/films?select=id,year,note,directors:director_id&id=eq.3');
          assert.deepEqual(found, [{ id: 3, year: 'unknown', note: 'y', directors: null }], what);
          const path = '/films?id=eq.2';
          assert.equal((await one.send('PATCH', path, { title: 'Ran', note: null })).status, 204, what);
        }
      }
    });

    test('good changes are taken under load, by all, and no answer is a 5xx', async (t) => {
      const instances = await open();
      t.after(() => Promise.all(instances.map((one) => one.stop())));
      const first = instances[0]!;
      const headers = await manage(first);
      await first.send('DELETE', '/films?id=lt.4');
      let loaded = true;
      const statuses = new Map<number, number>();
      const load = async (one: Data, writes: boolean): Promise<void> => {
        for (let at = 0; loaded; at = (at + 7) % 200) {
          const path = `/films?id=eq.${at + 10}`;
          const { status } = await (writes
            ? one.send('PATCH', path, { year: String(1950 + (at % 50)) })
            : one.send('GET', `${path}&select=id,year,director_id`));
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          await sleep(3);
        }
      };
      const clients = instances.flatMap((one) => [load(one, true), load(one, false)]);
      for (const [what, text] of GOOD) {
        await writeFile(join(first.directory, 'catalog.yaml'), text);
        const { status } = await first.send('POST', '/-/reload', undefined, headers);
        if (status !== 200) {
          const { code, stderr } = await first.server.command(['catalog', 'migrate']);
          assert.equal(code, 0, `${what}: ${stderr}`);
        }
      }
      const last = instances.at(-1)!;
      const shows = async (): Promise<boolean> =>
        (await last.send('GET', '/films?select=name,year&limit=1')).status === 200;
      await eventually(shows, 'the last instance has the new catalog');
      loaded = false;
      await Promise.all(clients);
      assert.deepEqual([...statuses.keys()].toSorted(), [200, 204]);
      const years = (await last.rows('/films?select=year&limit=1000')) as { year: unknown }[];
      assert.equal(years.length, 200);
      assert.ok(years.every(({ year }) => typeof year === 'number'));
    });
  });
});
