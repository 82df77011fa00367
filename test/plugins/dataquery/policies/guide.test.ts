/** The policies of Supabase's guide to row level security, in SQL as it shows them, by way of `plugboard catalog from`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogOfDump } from '../../../../plugins/dataquery/engine/dump/dump.js';
import { eachStore } from '../../../support/stores.js';
import { anIssuer, openGuarded } from '../support/guarded-data.js';

const A = { role: 'authenticated', sub: 'a' };
const B = { role: 'authenticated', sub: 'b' };
const OWN = '(select auth.uid()) = user_id';
const own = (more: string): string => `create policy own on T for all using (${OWN}); ${more}`;
const TEAMS = 'team_id in (select team_id from MEMBERS where user_id = (select auth.uid()))';
const ALL = '1 2 3 4 5';

/** `T` is the table of the case. */
const CASES: readonly (readonly [
  rule: string,
  sql: string,
  ...seen: (readonly [claims: object | undefined, ids: string])[],
])[] = [
  [
    'everybody',
    'create policy p on T for select to anon, authenticated using (true)',
    [undefined, ALL],
    [A, ALL],
  ],
  ['people', 'create policy p on T for select to authenticated using (true)', [undefined, ''], [A, ALL]],
  ['no policy', '', [A, ''], [undefined, '']],
  ['own', own(''), [A, '1 2'], [B, '3 4'], [{ role: 'authenticated' }, ''], [undefined, '']],
  ['of others', 'create policy p on T for select using ((select auth.uid()) <> user_id)', [A, '3 4']],
  [
    'public or own',
    `create policy p on T for select using (pub or ${OWN})`,
    [A, '1 2 4'],
    [undefined, '1 4'],
  ],
  ['public, own', own('create policy q on T for select using (pub)'), [A, '1 2 4']],
  [
    'each their own',
    `create policy p on T for select to anon using (pub); create policy q on T to authenticated using (${OWN})`,
    [A, '1 2'],
    [undefined, '1 4'],
  ],
  ['own, and not done', own('create policy q on T as restrictive using (not done)'), [A, '1']],
  ['restrictive alone', 'create policy p on T as restrictive using (true)', [A, '']],
  ['nobody who is anonymous', own('create policy q on T as restrictive to anon using (false)'), [A, '1 2']],
  [
    'a second factor',
    own("create policy q on T as restrictive to authenticated using ((select auth.jwt()->>'aal') = 'aal2')"),
    [A, ''],
    [{ ...A, aal: 'aal1' }, ''],
    [{ ...A, aal: 'aal2' }, '1 2'],
  ],
  [
    'a second factor to update',
    own("create policy q on T as restrictive for update using ((select auth.jwt()->>'aal') = 'aal2')"),
    [{ ...A, aal: 'aal1' }, '1 2'],
  ],
  [
    'permanent users',
    "create policy p on T for select using ((select (auth.jwt()->>'is_anonymous')::boolean) is false)",
    [A, ''],
    [{ ...A, is_anonymous: true }, ''],
    [{ ...A, is_anonymous: false }, ALL],
  ],
  [
    'own, said twice',
    `create policy p on T using (auth.uid() is not null and auth.uid() = user_id)`,
    [A, '1 2'],
    [{ role: 'authenticated' }, ''],
  ],
  [
    'my teams',
    `create policy p on T for select using (${TEAMS.replace('MEMBERS', 'members')})`,
    [A, '1 3 5'],
    [B, ALL],
  ],
  [
    'teams that I own',
    `create policy p on T for select using (exists (select 1 from members where members.team_id = T.team_id and members.user_id = auth.uid() and members.role = 'owner'))`,
    [A, '1 3 5'],
    [B, ''],
  ],
  [
    'my teams, of memberships that I see',
    `create policy p on T for select using (${TEAMS.replace('MEMBERS', 'own_members')})`,
    [A, '1 3 5'],
  ],
  [
    'my teams, of memberships that nobody sees',
    `create policy p on T for select using (${TEAMS.replace('MEMBERS', 'closed_members')})`,
    [A, ''],
  ],
  [
    'teams of the token',
    "create policy p on T for select using (team_id in (select auth.jwt() -> 'app_metadata' -> 'teams'))",
    [{ ...A, app_metadata: { teams: [2] } }, '2 4'],
    [A, ''],
  ],
  [
    'an organization of the token',
    "create policy p on T for select using (org = (auth.jwt() -> 'o' ->> 'id'))",
    [{ ...A, o: { id: 'o1' } }, '1 3 5'],
  ],
  [
    'own, of the organization',
    own("create policy q on T as restrictive using (org = (auth.jwt() -> 'o' ->> 'id'))"),
    [{ ...A, o: { id: 'o1' } }, '1'],
  ],
  ['published', 'create policy p on T for select using (publish_at <= now())', [A, '1 2 4 5']],
  [
    'public, not deleted',
    'create policy p on T for select using (pub); create policy q on T as restrictive for select using (deleted_at is null)',
    [A, '1'],
  ],
  [
    'own, or of an administrator',
    `create policy p on T using ((auth.jwt() -> 'app_metadata' ->> 'role') = 'admin' or ${OWN})`,
    [A, '1 2'],
    [{ ...A, sub: 'z', app_metadata: { role: 'admin' } }, ALL],
  ],
];

