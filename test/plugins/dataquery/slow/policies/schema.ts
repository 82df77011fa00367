/** One schema, for both sides: its rows, and random policies and grants as YAML and as SQL. */
import type { Random } from './random.js';

export const TABLES = ['people', 'teams', 'memberships', 'todos'] as const;
export type Table = (typeof TABLES)[number];

export const COLUMNS: Readonly<Record<Table, readonly string[]>> = {
  people: ['id', 'note'],
  teams: ['id', 'name'],
  memberships: ['user_id', 'team_id', 'role'],
  todos: ['id', 'user_id', 'team_id', 'done', 'pub', 'title'],
};

export const KEYS: Readonly<Record<Table, readonly string[]>> = {
  people: ['id'],
  teams: ['id'],
  memberships: ['user_id', 'team_id'],
  todos: ['id'],
};

export const ROWS: Readonly<Record<Table, readonly Readonly<Record<string, unknown>>[]>> = {
  people: [
    { id: 'a', note: 'x' },
    { id: 'b', note: null },
    { id: 'c', note: 'y' },
  ],
  teams: [
    { id: 1, name: 'one' },
    { id: 2, name: 'two' },
    { id: 3, name: 'three' },
  ],
  memberships: [
    { user_id: 'a', team_id: 1, role: 'owner' },
    { user_id: 'b', team_id: 2, role: 'viewer' },
    { user_id: 'b', team_id: 1, role: 'viewer' },
    { user_id: 'c', team_id: 3, role: 'owner' },
  ],
  todos: [
    { id: 1, user_id: 'a', team_id: 1, done: false, pub: true, title: 'ant' },
    { id: 2, user_id: 'a', team_id: 2, done: true, pub: false, title: 'bee' },
    { id: 3, user_id: 'b', team_id: 1, done: false, pub: false, title: null },
    { id: 4, user_id: 'b', team_id: 2, done: true, pub: true, title: 'cat' },
    { id: 5, user_id: null, team_id: 1, done: false, pub: false, title: 'ape' },
    { id: 6, user_id: 'c', team_id: null, done: null, pub: null, title: 'dog' },
    { id: 7, user_id: 'c', team_id: 3, done: true, pub: true, title: null },
  ],
};

export const ROLES = ['anon', 'authenticated', 'staff'] as const;

export const TABLES_SQL = `
drop schema if exists app cascade;
create schema app;
grant usage on schema app to public;
create function app.jwt() returns jsonb language sql stable as $$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb $$;
create table app.people (id text primary key, note text);
create table app.teams (id integer primary key, name text);
create table app.memberships (user_id text references app.people, team_id integer references app.teams on delete cascade, role text, primary key (user_id, team_id));
create table app.todos (id integer primary key, user_id text, team_id integer references app.teams, done boolean default false, pub boolean, title text constraint todos_title_key unique, constraint short check (length(title) < 6 or title like 'a%'));
create view app.open_todos with (security_invoker=true) as select id, user_id, title from app.todos where done is false;
create view app.all_todos as select id, team_id from app.todos;
grant select, insert, update, delete on app.open_todos, app.all_todos to public;
create function app.todos_of(u text) returns setof app.todos language sql stable as $$ select * from app.todos where user_id = u $$;
`;

/** Besides policies and grants. */
const TABLES_YAML: Readonly<Record<Table, string>> = {
  people: `
        columns: { id: { type: text, required: true }, note: text }
        primaryKey: [id]`,
  teams: `
        columns: { id: { type: integer, required: true }, name: text }
        primaryKey: [id]`,
  memberships: `
        columns: { user_id: { type: text, required: true }, team_id: { type: integer, required: true }, role: text }
        primaryKey: [user_id, team_id]
        foreignKeys:
          memberships_user: { columns: [user_id], references: { relation: people, columns: [id] } }
          memberships_team: { columns: [team_id], references: { relation: teams, columns: [id] }, onDelete: cascade }`,
  todos: `
        columns: { id: { type: integer, required: true }, user_id: text, team_id: integer, done: { type: boolean, default: false }, pub: boolean, title: text }
        primaryKey: [id]
        unique: { todos_title_key: [title] }
        checks: { short: { title: 'match.^(.{0,5}|a.*)$' } }
        foreignKeys:
          todos_team: { columns: [team_id], references: { relation: teams, columns: [id] } }`,
};

interface RuleText {
  readonly yaml: string;
  readonly sql: string;
}

const CLAIM = (path: string): string => `app.jwt()#>>'{${path}}'`;

