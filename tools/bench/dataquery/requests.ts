/** What is measured: each request as the data API takes it, and the same JSON made by SQL. */
import { wordOf } from '../random.js';
import { BATCHES, FILMS, PEOPLE } from './cinema.js';

export interface Request {
  readonly name: string;
  readonly connections: 1 | 16;
  /** The path of the data API for one value. */
  path(value: number): string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: 'POST' | 'PATCH';
  body?(value: number): string;
  /** One row with the JSON text, and for `count` the number of rows. */
  readonly sql: string;
  /** Of the SQL, where they are not the value alone. */
  parameters?(value: number): readonly string[];
  /** The value of the n-th request. */
  value(n: number): number;
}

const somewhere = (n: number): number => 1 + ((n * 7_919) % (FILMS - 1_000));
const someYear = (n: number): number => 1_930 + (n % 90);
const WITH_COUNT = { prefer: 'count=exact' };

/** The usual requests of an application, many at once. */
const usual: readonly Request[] = [
  {
    name: 'list: filter, order, 50 rows',
    connections: 16,
    path: (year) => `/films?select=id,title,year,rating&year=lte.${year}&order=year.desc,id.desc&limit=50`,
    sql: `select coalesce(json_agg(t), '[]')::text as body from
      (select id, title, year, rating from films where year <= $1 order by year desc, id desc limit 50) t`,
    value: someYear,
  },
  {
    name: 'embeds on two levels, 20 films',
    connections: 16,
    path: (id) =>
      `/films?select=id,title,director:people!films_director(name),roles(character,person:people(name))&id=gte.${id}&order=id&limit=20`,
    sql: `select coalesce(json_agg(t), '[]')::text as body from
      (select f.id, f.title,
        (select json_build_object('name', d.name) from people d where d.id = f.director_id) as director,
        (select coalesce(json_agg(json_build_object('character', r.character, 'person',
            (select json_build_object('name', p.name) from people p where p.id = r.person_id))), '[]')
          from roles r where r.film_id = f.id) as roles
      from films f where f.id >= $1 order by f.id limit 20) t`,
    value: somewhere,
  },
  {
    name: 'many-to-many, 2 of each of 20 films',
    connections: 16,
    path: (id) =>
      `/films?select=id,title,cast:people!roles(name)&id=gte.${id}&order=id&limit=20&cast.order=name,id&cast.limit=2`,
    sql: `select coalesce(json_agg(t), '[]')::text as body from
      (select f.id, f.title,
        (select coalesce(json_agg(c), '[]') from
          (select p.name from roles r join people p on p.id = r.person_id
            where r.film_id = f.id order by p.name, p.id limit 2) c) as cast
      from films f where f.id >= $1 order by f.id limit 20) t`,
    value: somewhere,
  },
  {
    name: 'exact count with 10 rows',
    connections: 16,
    path: (year) => `/films?select=id,title&year=eq.${year}&order=id&limit=10`,
    headers: WITH_COUNT,
    sql: `select coalesce(json_agg(t), '[]')::text as body, (select count(*) from films where year = $1) as count from
      (select id, title from films where year = $1 order by id limit 10) t`,
    value: someYear,
  },
];

/** Whether a film has a role of a person who was born in that year or later. */
const HAS_ROLE_OF_YOUNGER = `exists (select from roles r join people p on p.id = r.person_id
  where r.film_id = f.id and p.born >= $1)`;

