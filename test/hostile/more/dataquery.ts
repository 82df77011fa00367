/** Requests against the data API: products of terms and rows, literals of every type, bodies of every media type. */
import type { HostileCase } from '../case.js';
import { cases as few, once, rowsFrom } from '../cases/dataquery.js';
import { joined, readRows as read } from '../requests.js';

const text = (value: string): string => encodeURIComponent(value);
const write = (
  name: string,
  path: string,
  body: (at: number) => string,
  type = 'application/json',
): HostileCase => ({
  name,
  method: 'POST',
  path: `/data/${path}`,
  scope: 'data:write',
  headers: { 'content-type': type },
  body,
});
const upsert = (name: string, path: string, body: () => string): HostileCase => ({
  ...write(name, path, body),
  headers: { 'content-type': 'application/json', prefer: 'resolution=merge-duplicates' },
});
const film = (name: string, members: () => object): HostileCase =>
  once(
    write(name, 'films', () => JSON.stringify({ id: 922_000, title: 'x', ...members() })),
    922_000,
  );
const budget = (value: string): HostileCase[] => [
  upsert(`a number of ${value.slice(0, 12)}`, 'technical_specs', () => `{"film_id":1,"budget":"${value}"}`),
  read(`the sum with ${value.slice(0, 12)}`, 'technical_specs?select=budget.sum(),budget.avg(),budget.max()'),
];

/** Ten bodies of eight rows, deleted likewise: all at once would be more than one request may delete. */
const LONG_ARRAYS = Array.from({ length: 10 }, (_, part) => 924_000 + part * 8).reduce<HostileCase>(
  (each, from) => once(each, from, from + 8),
  {
    ...write('80 rows with arrays of 50,000', 'films', (part) =>
      JSON.stringify(
        Array.from({ length: 8 }, (_, at) => ({
          id: 924_000 + part * 8 + at,
          title: 'x',
          tags: `{${'a,'.repeat(49_999)}a}`,
        })),
      ),
    ),
    atOnce: 10,
  },
);

const READS: Readonly<Record<string, string>> = {
  '2,000 casts of one column': `select=title${'::text'.repeat(2_000)}`,
  '3,000 steps into a document': `select=title${'->a'.repeat(3_000)}`,
  '3,000 steps into an array': `select=tags${'->0'.repeat(3_000)}`,
  '1,200 names of one column': `select=${joined(1_200, (at) => `a${at}:title`)}`,
  'a list of 1,500 texts': `title=in.(${joined(1_500, (at) => `x${at}`)})`,
  'a list of quotes': `title=in.(${text('"a\\"b",').repeat(700)})`,
  '400 alternatives of a text': `title=like(any).{${joined(400, (at) => `*x${at}*`)}}`,
  '45 texts of stars': `title=ilike(all).{${joined(45, (at) => `*q*u*i*c*${at}*`)}}`,
  '3,000 negations': `title=${'not.'.repeat(3_000)}eq.a`,
  '480 alternatives of a filter': `or=(${joined(480, (at) => `title.like.*${at}a*b`)})`,
  'an array of 1,500 that overlaps': `tags=ov.{${joined(1_500, String)}}`,
  'an array of 1,500 that contains': `tags=cd.{${joined(1_500, String)}}`,
  'an array of other depth': `tags=eq.${text('{{{{{a}}}}}')}`,
  'an empty array of other depth': `tags=lt.${text('{{{{{}}}}}')}`,
  'a pattern of 800 words': `title=match.${text(joined(800, (at) => `w${at}`, '|'))}`,
  'a pattern of 1,500 letters in a class': `title=match.${text(`[${joined(1_500, (at) => String.fromCodePoint(0x4e00 + 2 * at), '')}]+x`)}`,
  'a pattern of a thousand options': `title=match.${text('(a?){1000}a{1000}')}`,
  'a pattern of 2,000 flags': `title=match.${text('(?i)'.repeat(2_000))}`,
  '300 orders by related rows': `select=id,directors(name)&order=${joined(300, () => 'directors(name).desc')}`,
  '90 orders by steps into an array': `select=id&order=${joined(90, (at) => `tags->${at}`)}`,
  'eight inner embeds': `select=id,${joined(8, (at) => `r${at}:roles!inner(id)`)}`,
  '300 columns of a spread': `select=id,...directors(${joined(300, (at) => `n${at}:name`)})`,
  '11 levels of the films that continue it': `select=id,${'sequels(id,'.repeat(11)}id${')'.repeat(11)}`,
  '400 filters of an embed': `select=id,roles(*)&${joined(400, (at) => `roles.billing=gt.${at}`, '&')}`,
  '900 columns that do not exist': joined(900, (at) => `xx${at}=eq.1`, '&'),
  'one column of 9,000 letters': `${'x'.repeat(9_000)}=eq.1`,
  '40 embeds that do not exist': `select=${'directorz(id),'.repeat(40)}id`,
  '700 words of full text': `select=id&title=fts.${text(joined(700, (at) => `w${at}`, '|'))}`,
  '900 brackets of full text': `select=id&title=fts.${text(`${'('.repeat(900)}a${')'.repeat(900)}`)}`,
  'a distance of full text': `select=id&title=fts.${text('a <99999999999> b')}`,
  'a word of 12,000 letters': `select=id&title=plfts(english).${'ational'.repeat(1_700)}`,
  'letters that grow when they are normalised': `select=id&title=plfts.${text('\ufdfa'.repeat(1_200))}`,
  'groups of all rows': 'select=title,year.sum(),id.max(),id.min(),year.avg()',
  '300 sums': `select=${joined(300, (at) => `s${at}:year.sum()`)}`,
  'a year of 9,000 digits': `added_at=gt.${'9'.repeat(9_000)}-01-01`,
  'a zone of 900 digits': `added_at=gt.2020-01-01T00:00:00%2B${'9'.repeat(900)}`,
  'the first year of all': 'added_at=gt.4714-01-01%20BC',
  'the year after the last': 'added_at=gt.294277-01-01',
};

