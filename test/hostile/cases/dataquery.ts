/** Requests against the data API. */
import { hostileBodies, type HostileCase } from '../case.js';
import { readRows as read } from '../requests.js';

const text = (value: string): string => encodeURIComponent(value);

const JSON_TYPE = { 'content-type': 'application/json' };
const write = (name: string, body: () => string, type = 'application/json'): HostileCase => ({
  name,
  method: 'POST',
  path: '/data/films',
  scope: 'data:write',
  headers: { 'content-type': type },
  body,
});
const film = (member: string, value: () => string): HostileCase =>
  once(write(`${member}: ${MB}`, () => JSON.stringify({ id: 920_001, title: 'x', [member]: value() })));
const upsert = (name: string, body: () => string): HostileCase => ({
  ...write(name, body),
  headers: { ...JSON_TYPE, prefer: 'resolution=merge-duplicates' },
});
const csv = (rows: number, from = 0): string =>
  `id,title,year\n${Array.from({ length: rows }, (_, at) => `${from + at},${SENTENCE} ${at},${1900 + (at % 200)}\n`).join('')}`;
const json = (rows: number, from = 0): string =>
  JSON.stringify(Array.from({ length: rows }, (_, at) => ({ id: from + at, title: `${SENTENCE} ${at}` })));
/** Of rows that are written by their ids: without those of the last time, as it would be refused, or find less to do. */
export const once = (each: HostileCase, from = 920_000, to = from + 2_000): HostileCase => ({
  ...each,
  before: [
    { name: '', method: 'DELETE', path: `/data/films?id=gte.${from}&id=lt.${to}`, scope: 'data:write' },
    ...(each.before ?? []),
  ],
});
const SENTENCE = 'the quick brown fox jumps over the lazy dog';
const keyed = (title: string): string =>
  JSON.stringify(Array.from({ length: 2_000 }, (_, at) => ({ id: 910_000 + at, title })));
const KEYED = upsert('rows by their keys', () => keyed(SENTENCE));
const MB = '0.9 MB that are no value';

/** 4,000 rows, by their ids. */
export const rowsFrom = (id: number): HostileCase[] => [
  once(
    write('as many rows as a body may have, CSV', () => csv(2_000, id), 'text/csv'),
    id,
  ),
  once(
    write('as many rows as a body may have, JSON', () => json(2_000, id + 2_000)),
    id + 2_000,
  ),
];

