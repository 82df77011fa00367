/**
 * Random policies, claims, reads and writes, vs PostgreSQL with row level security. `PAIRS` says how many requests;
 * `SEED` repeats a run.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Postgres, postgresMissing } from '../../../../support/peers/postgres.js';
import { eachStore } from '../../../../support/stores.js';
import { anIssuer, openGuarded, type GuardedData, type Who } from '../../support/guarded-data.js';
import { Random } from './random.js';
import { randomPair, type Pair } from './requests.js';
import { KEYS, randomCatalog, ROWS, TABLES } from './schema.js';

const PAIRS = Number(process.env['PAIRS'] ?? 4_000);
const A_CATALOG = 100;
const A_STATE = 12;
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

const CLAIMS: readonly Readonly<Record<string, unknown>>[] = [
  { role: 'anon' },
  {
    role: 'authenticated',
    sub: 'a',
    aal: 'aal1',
    app: { teams: [1, 2] },
    scopes: ['todos', 'x'],
    guest: false,
    level: 1,
  },
  { role: 'authenticated', sub: 'b', aal: 'aal2', app: { teams: [] }, level: 2 },
  { role: 'authenticated', sub: 'c', guest: true, app: { teams: [3] }, scopes: ['x'] },
  { role: 'staff', sub: 'c', aal: 'aal2', level: 3, guest: false },
  { role: ['authenticated', 'staff'], sub: 'a', app: { teams: [2] }, scopes: [] },
];

const roleOf = ({ role }: Readonly<Record<string, unknown>>): string =>
  Array.isArray(role) ? 'several' : String(role);

eachStore('policies vs PostgreSQL', (store) => {
  let postgres: Postgres;
  before(async () => {
    if (postgresMissing !== false) return;
    postgres = await Postgres.start();
    await postgres.run(
      'create role anon; create role authenticated; create role staff; create role nobody; create role several in role authenticated, staff;',
    );
  });
  after(() => postgres?.stop());

  test(`${PAIRS} requests are answered alike, seed ${SEED}`, { skip: postgresMissing }, async (t) => {
    const random = new Random(SEED);
    const issuer = await anIssuer((stop) => t.after(() => stop()));
    // The first of them comes without a token.
    const whos = CLAIMS.map((claims): Who => (claims['sub'] === undefined ? undefined : claims));
    let alike = 0;
    let refused = 0;
    for (let done = 0; done < PAIRS; done += A_CATALOG) {
      const catalog = randomCatalog(random);
      const said = await postgres.run(catalog.sql);
      assert.ok(!said.includes('ERROR'), `${said}\n${catalog.sql}`);
      const data = await openGuarded(await store.fresh(), issuer, catalog.yaml);
      try {
        for (let at = 0; at < A_CATALOG; at += 1) {
          if (at % A_STATE === 0) await restore(postgres, data);
          const who = random.below(CLAIMS.length);
          const pair = randomPair(random);
          const theirs = await inPostgres(postgres, CLAIMS[who]!, pair);
          const ours = await here(data, whos[who], pair);
          const differs = difference(pair, ours, theirs);
          const state =
            differs ?? (pair.method === 'GET' ? undefined : await stateDifference(theirs.state, data));
          if (state !== undefined)
            assert.fail(
              `seed ${SEED}, request ${done + at}: ${pair.method} ${pair.path} ${pair.prefer} ${JSON.stringify(pair.body)}\nas ${JSON.stringify(CLAIMS[who])}\n${state}\n${pair.sql}\n${catalog.yaml}`,
            );
          alike += 1;
          if (ours.error !== undefined) refused += 1;
        }
      } finally {
        await data.stop();
      }
    }
    t.diagnostic(`${alike} alike, ${refused} of them refused`);
  });
});

interface Answer {
  readonly error?: string;
  readonly rows?: unknown;
  /** Of all tables, after a write. */
  readonly state?: unknown;
}

