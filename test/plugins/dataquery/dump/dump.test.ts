/** `plugboard catalog from`: a catalog of what pg_dump prints, compared with PostgreSQL itself. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { catalogOfDump, type MadeCatalog } from '../../../../plugins/dataquery/engine/dump/dump.js';
import { root } from '../../../support/fixtures.js';
import { Postgres, postgresMissing } from '../../../support/peers/postgres.js';
import { anIssuer, openGuarded } from '../support/guarded-data.js';
import { openData } from '../support/open-data.js';

const FOLDER = join(root, 'test/plugins/dataquery/dump');
const file = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const listed = ({ omissions }: MadeCatalog): string =>
  omissions.map(({ line, text }) => `${line}: ${text}\n`).join('');

test('a dump is a catalog, and a list of what it does not hold', async () => {
  const made = await catalogOfDump(file('shop.dump.sql'), 'shop.dump.sql', []);
  assert.equal(made.text, file('shop.catalog.yaml'));
  assert.equal(listed(made), file('shop.omissions.txt'));
});

test('the schemas that are named are taken, and keys between them', async () => {
  const made = await catalogOfDump(file('shop.dump.sql'), 'shop.dump.sql', ['public', 'private']);
  assert.match(made.text, /^exposed: \[ public, private \]$/m);
  assert.match(
    made.text,
    /films_secret_id_fkey: .*references: \{ schema: private, relation: secrets, columns: \[ id \] \}/,
  );
  assert.doesNotMatch(listed(made), /secret/);
});

describe('what cannot be said', () => {
  const cases: readonly (readonly [title: string, sql: string, catalog: RegExp, omission: RegExp | ''])[] = [
    [
      'row security without a policy shows nothing',
      'alter table t enable row level security',
      /nobody: \{ as: restrictive, using: false \}/,
      '',
    ],
    [
      'a policy that allows is left out',
      'alter table t enable row level security; create policy p on t using (a + 1 = 2)',
      /nobody/,
      /^1: t: the policy p.*denied\n$/,
    ],
    [
      'one that closes closes everything',
      'alter table t enable row level security; create policy q on t using (true); create policy p on t as restrictive for insert with check (random() > 0.5)',
      /q: \{ using: true \}\n *p: \{ as: restrictive, for: insert, check: false \}/,
      /^1: .*everything\n$/,
    ],
    [
      'a text that would read as a claim',
      "alter table t enable row level security; create policy p on t using (b = '$jwt.sub')",
      /nobody/,
      /policy p/,
    ],
    ['a star in a pattern', "alter table t add constraint c check (b like 'a*%')", /b: text/, /the check c/],
    [
      'a cast that compares otherwise',
      "alter table t add constraint c check (a::text < '5')",
      /b: text/,
      /the check c/,
    ],
    ['a condition on two columns', 'alter table t add constraint c check (a < a2)', /b: text/, /the check c/],
  ];
  for (const [title, sql, catalog, omission] of cases) {
    test(title, async () => {
      const made = await catalogOfDump(
        `create table t (a integer, a2 integer, b text); ${sql};`,
        'x.sql',
        [],
      );
      assert.match(made.text, catalog);
      if (omission === '') assert.equal(listed(made), '');
      else assert.match(listed(made), omission);
    });
  }
});

test('data, commands of psql and comments of a dump count as lines', async () => {
  const sql =
    '\\restrict x\n-- ünï\nCREATE TABLE t (a text);\nCOPY t (a) FROM stdin;\n1);\\x\n\\.\n\n\nCREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ select 1 $$;';
  assert.equal(listed(await catalogOfDump(sql, 'x.sql', [])), '9: a function: f\n');
});

test('what is no SQL is refused with its line', async () => {
  await assert.rejects(catalogOfDump('create table t (a text);\n\ncreat table', 'x.sql', []), {
    userError: true,
    message: 'x.sql:3: syntax error at or near "creat"',
  });
});

test('the command prints the file, and separately what is left out', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-dump-'));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(
    join(folder, 'a.sql'),
    'create table t (a integer primary key references t, b text unique); create function f() returns int language sql as $$ select 1 $$;',
  );
  const data = await openData(
    { use: 'embedded', path: join(folder, 'store') },
    'schemas: { public: { relations: {} } }',
  );
  t.after(() => data.stop());
  const run = (name: string) => data.server.command(['catalog', 'from', join(folder, name)]);
  const { code, stdout, stderr } = await run('a.sql');
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    /primaryKey: \[ a \]\n.*\n *t_b_key: \[ b \]\n.*\n *t_a_fkey: .*columns: \[ a \] \} \}\n$/,
  );
  assert.match(stderr, /a\.sql:1: a function: f\n1 tables and views; not in the catalog: 1\n$/);
  const missing = await run('missing.sql');
  assert.deepEqual([missing.code, /cannot be read: ENOENT/.test(missing.stderr)], [2, true], missing.stderr);
});

describe('compared with PostgreSQL', { skip: postgresMissing }, () => {
  test('the catalog of its dump takes and refuses the rows that it takes and refuses', async (t) => {
    const postgres = await Postgres.start();
    t.after(() => postgres.stop());
    assert.doesNotMatch(await postgres.run(file('shop.sql')), /ERROR/);
    const made = await catalogOfDump(postgres.dump(), 'dump', []);
    assert.equal(made.text, file('shop.catalog.yaml'));
    const issuer = await anIssuer((stop) => t.after(() => stop()));
    const data = await openGuarded(
      { use: 'embedded', path: await mkdtemp(join(tmpdir(), 'plugboard-store-')) },
      issuer,
      made.text,
    );
    t.after(() => data.stop());
    const rows = [
      {},
      { price: 0 },
      { price: 0.01 },
      { price: 999.99 },
      { price: 1000 },
      { price: null },
      { title: '' },
      { title: null },
      { title: 'two  spaces' },
      { title: 'x'.repeat(121) },
      { title: 'one space' },
      { minutes: 0 },
      { minutes: 1 },
      { minutes: 500 },
      { minutes: 501 },
      { minutes: null },
      { rating: 'R' },
      { rating: 'PG' },
      { rating: null },
      { rating: 'X' },
      { tags: ['a'] },
      { tags: ['a', 'b, c'] },
      { tags: ['c'] },
      { tags: [] },
      { tags: null },
      { slug: 'abc' },
      { slug: 'abc' },
      { slug: 'A' },
      { slug: 'A', active: false },
      { slug: null, active: true },
      { year: 1900 },
      { year: 1901 },
      { year: 2155 },
      { year: 2156 },
      { year: null },
      { director_id: 99 },
      { uid: 'ad1b0a5e-0000-4000-8000-000000000001' },
      { uid: 'ad1b0a5e-0000-4000-8000-000000000001' },
    ];
    for (const [index, row] of rows.entries()) {
      // A check that the catalog does not hold asks for a price below the stars.
      const whole = { title: `Film ${index}`, stars: 5000, ...row };
      const columns = Object.keys(whole).join(', ');
      const json = JSON.stringify(whole).replaceAll("'", "''");
      const said = await postgres.run(
        `insert into public.films (${columns}) select ${columns} from json_populate_record(null::public.films, '${json}');`,
      );
      const { status, text } = await data.send(data.bypass, 'POST', '/films', { body: whole });
      const code = status === 201 ? undefined : (JSON.parse(text) as { code: string }).code;
      assert.equal(code, /ERROR: {2}(\w{5})/.exec(said)?.[1], `${JSON.stringify(row)}: ${said} ${text}`);
    }
  });
});