const SIMPLE: Readonly<Record<Table, readonly RuleText[]>> = {
  people: [
    { yaml: '{ id: eq.$jwt.sub }', sql: `id = ${CLAIM('sub')}` },
    { yaml: '{ id: not.eq.$jwt.sub }', sql: `not (id = ${CLAIM('sub')})` },
    { yaml: '{ note: not.is.null }', sql: 'note is not null' },
  ],
  teams: [
    { yaml: '{ id: in.($jwt.app.teams) }', sql: IN('id') },
    { yaml: '{ name: "like.t*" }', sql: "name like 't%'" },
    {
      yaml: '{ exists: { memberships: { team_id: eq.$row.id, user_id: eq.$jwt.sub } } }',
      sql: `exists (select from app.memberships m where m.team_id = teams.id and m.user_id = ${CLAIM('sub')})`,
    },
  ],
  memberships: [
    { yaml: '{ user_id: eq.$jwt.sub }', sql: `user_id = ${CLAIM('sub')}` },
    { yaml: '{ role: neq.owner }', sql: "role <> 'owner'" },
    { yaml: '{ team_id: in.($jwt.app.teams) }', sql: IN('team_id') },
  ],
  todos: [
    { yaml: '{ user_id: eq.$jwt.sub }', sql: `user_id = ${CLAIM('sub')}` },
    { yaml: '{ user_id: neq.$jwt.sub }', sql: `user_id <> ${CLAIM('sub')}` },
    { yaml: '{ user_id: not.isdistinct.$jwt.sub }', sql: `not (user_id is distinct from ${CLAIM('sub')})` },
    { yaml: '{ pub: is.true }', sql: 'pub is true' },
    { yaml: '{ done: eq.false }', sql: 'done = false' },
    { yaml: '{ done: not.is.true }', sql: 'done is not true' },
    { yaml: '{ team_id: in.($jwt.app.teams) }', sql: IN('team_id') },
    { yaml: '{ team_id: "not.in.($jwt.app.teams,3)" }', sql: `not (${IN('team_id')} or team_id = 3)` },
    { yaml: '{ team_id: gte.$jwt.level }', sql: `team_id >= (${CLAIM('level')})::integer` },
    { yaml: '{ title: "match.^[a-c]" }', sql: "title ~ '^[a-c]'" },
    {
      yaml: '{ or: "(pub.is.true,and(user_id.eq.$jwt.sub,done.is.false))" }',
      sql: `pub is true or (user_id = ${CLAIM('sub')} and done is false)`,
    },
    {
      yaml: '{ exists: { memberships: { team_id: eq.$row.team_id, user_id: eq.$jwt.sub } } }',
      sql: `exists (select from app.memberships m where m.team_id = todos.team_id and m.user_id = ${CLAIM('sub')})`,
    },
    {
      yaml: '{ exists: { memberships: { team_id: eq.$row.team_id, user_id: eq.$row.user_id, role: eq.owner } } }',
      sql: "exists (select from app.memberships m where m.team_id = todos.team_id and m.user_id = todos.user_id and m.role = 'owner')",
    },
    {
      yaml: '{ exists: { memberships: { user_id: eq.$jwt.sub, role: eq.owner } } }',
      sql: `exists (select from app.memberships m where m.user_id = ${CLAIM('sub')} and m.role = 'owner')`,
    },
    {
      yaml: '{ exists: { teams: { id: eq.$row.team_id, exists: { memberships: { team_id: eq.$row.id, user_id: eq.$jwt.sub } } } } }',
      sql: `exists (select from app.teams t where t.id = todos.team_id and exists (select from app.memberships m where m.team_id = t.id and m.user_id = ${CLAIM('sub')}))`,
    },
  ],
};

const OF_CLAIMS: readonly RuleText[] = [
  { yaml: '{ $jwt.aal: eq.aal2 }', sql: `${CLAIM('aal')} = 'aal2'` },
  { yaml: '{ $jwt.guest: is.false }', sql: `(${CLAIM('guest')})::boolean is false` },
  { yaml: '{ $jwt.guest: not.is.true }', sql: `(${CLAIM('guest')})::boolean is not true` },
  { yaml: '{ $jwt.level: gte.2 }', sql: `(${CLAIM('level')})::integer >= 2` },
  { yaml: '{ $jwt.scopes: "cs.{todos}" }', sql: "(app.jwt()->'scopes') ? 'todos'" },
  { yaml: 'true', sql: 'true' },
  { yaml: 'false', sql: 'false' },
];

/** A list in a claim; null without one, as a comparison with it is unknown. */
function IN(column: string): string {
  const list = "app.jwt()#>'{app,teams}'";
  return `(case when ${list} is null then null else ${column} in (select jsonb_array_elements_text(${list})::integer) end)`;
}