const COLUMNS =
  'id integer primary key, user_id text, team_id integer, done boolean, pub boolean, org text, publish_at timestamptz, deleted_at timestamptz';
const MEMBERS = ['members', 'own_members', 'closed_members'];
const SQL = [
  ...MEMBERS.map(
    (name) =>
      `create table ${name} (team_id integer, user_id text, role text, primary key (team_id, user_id));`,
  ),
  'alter table own_members enable row level security; create policy own on own_members using (auth.uid() = user_id);',
  'alter table closed_members enable row level security;',
  ...CASES.map(
    ([, sql], at) =>
      `create table t${at} (${COLUMNS}); alter table t${at} enable row level security; ${sql.replaceAll(/\bT\b/g, `t${at}`)};`,
  ),
].join('\n');

const todo = (
  id: number,
  user_id: string | null,
  team_id: number,
  done: boolean,
  pub: boolean,
  org: string,
  more: object = {},
): object => ({
  ...{ id, user_id, team_id, done, pub, org },
  publish_at: '2020-01-01',
  ...more,
});
const TODOS = [
  todo(1, 'a', 1, false, true, 'o1'),
  todo(2, 'a', 2, true, false, 'o2'),
  todo(3, 'b', 1, false, false, 'o1', { publish_at: '2999-01-01' }),
  todo(4, 'b', 2, true, true, 'o2', { deleted_at: '2024-01-01' }),
  todo(5, null, 1, false, false, 'o1'),
];
const MEMBERSHIPS = [
  { team_id: 1, user_id: 'a', role: 'owner' },
  { team_id: 2, user_id: 'b', role: 'member' },
  { team_id: 1, user_id: 'b', role: 'viewer' },
];

eachStore('policies of the guide', (store) => {
  test('show what they show in PostgreSQL', async (t) => {
    const made = await catalogOfDump(SQL, 'guide.sql', []);
    assert.deepEqual(made.omissions, []);
    const rows = Object.fromEntries([
      ...MEMBERS.map((name) => [`public.${name}`, MEMBERSHIPS] as const),
      ...CASES.map((_, at) => [`public.t${at}`, TODOS] as const),
    ]);
    const issuer = await anIssuer((stop) => t.after(() => stop()));
    const data = await openGuarded(await store.fresh(), issuer, made.text, rows);
    t.after(() => data.stop());
    for (const [at, [rule, , ...seen]] of CASES.entries()) {
      for (const [claims, ids] of seen) {
        const { status, body } = await data.send(claims as never, 'GET', `/t${at}?select=id&order=id`);
        const found = (body as { id: number }[]).map(({ id }) => id).join(' ');
        assert.deepEqual([status, found], [200, ids], `${rule}: ${JSON.stringify(claims)}`);
      }
    }
  });
});
