/** Random requests as HTTP and as SQL. */
import type { Random } from './random.js';
import { COLUMNS, KEYS, type Table, TABLES } from './schema.js';

export interface Pair {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly prefer: string;
  readonly body?: unknown;
  /** One statement whose only cell is a JSON array of rows, or nothing for a write that answers none. */
  readonly sql: string;
  /** Whether the total of `Content-Range` is compared with the only number of the rows. */
  readonly counts?: boolean;
  /** Several rows are written: which of several errors comes first may differ. */
  readonly several?: boolean;
}

const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  'people.id': ['a', 'b', 'd'],
  note: ['x', null],
  'teams.id': [1, 2, 3, 4],
  name: ['one', 'two', 'six'],
  user_id: ['a', 'b', 'c', null],
  team_id: [1, 2, 3, null],
  role: ['owner', 'viewer'],
  'todos.id': [1, 2, 3, 4, 5, 6, 7, 8, 9],
  done: [true, false, null],
  pub: [true, false, null],
  title: ['ant', 'bee', 'cow', 'elk', 'too long', 'ape', null],
};

function valueFor(random: Random, table: Table, column: string): unknown {
  return random.pick(VALUES[`${table}.${column}`] ?? VALUES[column] ?? [null]);
}

function literal(value: unknown): string {
  return value === null ? 'null' : typeof value === 'string' ? `'${value}'` : String(value);
}

interface Filter {
  readonly http: string;
  readonly sql: string;
}

function filters(random: Random, table: Table, most: number): Filter[] {
  return Array.from({ length: random.below(most + 1) }, () => {
    const column = random.pick(COLUMNS[table]);
    const value = valueFor(random, table, column);
    if (value === null) return { http: `${column}=is.null`, sql: `${table}.${column} is null` };
    const [op, sign] = random.pick([
      ['eq', '='],
      ['eq', '='],
      ['neq', '<>'],
      ['gte', '>='],
    ] as const);
    return { http: `${column}=${op}.${String(value)}`, sql: `${table}.${column} ${sign} ${literal(value)}` };
  });
}

const where = (list: readonly Filter[]): string =>
  list.length === 0 ? '' : ` where ${list.map(({ sql }) => sql).join(' and ')}`;
const query = (parts: readonly string[]): string => (parts.length === 0 ? '' : `?${parts.join('&')}`);
const rows = (select: string): string => `select coalesce(json_agg(row_to_json(x)), '[]') from (${select}) x`;
const key = (table: Table): string => KEYS[table].join(',');

function columns(random: Random, table: Table): readonly string[] {
  return random.chance(0.3)
    ? COLUMNS[table]
    : [...new Set([...KEYS[table], ...random.some(COLUMNS[table], 0.4)])];
}

export function randomPair(random: Random): Pair {
  return random.chance(0.55) ? randomRead(random) : randomWrite(random);
}