function rule(random: Random, table: Table): RuleText {
  const one = (): RuleText => random.pick(random.chance(0.7) ? SIMPLE[table] : OF_CLAIMS);
  const first = one();
  if (!random.chance(0.25) || !first.yaml.startsWith('{')) return first;
  const second = one();
  const keyOf = (text: RuleText): string => /^\{ ([^:]+):/.exec(text.yaml)?.[1] ?? '';
  if (!second.yaml.startsWith('{') || keyOf(first) === keyOf(second)) return first;
  return {
    yaml: `{ ${first.yaml.slice(1, -1)}, ${second.yaml.slice(1, -1)} }`,
    sql: `(${first.sql}) and (${second.sql})`,
  };
}

export interface Guarded {
  readonly yaml: string;
  readonly sql: string;
}

/** A catalog with random policies and grants, and the statements that say the same. */
export function randomCatalog(random: Random): Guarded {
  const sql = [TABLES_SQL];
  const yaml: string[] = [];
  for (const table of TABLES) {
    const policies = random.chance(table === 'todos' ? 0.9 : 0.4) ? policiesOf(random, table) : undefined;
    const grants = random.chance(0.35) ? grantsOf(random, table) : undefined;
    yaml.push(`      ${table}:${TABLES_YAML[table]}${policies?.yaml ?? ''}${grants?.yaml ?? ''}`);
    sql.push(
      policies?.sql ?? '',
      grants?.sql ?? `grant select, insert, update, delete on app.${table} to public;`,
    );
  }
  return {
    sql: sql.join('\n'),
    yaml: `
exposed: [public]
schemas:
  public:
    relations:
${yaml.join('\n')}
      open_todos: { kind: view, from: todos, columns: { id: { base: id }, user_id: { base: user_id }, title: { base: title } }, where: { done: is.false } }
      all_todos: { kind: view, from: todos, definer: true, columns: { id: { base: id }, team_id: { base: team_id } } }
    functions:
      todos_of: { args: { u: text }, returns: { setof: todos }, from: todos, where: { user_id: eq.$u } }
`,
  };
}

function policiesOf(random: Random, table: Table): Guarded {
  const sql = [`alter table app.${table} enable row level security;`];
  let yaml = '\n        policies:';
  const count = random.pick([0, 1, 1, 2, 2, 3, 4]);
  if (count === 0) {
    // Row security without a policy that concerns anybody.
    return {
      sql: `${sql[0]} create policy none on app.${table} to nobody using (true);`,
      yaml: `${yaml} { none: { to: [nobody], using: true } }`,
    };
  }
  for (let at = 0; at < count; at += 1) {
    const command = random.pick(['all', 'all', 'select', 'select', 'insert', 'update', 'delete']);
    const restrictive = random.chance(0.2);
    const to = random.chance(0.5) ? undefined : random.some(ROLES, 0.6);
    const roles = to === undefined || to.length === 0 ? undefined : to;
    const using = command === 'insert' ? undefined : rule(random, table);
    const check =
      command === 'insert' || (['all', 'update'].includes(command) && random.chance(0.4))
        ? rule(random, table)
        : undefined;
    const yamlParts = [
      `as: ${restrictive ? 'restrictive' : 'permissive'}`,
      `for: ${command}`,
      ...(roles === undefined ? [] : [`to: [${roles.join(', ')}]`]),
      ...(using === undefined ? [] : [`using: ${using.yaml}`]),
      ...(check === undefined ? [] : [`check: ${check.yaml}`]),
    ];
    yaml += `\n          p${at}: { ${yamlParts.join(', ')} }`;
    sql.push(
      `create policy p${at} on app.${table} as ${restrictive ? 'restrictive' : 'permissive'} for ${command}` +
        (roles === undefined ? '' : ` to ${roles.join(', ')}`) +
        (using === undefined ? '' : ` using (${using.sql})`) +
        (check === undefined ? '' : ` with check (${check.sql})`) +
        ';',
    );
  }
  return { yaml, sql: sql.join('\n') };
}

function grantsOf(random: Random, table: Table): Guarded {
  const sql: string[] = [];
  let yaml = '\n        grants:';
  const roles = random.some(ROLES, 0.7);
  if (roles.length === 0) roles.push('staff');
  for (const role of roles) {
    const parts: string[] = [];
    for (const command of ['select', 'insert', 'update'] as const) {
      if (random.chance(0.15)) continue;
      const columns = random.chance(0.6) ? undefined : random.some(COLUMNS[table], 0.7);
      if (columns?.length === 0) continue;
      parts.push(`${command}: ${columns === undefined ? '"*"' : `[${columns.join(', ')}]`}`);
      sql.push(
        `grant ${command}${columns === undefined ? '' : ` (${columns.join(', ')})`} on app.${table} to ${role};`,
      );
    }
    if (random.chance(0.7)) {
      parts.push('delete: true');
      sql.push(`grant delete on app.${table} to ${role};`);
    }
    yaml += `\n          ${role}: { ${parts.join(', ')} }`;
  }
  return { yaml, sql: sql.join('\n') };
}