export const cases: readonly HostileCase[] = [
  // The rows that the reads below go over; `more/` adds to them, and sends the reads again.
  ...rowsFrom(1_000_000),
  ...rowsFrom(1_004_000),
  write('9,900 rows of one body', () => csv(9_900), 'text/csv'),
  write('9,900 rows of JSON', () => json(9_900)),
  write('2,000 rows, of which the last is twice there', () =>
    JSON.stringify(
      Array.from({ length: 2_000 }, (_, at) => ({ id: 900_000 + (at % 1_999), title: SENTENCE })),
    ),
  ),
  once(
    upsert('2,000 rows by their keys', () => keyed(SENTENCE)),
    910_000,
  ),
  { ...upsert('2,000 rows that are there', () => keyed(`${SENTENCE}s`)), before: [KEYED] },
  once(write('a row of 0.9 MB', () => JSON.stringify({ id: 920_000, title: 'x'.repeat(900_000) }))),
  write('10,000 different names in 1,000 rows', () =>
    JSON.stringify(
      Array.from({ length: 1_000 }, (_, at) =>
        Object.fromEntries(Array.from({ length: 12 }, (_, key) => [`k${at}_${key}`, 1])),
      ),
    ),
  ),
  write('45,000 numbers beyond a double', () => `[{"title":[${'12345678901234567890,'.repeat(42_000)}1]}]`),
  write('490,000 numbers, one beyond a double', () => `[{"title":[1e400,${'1,'.repeat(490_000)}1]}]`),
  {
    name: 'an update of 2,000 rows',
    method: 'PATCH',
    path: '/data/films?id=gte.910000&id=lt.912000',
    scope: 'data:write',
    headers: JSON_TYPE,
    body: () => '{"language":"yy"}',
    before: [KEYED],
  },
  {
    name: 'a deletion of 2,000 rows',
    method: 'DELETE',
    path: '/data/films?id=gte.910000&id=lt.912000',
    scope: 'data:write',
    before: [KEYED],
  },
  film('id', () => `${'0'.repeat(900_000)}x`),
  film('year', () => `${'1'.repeat(900_000)}.${'0'.repeat(10)}x`),
  film('added_at', () => `2020-01-01${' '.repeat(900_000)}x`),
  film('tags', () => `{${'{'.repeat(900_000)}`),
  film('title', () => ' '.repeat(900_000)),
  write('2,000 rows of 20 keys that are no columns', () =>
    JSON.stringify(
      Array.from({ length: 2_000 }, () =>
        Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${at}`, at])),
      ),
    ),
  ),
  write('a row with 49,000 keys', () =>
    JSON.stringify(Object.fromEntries(Array.from({ length: 49_000 }, (_, at) => [`k${at}`, at]))),
  ),
  write('rows within rows', () => `${'{"title":"x","roles":[{"films":'.repeat(100)}{}${'}]}'.repeat(100)}`),
  {
    name: 'an update of 20,000 rows',
    method: 'PATCH',
    path: '/data/films?year=gte.0',
    scope: 'data:write',
    headers: JSON_TYPE,
    body: () => '{"language":"xx"}',
  },
  ...hostileBodies('POST', '/data/films', 'data:write'),
  read('repetition of repetition', `films?title=match.${text('(((((){255}){255}){255}){255}){255}')}`),
  read('alternation under stars', `films?title=match.${text('(a|a)*(a|a)*(a|a)*b'.repeat(20))}`),
  read('nested stars', `films?title=match.${text('((((a*)*)*)*)*$')}`),
  read(
    '40 patterns',
    `films?${Array.from({ length: 40 }, () => `title=imatch.${text('(.*)(.*)(.*)x')}`).join('&')}`,
  ),
  read('12,000 zeros as a number', `films?id=eq.${'0'.repeat(12_000)}x`),
  read('12,000 digits as a number', `films?id=eq.${'1'.repeat(12_000)}`),
  read('a number of exponents', 'films?id=eq.1e999999999'),
  read(
    'eight levels of embeds',
    `competitions?select=${'id,nominations(id,competitions('.repeat(8)}id${'))'.repeat(8)}`,
  ),
  read('500 levels of embeds', `films?select=${'a('.repeat(500)}b${')'.repeat(500)}`),
  read('2,000 columns', `films?select=${Array.from({ length: 2_000 }, () => 'title').join(',')}`),
  read('1,000 orders', `films?order=${Array.from({ length: 1_000 }, () => 'title.desc').join(',')}`),
  read('a logic tree of 500 levels', `films?or=${'(and('.repeat(500)}id.eq.1${'))'.repeat(500)}`),
  read('a list of 2,000', `films?id=in.(${Array.from({ length: 2_000 }, (_, at) => at).join(',')})`),
  read(
    'full text of 1,000 words',
    `films?title=phfts.${Array.from({ length: 1_000 }, (_, at) => `w${at}`).join('%20')}`,
  ),
  read('full text of operators', `films?title=fts.${text('!('.repeat(500))}`),
  read('a limit beyond all numbers', 'films?limit=99999999999999999999&offset=99999999999999999999'),
  read('a range beyond all numbers', 'films?limit=1e3'),
  read('commas', `films?select=${','.repeat(10_000)}`),
  read('quotes', `films?title=eq.${'%22'.repeat(4_000)}`),
  read('names of prototypes', 'films?__proto__=eq.1&constructor=eq.2'),
  { ...read('a preference of 10,000', 'films'), headers: { prefer: 'count=exact,'.repeat(700) } },
  { ...read('an accept of 10,000', 'films'), headers: { accept: 'text/csv;q=0.1,'.repeat(700) } },
  { ...read('a range header', 'films'), headers: { range: '99999999999999999999-99999999999999999999' } },
  {
    name: 'a CSV of 100,000 rows',
    method: 'POST',
    path: '/data/films',
    scope: 'data:write',
    headers: { 'content-type': 'text/csv' },
    body: () => `title\n${'a\n'.repeat(100_000)}`,
  },
  {
    name: 'a CSV of quotes',
    method: 'POST',
    path: '/data/films',
    scope: 'data:write',
    headers: { 'content-type': 'text/csv' },
    body: () => `title\n${'"'.repeat(500_000)}`,
  },
  read('an empty group under repetition', `films?title=match.${text('((((){999}){999}){999}){999}')}`),
  read('repetition of classes', `films?title=match.${text('([a-z]{1,255}){1,255}$')}`),
  read('backward references', `films?title=match.${text('(.*)(.*)(.*)(.*)\\1\\2\\3\\4x')}`),
  read('5,000 brackets', `films?title=match.${text('['.repeat(2_000))}`),
  read('a pattern of 3,000 stars', `films?title=like.${'*a'.repeat(3_000)}`),
  read('40 texts of stars', `films?${Array.from({ length: 40 }, () => 'title=ilike.*a*b*c*d*x').join('&')}`),
  read('40 full texts', `films?${Array.from({ length: 40 }, () => 'title=fts.fox').join('&')}`),
  read('full text over all rows', `films?select=id&title=plfts.${text('quick cat')}`),
  read('full text of 300 words over all rows', `films?select=id&title=phfts.${text('fox dog '.repeat(150))}`),
  read('full text of negations', `films?select=id&title=fts.${text(`${'!'.repeat(1_000)}fox`)}`),
  read('full text of syllables', `films?title=wfts.${text('가나 '.repeat(500))}`),
  read('a decimal of 12,000 digits', `films?id=eq.${'1'.repeat(6_000)}.${'1'.repeat(6_000)}x`),
  read('a time of 12,000 blanks', `films?added_at=eq.2020-01-01${'%20'.repeat(4_000)}x`),
  read('an array of 6,000 braces', `films?tags=cs.${text('{'.repeat(4_000))}`),
  read(
    '12 levels of embeds',
    `competitions?select=${'id,nominations(id,competitions('.repeat(6)}id${'))'.repeat(6)}`,
  ),
  read(
    '50 embeds of one level',
    `films?select=id,${Array.from({ length: 49 }, (_, at) => `e${at}:roles(*)`).join(',')}`,
  ),
  read('a page far down', 'films?select=id&order=title&offset=19000&limit=100'),
  read('an exact count of a join', 'films?select=id,roles!inner(id)&limit=1'),
  read('a sort by what no index has', 'films?select=id&order=language.desc.nullslast,added_at,title.desc'),
  read('a sum over all rows', 'films?select=year.sum(),year.avg(),title.max(),id.count()'),
  { ...read('all rows as CSV', 'films'), headers: { accept: 'text/csv', prefer: 'count=exact' } },
  {
    name: 'a deletion of 20,000 rows',
    method: 'DELETE',
    path: '/data/films?title=like.the*',
    scope: 'data:write',
  },
];