const DEAR: Readonly<Record<string, string>> = {
  'full texts': 'select=id&title=plfts.quick%20cat',
  patterns: `select=id&title=match.${text('([a-z]{1,50}){1,20}$')}`,
  sorts: 'select=id&order=language.desc.nullslast,added_at,title.desc&limit=10',
  embeds: `select=id,${joined(20, (at) => `e${at}:roles(*)`)}`,
};

export const cases: readonly HostileCase[] = [
  ...rowsFrom(1_008_000),
  ...rowsFrom(1_012_000),
  ...rowsFrom(1_016_000),
  ...few
    .filter(({ method }) => method === undefined)
    .map((each) => ({ ...each, name: `${each.name}, over 20,000 rows` })),
  ...Object.entries(READS).map(([name, query]) => read(name, `films?${query}`)),
  ...Object.entries(DEAR).map(([name, query]) =>
    read(`20 ${name} at once`, `films?${query}`, { atOnce: 20 }),
  ),
  read('a time zone of slashes', 'films?limit=1', { headers: { prefer: `timezone=${'A/'.repeat(4_000)}` } }),
  read('a preference of quotes', 'films?limit=1', { headers: { prefer: `a="${'\\"'.repeat(5_000)}` } }),
  read('a profile that is not ASCII', 'films', { headers: { 'accept-profile': '\u00ff'.repeat(5_000) } }),
  read('2,000 parameters of a type', 'films', {
    headers: { accept: `application/json;${'a="b";'.repeat(2_000)}` },
  }),
  read('a range of 9,000 digits', 'films', {
    headers: { 'range-unit': 'items', range: `0-${'9'.repeat(9_000)}` },
  }),
  read('1,000 arguments', `rpc/films_between?${joined(1_000, (at) => `a${at}=1`, '&')}`),
  read('a function of 900 letters', `rpc/${'x'.repeat(900)}`),
  ...['1e131071', '-1e131071', '1e-16383', '9'.repeat(120_000), 'NaN', 'Infinity', '1e9999999'].flatMap(
    budget,
  ),
  write(
    '1,500 columns that do not exist',
    `films?columns=${joined(1_500, (at) => `c${at}`)}`,
    () => '[{"title":"x"}]',
  ),
  write('2,000 rows by 2,000 times one column', `films?columns=${'title,'.repeat(2_000)}title`, () =>
    JSON.stringify(Array.from({ length: 2_000 }, () => ({ title: 'x' }))),
  ),
  upsert(
    '3,000 times one column to meet',
    `films?on_conflict=${'id,'.repeat(3_000)}id`,
    () => '[{"id":1,"title":"x"}]',
  ),
  film('an array of 50,000', () => ({ tags: Array.from({ length: 50_000 }, () => 'a') })),
  film('an array of 200,000', () => ({ tags: Array.from({ length: 200_000 }, () => 'a') })),
  film('an array of 440,000 as a literal', () => ({ tags: `{${'a,'.repeat(440_000)}a}` })),
  film('220,000 arrays as a literal', () => ({ tags: `{${'{a},'.repeat(220_000)}{a}}` })),
  LONG_ARRAYS,
  read('an order by a step into long arrays', 'films?select=id&order=tags->0,tags->1&limit=10'),
  read('an order by long arrays', 'films?select=id&order=tags.desc&limit=10'),
  read('a filter by a step into long arrays', 'films?select=id&tags->0=eq.a&limit=10'),
  read('long arrays that contain', 'films?select=id&tags=cs.{a,b}&limit=10'),
  read('rows with long arrays', 'films?select=id&tags=ov.{t1,t2}'),
  read('far into long arrays', 'films?select=tags->49999&limit=100&order=id.desc'),
  write('a number of 800,000 zeros as text', 'films', () => `{"title":1${'0'.repeat(800_000)}}`),
  write('a number of 400,000 digits', 'films', () => `{"title":"x","id":${'9'.repeat(400_000)}}`),
  write('2,000 times of a zone', 'films', () =>
    JSON.stringify(
      Array.from({ length: 2_000 }, () => ({ title: 'x', added_at: '2020-01-01 00:00 America/New_York' })),
    ),
  ),
  write('1,960 rows inside of 40', 'directors', () =>
    JSON.stringify(
      Array.from({ length: 40 }, (_, at) => ({
        name: `director ${at} ${Math.random()}`,
        films: Array.from({ length: 48 }, () => ({ title: 'x' })),
      })),
    ),
  ),
  write(
    '60 levels of rows',
    'films',
    () => `${'{"title":"x","directors":{"name":"a","films":['.repeat(60)}{"title":"y"}${']}}'.repeat(60)}`,
  ),
  write('2,000 rows that refer to nothing', 'roles', () =>
    JSON.stringify(
      Array.from({ length: 2_000 }, (_, at) => ({ film_id: -at, actor_id: at, character: 'x' })),
    ),
  ),
  ...Array.from({ length: 12 }, (_, at) =>
    write(`a row of 0.9 MB, ${at}`, 'films', () =>
      JSON.stringify({ id: 930_000 + at, title: 'x'.repeat(900_000) }),
    ),
  ),
  read('a page of rows of 0.9 MB', 'films?id=gte.930000&limit=100&order=id'),
  read('a search in rows of 0.9 MB', 'films?id=gte.930000&title=match.y%24&select=id'),
  {
    name: 'an update of rows of 0.9 MB',
    method: 'PATCH',
    path: '/data/films?id=gte.930000',
    scope: 'data:write',
    headers: { 'content-type': 'application/json' },
    body: () => '{"language":"zz"}',
  },
  write('a CSV of 900,000 commas', 'films', () => ','.repeat(900_000), 'text/csv'),
  write(
    'a CSV of 80,000 columns',
    'films',
    () => `${joined(80_000, (at) => `c${at}`)}\n${'1,'.repeat(79_999)}1`,
    'text/csv',
  ),
  write('a CSV of an open quote', 'films', () => `title\n"${'a\n'.repeat(440_000)}`, 'text/csv'),
  write('a CSV of carriage returns', 'films', () => `title\n${'\r'.repeat(900_000)}`, 'text/csv'),
  write('a CSV of doubled quotes', 'films', () => `title\n"${'""'.repeat(440_000)}"`, 'text/csv'),
  write(
    'a form of blanks',
    'films',
    () => `title=${'+'.repeat(900_000)}`,
    'application/x-www-form-urlencoded',
  ),
  write(
    'a form of percent signs',
    'films',
    () => `title=${'%41'.repeat(300_000)}`,
    'application/x-www-form-urlencoded',
  ),
  write('a page of enumerations that are none', 'films', () => `[{"language":"${'x'.repeat(900_000)}"}]`),
  write('texts of objects', 'films', () => `[{"title":[${'{"a":1},'.repeat(20_000)}1]}]`),
  write(
    'a form of 110,000 fields',
    'films',
    () => 'title=x&'.repeat(110_000),
    'application/x-www-form-urlencoded',
  ),
];
