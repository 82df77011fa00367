/** Requests against the data API. */
import { hostileBodies, type HostileCase } from '../case.js';

const read = (name: string, query: string): HostileCase => ({
  name,
  path: `/data/${query}`,
  scope: 'data:read',
});
const text = (value: string): string => encodeURIComponent(value);

export const cases: readonly HostileCase[] = [
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
];