/** What a database does with sets of keys and with many rows, one at a time. */
const large: readonly Request[] = [
  {
    name: 'inner joins on two levels, a page of 20',
    connections: 1,
    path: (id) =>
      `/films?select=id,title,roles!inner(people!roles_person!inner())&id=gte.${id}&order=id&limit=20`,
    sql: `select coalesce(json_agg(t), '[]')::text as body from
      (select f.id, f.title from films f where f.id >= $1 and exists
        (select from roles r where r.film_id = f.id and exists (select from people p where p.id = r.person_id))
      order by f.id limit 20) t`,
    value: somewhere,
  },
  {
    name: 'inner joins on two levels, few leaves',
    connections: 1,
    path: (number) =>
      `/films?select=id,title,roles!inner(people!roles_person!inner())&roles.people.name=eq.Person ${number}&order=id&limit=20`,
    sql: `select coalesce(json_agg(t), '[]')::text as body from
      (select f.id, f.title from films f where exists
        (select from roles r join people p on p.id = r.person_id where r.film_id = f.id and p.name = 'Person ' || $1)
      order by f.id limit 20) t`,
    value: (n) => (n * 97) % 10_000,
  },
  {
    name: 'inner joins on two levels, a tenth of the leaves, exact count',
    connections: 1,
    path: (born) =>
      `/films?select=id,title,roles!inner(people!roles_person!inner())&roles.people.born=gte.${born}&order=id&limit=20`,
    headers: WITH_COUNT,
    sql: `select coalesce(json_agg(t), '[]')::text as body,
        (select count(*) from films f where ${HAS_ROLE_OF_YOUNGER}) as count from
      (select f.id, f.title from films f where ${HAS_ROLE_OF_YOUNGER} order by f.id limit 20) t`,
    value: (n) => 1_988 + (n % 4),
  },
  {
    name: 'anti-join, a page of 20',
    connections: 1,
    path: (id) =>
      `/films?select=id,title,roles()&roles.person_id=lt.5000&roles=is.null&id=gte.${id}&order=id&limit=20`,
    sql: `select coalesce(json_agg(t), '[]')::text as body from
      (select f.id, f.title from films f where f.id >= $1 and not exists
        (select from roles r where r.film_id = f.id and r.person_id < 5000)
      order by f.id limit 20) t`,
    value: somewhere,
  },
  {
    name: 'anti-join, one of 50 passes',
    connections: 1,
    path: (id) => `/films?select=id,title,roles()&roles=is.null&id=gte.${id}&order=id&limit=20`,
    sql: `select coalesce(json_agg(t), '[]')::text as body from
      (select f.id, f.title from films f where f.id >= $1 and not exists
        (select from roles r where r.film_id = f.id) order by f.id limit 20) t`,
    value: (n) => somewhere(n) % (FILMS / 2),
  },
  {
    name: 'sum of some 70,000 rows',
    connections: 1,
    path: (film) => `/roles?select=person_id.sum()&film_id=gte.${film}`,
    sql: `select json_build_array(json_build_object('sum', sum(person_id)))::text as body
      from roles where film_id >= $1`,
    value: (n) => 26_200 + (n % 50),
  },
  {
    name: 'groups of some 25,000 rows with their counts',
    connections: 1,
    path: (year) => `/films?select=year,count()&year=gte.${year}`,
    sql: `select json_agg(t)::text as body from
      (select year, count(*) as count from films where year >= $1 group by year order by min(id)) t`,
    value: (n) => 1_970 + (n % 5),
  },
  {
    name: 'exact count of 70,000, by an index',
    connections: 1,
    path: (film) => `/roles?select=film_id,person_id&film_id=gte.${film}&order=film_id,person_id&limit=10`,
    headers: WITH_COUNT,
    sql: `select coalesce(json_agg(t), '[]')::text as body, (select count(*) from roles where film_id >= $1) as count from
      (select film_id, person_id from roles where film_id >= $1 order by film_id, person_id limit 10) t`,
    value: (n) => 26_200 + (n % 50),
  },
  {
    name: 'exact count of 98,000, without an index',
    connections: 1,
    path: (billing) =>
      `/roles?select=film_id,person_id&billing=gte.${billing}&order=film_id,person_id&limit=10`,
    headers: WITH_COUNT,
    sql: `select coalesce(json_agg(t), '[]')::text as body, (select count(*) from roles where billing >= $1) as count from
      (select film_id, person_id from roles where billing >= $1 order by film_id, person_id limit 10) t`,
    value: () => 2,
  },
  {
    name: 'to-one embeds of 1,000 rows',
    connections: 1,
    path: (id) => `/films?select=id,director:people!films_director(name)&id=gte.${id}&order=id&limit=1000`,
    sql: `select coalesce(json_agg(t), '[]')::text as body from
      (select f.id,
        (select json_build_object('name', d.name) from people d where d.id = f.director_id) as director
      from films f where f.id >= $1 order by f.id limit 1000) t`,
    value: somewhere,
  },
  {
    name: 'order by an embed, of some 500 rows',
    connections: 1,
    path: (year) =>
      `/films?select=id,director:people!films_director(name)&year=eq.${year}&order=director(name),id&limit=20`,
    sql: `select coalesce(json_agg(t), '[]')::text as body from
      (select f.id, json_build_object('name', d.name) as director
      from films f left join people d on d.id = f.director_id where f.year = $1
      order by d.name collate "C", f.id limit 20) t`,
    value: someYear,
  },
  {
    name: 'order by an embed, of all rows',
    connections: 1,
    path: (offset) =>
      `/films?select=id,director:people!films_director(name)&order=director(name),id&limit=20&offset=${offset}`,
    sql: `select coalesce(json_agg(t), '[]')::text as body from
      (select f.id, json_build_object('name', d.name) as director
      from films f left join people d on d.id = f.director_id
      order by d.name collate "C", f.id limit 20 offset $1) t`,
    value: (n) => n,
  },
  {
    name: 'full text, a rare word',
    connections: 1,
    path: (word) => `/films?select=id,title&plot=fts.${wordOf(word)}&order=id&limit=20`,
    sql: searched('$1'),
    parameters: (word) => [wordOf(word)],
    value: (n) => 4_000 + (n % 900),
  },
  {
    name: 'full text, two words',
    connections: 1,
    path: (word) => `/films?select=id,title&plot=plfts.${wordOf(word)} ${wordOf(word + 1)}&order=id&limit=20`,
    sql: searched(`$1 || ' & ' || $2`),
    parameters: (word) => [wordOf(word), wordOf(word + 1)],
    value: (n) => 30 + (n % 60),
  },
];