async function here(data: GuardedData, who: Who, pair: Pair): Promise<Answer> {
  const { status, text, headers } = await data.send(who, pair.method, pair.path, pair);
  if (status >= 400) {
    const { code, message } = JSON.parse(text) as { code: string; message: string };
    return { error: kindOf(code, message) };
  }
  if (pair.counts === true) return { rows: [{ n: Number(String(headers['content-range']).split('/')[1]) }] };
  return text === '' ? {} : { rows: JSON.parse(text) as unknown };
}

async function inPostgres(
  postgres: Postgres,
  claims: Readonly<Record<string, unknown>>,
  pair: Pair,
): Promise<Answer> {
  const statements = `begin; set local role ${roleOf(claims)}; set local "request.jwt.claims" = '${JSON.stringify(claims)}';\n${pair.sql};\ncommit;`;
  const after = pair.method === 'GET' ? '' : `\n\\echo ${STATE_BELOW}\n${STATE}`;
  const [text = '', state] = (await postgres.run(`${statements}${after}`)).split(STATE_BELOW);
  const answer = state === undefined ? {} : { state: JSON.parse(state) as unknown };
  const error = /ERROR: {2}(\w{5}): (.*)/.exec(text);
  if (error !== null) return { ...answer, error: kindOf(error[1]!, error[2]!) };
  return text.trim() === '' ? answer : { ...answer, rows: JSON.parse(text) as unknown };
}

const STATE_BELOW = '-- state --';

/** Of 42501 whether it was a right or a policy. */
function kindOf(code: string, message: string): string {
  return code === '42501' ? `${code} ${message.split(' ').slice(0, 2).join(' ')}` : code;
}

function difference(pair: Pair, ours: Answer, theirs: Answer): string | undefined {
  if (pair.several === true && ours.error !== undefined && theirs.error !== undefined) return undefined;
  const sorted = ({ error, rows }: Answer): unknown => {
    const list =
      Array.isArray(rows) && pair.method !== 'GET' ? rows.map((row) => JSON.stringify(row)).sort() : rows;
    return [error, list];
  };
  return same(sorted(ours), sorted(theirs));
}

function same(ours: unknown, theirs: unknown): string | undefined {
  const [a, b] = [JSON.stringify(ours), JSON.stringify(theirs)];
  return a === b ? undefined : `ours   ${a}\ntheirs ${b}`;
}

async function stateDifference(theirs: unknown, data: GuardedData): Promise<string | undefined> {
  const ours = await Promise.all(
    TABLES.map(async (table) => {
      const path = `/${table}?order=${KEYS[table].join(',')}`;
      const { text } = await data.send(data.bypass, 'GET', path);
      return JSON.parse(text) as unknown;
    }),
  );
  const differs = same(ours, theirs);
  return differs === undefined ? undefined : `state\n${differs}`;
}

/** All rows, in one cell. */
const STATE = `select json_build_array(${TABLES.map(
  (table) =>
    `(select coalesce(json_agg(row_to_json(x)), '[]') from (select * from app.${table} order by ${KEYS[table].join(',')}) x)`,
).join(', ')});`;

async function restore(postgres: Postgres, data: GuardedData): Promise<void> {
  const values = (row: Readonly<Record<string, unknown>>): string =>
    `(${Object.values(row)
      .map((value) => (value === null ? 'null' : typeof value === 'string' ? `'${value}'` : String(value)))
      .join(', ')})`;
  const sql = TABLES.map((table) => `insert into app.${table} values ${ROWS[table].map(values).join(', ')};`);
  await postgres.run(`truncate app.people, app.teams, app.memberships, app.todos;\n${sql.join('\n')}`);
  for (const table of [...TABLES].reverse()) await data.send(data.bypass, 'DELETE', `/${table}`);
  for (const table of TABLES) {
    const { status, text } = await data.send(data.bypass, 'POST', `/${table}`, { body: ROWS[table] });
    assert.equal(status, 201, text);
  }
}