function randomRead(random: Random): Pair {
  const read = (path: string, sql: string, more: Partial<Pair> = {}): Pair => ({
    method: 'GET',
    path,
    prefer: '',
    sql: rows(sql),
    ...more,
  });
  const table = random.pick([...TABLES, 'todos', 'todos'] as const);
  const some = filters(random, table, 2);
  const list = some.map(({ http }) => http);
  switch (random.below(12)) {
    case 0:
      return read(
        `/${table}${query([...list, `order=${key(table)}`])}`,
        `select * from app.${table}${where(some)} order by ${key(table)}`,
      );
    case 1: {
      // The page is read as well as counted: its columns have to be granted.
      const sql = `select count(*) as n from (select ${key(table)} from app.${table}${where(some)}) page`;
      return read(`/${table}${query([`select=${key(table)}`, 'limit=1', ...list])}`, sql, {
        prefer: 'count=exact',
        counts: true,
      });
    }
    case 2:
      return read(
        `/todos${query(['select=id,teams(id,name)', 'order=id', ...(table === 'todos' ? list : [])])}`,
        `select todos.id, (select row_to_json(y) from (select teams.id, teams.name from app.teams where teams.id = todos.team_id) y) as teams from app.todos${table === 'todos' ? where(some) : ''} order by todos.id`,
      );
    case 3:
      return read(
        '/teams?select=id,todos!inner(id)&todos.done=is.true&order=id&todos.order=id',
        'select teams.id, (select json_agg(row_to_json(y)) from (select todos.id from app.todos where todos.team_id = teams.id and todos.done is true order by todos.id) y) as todos from app.teams where exists (select from app.todos where todos.team_id = teams.id and todos.done is true) order by teams.id',
      );
    case 4:
      return read(
        '/teams?select=id,people(id)&order=id&people.order=id',
        "select teams.id, (select coalesce(json_agg(row_to_json(y)), '[]') from (select people.id from app.memberships m join app.people on people.id = m.user_id where m.team_id = teams.id order by people.id) y) as people from app.teams order by teams.id",
      );
    case 5:
      return read(
        `/todos?select=done,count()&order=done${list.length > 0 && table === 'todos' ? `&${list.join('&')}` : ''}`,
        `select todos.done, count(*) as count from app.todos${table === 'todos' ? where(some) : ''} group by todos.done order by todos.done`,
      );
    case 6:
      return read(
        '/todos?select=id,teams()&teams=is.null&order=id',
        'select todos.id from app.todos where not exists (select from app.teams where teams.id = todos.team_id) order by todos.id',
      );
    case 7:
      return read(
        '/todos?select=id&order=team_id.desc,id',
        'select id from app.todos order by team_id desc, id',
      );
    case 8:
      return read('/open_todos?order=id', 'select * from app.open_todos order by id');
    case 9:
      return read('/all_todos?order=id', 'select * from app.all_todos order by id');
    case 10:
      return read(`/rpc/todos_of?u=${random.pick(['a', 'b'])}&select=id&order=id`, '').path.includes('u=a')
        ? read('/rpc/todos_of?u=a&select=id&order=id', "select id from app.todos_of('a') order by id")
        : read('/rpc/todos_of?u=b&select=id&order=id', "select id from app.todos_of('b') order by id");
    default: {
      const shown = columns(random, table);
      return read(
        `/${table}${query([`select=${shown.join(',')}`, ...list, `order=${key(table)}`])}`,
        `select ${shown.join(', ')} from app.${table}${where(some)} order by ${key(table)}`,
      );
    }
  }
}

function randomWrite(random: Random): Pair {
  const table = random.pick([...TABLES, 'todos', 'todos', 'todos'] as const);
  const shown = columns(random, table);
  const represents = random.chance(0.5);
  const prefer = represents ? 'return=representation' : 'return=minimal';
  const select = represents ? [`select=${shown.join(',')}`] : [];
  const returning = represents ? ` returning ${shown.join(', ')}` : '';
  const statement = (sql: string): string =>
    represents
      ? `with x as (${sql}${returning}) select coalesce(json_agg(row_to_json(x)), '[]') from x`
      : sql;
  const kind = random.below(10);
  if (kind < 3) {
    const names = [...new Set([...KEYS[table], ...random.some(COLUMNS[table], 0.5)])];
    const list = Array.from({ length: random.chance(0.75) ? 1 : 2 }, () =>
      Object.fromEntries(names.map((name) => [name, valueFor(random, table, name)])),
    );
    const resolution = random.pick([undefined, 'ignore-duplicates', 'merge-duplicates']);
    const target = table === 'todos' && names.includes('title') && random.chance(0.3) ? 'title' : key(table);
    const values = list.map((row) => `(${names.map((name) => literal(row[name])).join(', ')})`).join(', ');
    const merge = `do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;
    const conflict =
      resolution === undefined
        ? ''
        : ` on conflict (${target}) ${resolution === 'ignore-duplicates' ? 'do nothing' : merge}`;
    return {
      method: 'POST',
      path: `/${table}${query([...select, ...(resolution === undefined ? [] : [`on_conflict=${target}`])])}`,
      prefer: [prefer, ...(resolution === undefined ? [] : [`resolution=${resolution}`])].join(','),
      body: list,
      sql: statement(`insert into app.${table} (${names.join(', ')}) values ${values}${conflict}`),
      several: list.length > 1,
    };
  }
  const some = filters(random, table, 2);
  const path = `/${table}${query([...select, ...some.map(({ http }) => http)])}`;
  if (kind < 7) {
    const names = random.some(COLUMNS[table], 0.35);
    if (names.length === 0) names.push(COLUMNS[table].at(-1)!);
    const values = Object.fromEntries(names.map((name) => [name, valueFor(random, table, name)]));
    const set = names.map((name) => `${name} = ${literal(values[name])}`).join(', ');
    return {
      method: 'PATCH',
      path,
      prefer,
      body: values,
      sql: statement(`update app.${table} set ${set}${where(some)}`),
      several: true,
    };
  }
  return { method: 'DELETE', path, prefer, sql: statement(`delete from app.${table}${where(some)}`) };
}