/** The values of a request for two parameters. */
const someYearAndDirector = (n: number): readonly [year: number, director: number] => [
  1_930 + (n % 90),
  1 + (n % PEOPLE),
];

/** What no index of the catalog is made for, and writes. */
const cold: readonly Request[] = [
  {
    name: 'or across two indexed columns',
    connections: 1,
    path: (n) => {
      const [year, director] = someYearAndDirector(n);
      return `/films?select=id,title&or=(year.eq.${year},director_id.eq.${director})&order=id&limit=20`;
    },
    sql: page('id, title', 'year = $1 or director_id = $2', 'id limit 20'),
    parameters: (n) => someYearAndDirector(n).map(String),
    value: (n) => n * 7,
  },
  {
    name: 'or across columns, one without an index',
    connections: 1,
    path: (n) => `/films?select=id,title&or=(director_id.eq.${n},rating.eq.7.7)&order=id&limit=20`,
    sql: page('id, title', 'director_id = $1 or rating = 7.7', 'id limit 20'),
    value: (n) => 1 + n * 7,
  },
  {
    name: 'JSON path',
    connections: 1,
    path: (n) => `/films?select=id,title&details->studio->>name=eq.Studio ${n}&order=id&limit=200`,
    sql: page('id, title', `details->'studio'->>'name' = 'Studio ' || $1`, 'id limit 200'),
    value: (n) => n,
  },
  {
    name: 'array contains',
    connections: 1,
    path: (n) => `/films?select=id,title&tags=cs.{tag${n}}&order=id&limit=600`,
    sql: page('id, title', `tags @> array['tag' || $1]`, 'id limit 600'),
    value: (n) => n % 200,
  },
  {
    name: 'deep offset',
    connections: 1,
    path: (offset) => `/films?select=id,title&order=id&limit=20&offset=${offset}`,
    sql: page('id, title', 'true', 'id limit 20 offset $1'),
    value: (n) => 40_000 + n,
  },
  {
    name: 'order without an index',
    connections: 1,
    path: (offset) => `/films?select=id,rating&order=rating.desc,id&limit=20&offset=${offset}`,
    sql: page('id, rating', 'true', 'rating desc, id limit 20 offset $1'),
    value: (n) => n,
  },
  {
    name: 'embeds with inner embeds, 20 films',
    connections: 1,
    path: (id) =>
      `/films?select=id,roles(character,person:people!inner(name))&roles.people.born=gte.1950&id=gte.${id}&order=id&limit=20`,
    sql: page(
      `id, (select coalesce(json_agg(json_build_object('character', r.character,
          'person', json_build_object('name', p.name))), '[]')
        from roles r join people p on p.id = r.person_id where r.film_id = films.id and p.born >= 1950) as roles`,
      'id >= $1',
      'id limit 20',
    ),
    value: somewhere,
  },
  {
    name: 'one insert',
    connections: 1,
    method: 'POST',
    path: () => '/votes',
    body: (film_id) => JSON.stringify({ film_id, stars: 5 }),
    sql: `with added as (insert into votes (film_id, stars) values ($1, 5)) select '' as body`,
    value: somewhere,
  },
  {
    name: 'update of a thousand',
    connections: 1,
    method: 'PATCH',
    path: (n) => `/scores?batch=eq.${n % BATCHES}`,
    body: (n) => JSON.stringify({ points: n }),
    sql: `with changed as (update scores set points = $2 where batch = $1) select '' as body`,
    parameters: (n) => [String(n % BATCHES), String(n)],
    value: (n) => n,
  },
];

export const requests: readonly Request[] = [...usual, ...large, ...cold];

function page(columns: string, where: string, order: string): string {
  return `select coalesce(json_agg(t), '[]')::text as body from
    (select ${columns} from films where ${where} order by ${order}) t`;
}

function searched(query: string): string {
  return `select coalesce(json_agg(t), '[]')::text as body from
    (select id, title from films where to_tsvector('english', plot) @@ to_tsquery('english', ${query})
      order by id limit 20) t`;
}
