/** Requests against the data API: patterns over long texts, embeds, orders, preferences and writes that `dataquery.ts` has not. */
import type { HostileCase } from '../case.js';
import { once } from '../cases/dataquery.js';
import { joined, readRows as read } from '../requests.js';

const text = (value: string): string => encodeURIComponent(value);
const write = (
  name: string,
  path: string,
  body: (at: number) => unknown,
  more: Partial<HostileCase> = {},
): HostileCase => ({
  name,
  method: 'POST',
  path: `/data/${path}`,
  scope: 'data:write',
  headers: { 'content-type': 'application/json' },
  body: (at) => JSON.stringify(body(at)),
  ...more,
});
const LONG = 940_000;
const long = (name: string, condition: string): HostileCase =>
  read(`${name} over texts of 0.9 MB`, `films?id=gte.${LONG}&id=lt.${LONG + 8}&select=id&${condition}`);

export const cases: readonly HostileCase[] = [
  once(
    write(
      'texts of 0.9 MB',
      'films',
      (at) => ({
        id: LONG + at,
        title: ['x', 'ab ', 'fox dog ', '한글 ', 'w1 w2 w3 ', '\ufdfa', 'ß', 'İ'][at]!.repeat(
          120_000 - 15_000 * (at % 3),
        ),
      }),
      { atOnce: 8 },
    ),
    LONG,
    LONG + 8,
  ),
  long('1,500 stars', `title=like.${'*x'.repeat(1_500)}y`),
  long('400 stars without case', `title=ilike.${'*a*b'.repeat(200)}y`),
  long('one letter after many', `title=like.*${'x'.repeat(9_000)}y*`),
  long('200 letters of a class', `title=imatch.${text('[xX]{200}y')}`),
  long('100 letters that may be missing', `title=match.${text('(x?){100}y')}`),
  long('words at their ends', `title=match.${text('\\y(\\w+\\s+){1,50}z')}`),
  long('a class of another script', `title=imatch.${text('(한|글|\\s)*[가-나]z')}`),
  long('full text', `title=phfts.${text('fox dog fox dog fox dog')}`),
  long('full text of distances', `title=fts.${text('fox <2> fox <2> fox <2> fox')}`),
  long('full text that begins alike', `title=fts.${text('w:* & f:* & d:*')}`),
  long('a list of texts', `title=in.(${joined(1_000, (at) => `x${at}`)})`),
  long('texts that are greater', `title=gt.${'x'.repeat(9_000)}`),
  long(
    '50 texts that are distinct',
    joined(50, (at) => `title=isdistinct.x${at}`, '&'),
  ),
  read('an order by texts of 0.9 MB', `films?id=gte.${LONG}&select=id&order=title.desc`),
  read(
    '20 patterns over texts of 0.9 MB at once',
    `films?id=gte.${LONG}&select=id&title=imatch.${text('(x|a|f)*(dog)?z')}`,
    { atOnce: 20 },
  ),
  read('an open quote', 'films?select=%22title'),
  read('an open list', 'films?title=in.("a,b'),
  read('an open tree', 'films?or=(title.eq.%22a,id.eq.1'),
  read('a tree of quotes', `films?or=(${joined(400, () => 'title.eq.%22a,)(%5C%22b%22')})`),
  read('500 negations of trees', `films?not.and=(${'not.or('.repeat(400)}id.eq.1${')'.repeat(400)})`),
  read('2,000 values of any', `films?id=eq(any).{${joined(2_000, String)}}`),
  read('no value of all', 'films?title=like(all).{}'),
  read('ranges of what has none', 'films?id=sl.[1,2)&id=adj.(1,2]&id=nxr.x'),
  read('a test of what is nothing', 'films?year=is.unknown&tags=is.true'),
  read('a step over all numbers', 'films?select=tags->99999999999999999999&tags->-2147483648=eq.a'),
  read('an order of all words', 'films?order=title.desc.asc.nullslast.nullsfirst'),
  read('500 levels of an order', `films?order=${'directors('.repeat(500)}name${')'.repeat(500)}`),
  read('a spread of all', 'films?select=...*'),
  read('a spread of many', 'films?select=id,...roles(*)&limit=1000'),
  read('40 spreads', `films?select=id,${joined(40, (at) => `...directors(n${at}:name)`)}`),
  read('the films of the films of the actors', 'actors?select=id,films(id,actors(id,films(id)))'),
  read('rows by how many they embed', 'films?select=id,roles()&roles=count.gte.1&order=title'),
  read(
    'rows by what they do not embed',
    'films?select=id,roles(),nominations()&roles=is.null&nominations=is.null',
  ),
  read('20 of them at once', 'films?select=id,roles()&roles=is.null&limit=10&order=title.desc', {
    atOnce: 20,
    headers: { prefer: 'count=exact' },
  }),
  read('20 estimates at once', 'films?select=id&title=like.*x*', {
    atOnce: 20,
    headers: { prefer: 'count=estimated' },
  }),
  read('a plan of what is dear', 'films?select=id,roles(films(id))&order=title&title=like.*o*', {
    headers: { accept: 'application/vnd.pgrst.plan+json; options=analyze|verbose|settings|buffers|wal' },
  }),
  read('a plan for 2,000 types', 'films', {
    headers: { accept: `application/vnd.pgrst.plan+text; for="${'a/b;'.repeat(2_000)}"` },
  }),
  read('a time zone of a path', 'films?limit=1', {
    headers: { prefer: 'timezone=../../../etc/passwd, timezone=Asia/Seoul' },
  }),
  read('400 preferences', 'films?limit=1', {
    headers: { prefer: `handling=strict, ${joined(400, (at) => `p${at}=x`)}` },
  }),
  read('a range that ends before it begins', 'films', { headers: { 'range-unit': 'items', range: '5-1' } }),
  read('a range below zero', 'films', { headers: { 'range-unit': 'items', range: '-5--1' } }),
  read('arguments that are lists', `rpc/films_between?from=${text('{1,{2}}')}&to={}`),
  write('a function called with a list', 'rpc/films_between', () => Array.from({ length: 20_000 }, () => 1)),
  write('a function called with what it does not have', 'rpc/films_between', () =>
    Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`a${at}`, at])),
  ),
  write('an update of no row', 'films?id=eq.-1', () => ({ language: 'xx' }), { method: 'PATCH' }),
  write('an update without a condition', 'films', () => ({ language: 'xx' }), { method: 'PATCH' }),
  write('an update of at most 1e309 rows', 'films?id=eq.1', () => ({ language: 'xx' }), {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', prefer: 'handling=strict, max-affected=1e309' },
  }),
  write('an update in an order', 'films?order=title&limit=99999&offset=1', () => ({ language: 'xx' }), {
    method: 'PATCH',
  }),
  { name: 'a deletion without a condition', method: 'DELETE', path: '/data/films', scope: 'data:write' },
  {
    name: 'a deletion of what others refer to',
    method: 'DELETE',
    path: '/data/films?id=lt.1000',
    scope: 'data:write',
    headers: { prefer: 'tx=rollback, return=representation' },
  },
  write('a row put in the place of another', 'films?id=eq.1', () => ({ id: 2, title: 'x' }), {
    method: 'PUT',
  }),
  write(
    'one row put twice',
    'films?id=eq.999999',
    () => [
      { id: 999_999, title: 'x' },
      { id: 999_999, title: 'y' },
    ],
    { method: 'PUT' },
  ),
  write('a row that follows itself', 'films', () => ({ id: 939_000, title: 'x', follows_id: 939_000 }), {
    headers: { 'content-type': 'application/json', prefer: 'resolution=merge-duplicates' },
  }),
  once(
    write('2,000 rows that follow each other', 'films', () =>
      Array.from({ length: 2_000 }, (_, at) => ({
        id: 936_000 + at,
        title: 'x',
        follows_id: 936_000 + ((at + 1) % 2_000),
      })),
    ),
    936_000,
  ),
  read(
    'what follows them',
    `films?id=gte.936000&id=lt.938000&select=id,${'films(id,'.repeat(6)}id${')'.repeat(6)}`,
  ),
  write(
    '20 upserts of the same 500 rows at once',
    'films',
    (at) => Array.from({ length: 500 }, (_, row) => ({ id: 938_000 + row, title: `x${at}` })),
    { atOnce: 20, headers: { 'content-type': 'application/json', prefer: 'resolution=merge-duplicates' } },
  ),
  write(
    '20 updates of the same 500 rows at once',
    'films?id=gte.938000&id=lt.938500',
    (at) => ({ language: `l${at}` }),
    { atOnce: 20, method: 'PATCH' },
  ),
  write('columns of quotes', `films?columns=${text('"'.repeat(3_000))}`, () => [{ title: 'x' }]),
  write('a conflict of what is no key', 'films?on_conflict=title,year', () => ({ title: 'x' }), {
    headers: { 'content-type': 'application/json', prefer: 'resolution=ignore-duplicates' },
  }),
  write('a row of all types at their ends', 'films', () => ({
    id: 2_147_483_648,
    title: 'x',
    year: 32_768,
    added_at: '5874898-01-01',
  })),
  write('a row of NUL', 'films', () => ({ title: '\u0000', language: '\ud800' })),
  ...[
    '\ufefftitle\nx\n',
    'title\n\u0000\n',
    'title,title\na,b\n',
    ',,\n,,\n',
    '"title"x\na\n',
    `title\n${'a\r'.repeat(2_100)}`,
  ].map((csv, at): HostileCase => ({
    name: `a CSV of kind ${at}`,
    method: 'POST',
    path: '/data/films',
    scope: 'data:write',
    headers: { 'content-type': 'text/csv', prefer: 'tx=rollback' },
    body: () => csv,
  })),
];
