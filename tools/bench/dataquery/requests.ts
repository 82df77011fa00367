/** What is measured: each request as the data API takes it, and the same JSON made by SQL. */
import { FILMS } from './cinema.js';

export interface Measured {
  readonly name: string;
  /** The path of the data API for one value. */
  path(value: number): string;
  readonly headers: Readonly<Record<string, string>>;
  /** One row with the JSON text, and for `count` the number of rows. */
  readonly sql: string;
  /** The value of the n-th request. */
  value(n: number): number;
}

const somewhere = (n: number): number => 1 + ((n * 7_919) % (FILMS - 1_000));

export const requests: readonly Measured[] = [
  {
    name: 'list: filter, order, 50 rows',
    path: (year) => `/films?select=id,title,year,rating&year=lte.${year}&order=year.desc,id.desc&limit=50`,
    headers: {},
    sql: `select coalesce(json_agg(t), '[]')::text as body from
      (select id, title, year, rating from films where year <= $1 order by year desc, id desc limit 50) t`,
    value: (n) => 1_930 + (n % 90),
  },
  {
    name: 'embeds on two levels, 20 films',
    path: (id) =>
      `/films?select=id,title,director:people!films_director(name),roles(character,person:people(name))&id=gte.${id}&order=id&limit=20`,
    headers: {},
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
    path: (id) =>
      `/films?select=id,title,cast:people!roles(name)&id=gte.${id}&order=id&limit=20&cast.order=name,id&cast.limit=2`,
    headers: {},
    sql: `select coalesce(json_agg(t), '[]')::text as body from
      (select f.id, f.title,
        (select coalesce(json_agg(c), '[]') from
          (select p.name from roles r join people p on p.id = r.person_id
            where r.film_id = f.id order by p.name, p.id limit 2) c) as cast
      from films f where f.id >= $1 order by f.id limit 20) t`,
    value: somewhere,
  },
  {
    name: 'exact count beside 10 rows',
    path: (year) => `/films?select=id,title&year=eq.${year}&order=id&limit=10`,
    headers: { prefer: 'count=exact' },
    sql: `select coalesce(json_agg(t), '[]')::text as body, (select count(*) from films where year = $1) as count from
      (select id, title from films where year = $1 order by id limit 10) t`,
    value: (n) => 1_930 + (n % 90),
  },
  {
    name: 'inner joins on two levels, 20 films',
    path: (id) =>
      `/films?select=id,title,roles!inner(people!roles_person!inner())&id=gte.${id}&order=id&limit=20`,
    headers: {},
    sql: `select coalesce(json_agg(t), '[]')::text as body from
      (select f.id, f.title from films f where f.id >= $1 and exists
        (select from roles r where r.film_id = f.id and exists (select from people p where p.id = r.person_id))
      order by f.id limit 20) t`,
    value: somewhere,
  },
  {
    name: 'anti-join, 20 films',
    path: (id) =>
      `/films?select=id,title,roles()&roles.person_id=lt.5000&roles=is.null&id=gte.${id}&order=id&limit=20`,
    headers: {},
    sql: `select coalesce(json_agg(t), '[]')::text as body from
      (select f.id, f.title from films f where f.id >= $1 and not exists
        (select from roles r where r.film_id = f.id and r.person_id < 5000)
      order by f.id limit 20) t`,
    value: somewhere,
  },
  {
    name: 'sum of some 70,000 rows',
    path: (year) => `/films?select=director_id.sum()&year=gte.${year}`,
    headers: {},
    sql: `select json_build_array(json_build_object('sum', sum(director_id)))::text as body
      from films where year >= $1`,
    value: (n) => 1_950 + (n % 5),
  },
  {
    name: 'groups with their counts',
    path: (year) => `/films?select=year,count()&year=gte.${year}`,
    headers: {},
    sql: `select json_agg(t)::text as body from
      (select year, count(*) as count from films where year >= $1 group by year order by min(id)) t`,
    value: (n) => 2_000 + (n % 10),
  },
  {
    name: 'to-one embeds of 1,000 rows',
    path: (id) => `/films?select=id,director:people!films_director(name)&id=gte.${id}&order=id&limit=1000`,
    headers: {},
    sql: `select coalesce(json_agg(t), '[]')::text as body from
      (select f.id,
        (select json_build_object('name', d.name) from people d where d.id = f.director_id) as director
      from films f where f.id >= $1 order by f.id limit 1000) t`,
    value: somewhere,
  },
];
