/** Requests against authorizations, by a user and by an application. */
import { bodiesAt, hostileValues, type HostileCase } from '../case.js';

const create = { method: 'POST', path: '/authorizations', as: 'user' } as const;
const client = { method: 'PUT', path: '/authorizations/clients/{app}', as: 'user' } as const;
const check = { method: 'POST', path: '/applications/{app}/token', as: 'app' } as const;
const list = (name: string, query: string): HostileCase => ({
  name,
  path: `/authorizations?${query}`,
  as: 'user',
});
const post = (name: string, body: () => string, type = 'application/json'): HostileCase => ({
  ...create,
  name,
  headers: { 'content-type': type },
  body,
});
const token = (name: string, path: string): HostileCase => ({
  name,
  path: `/applications/{app}/tokens/${path}`,
  as: 'app',
});

export const cases: readonly HostileCase[] = [
  ...bodiesAt(create),
  ...bodiesAt(check),
  ...hostileValues(create, {}, 'note'),
  ...hostileValues(create, { note: 'a' }, 'note_url'),
  ...hostileValues(create, { note: 'b' }, 'scopes'),
  ...hostileValues(client, { client_secret: 'a' }, 'fingerprint'),
  ...hostileValues(client, {}, 'client_secret'),
  ...hostileValues(check, {}, 'access_token'),
  post('500 scopes of 1,900 characters', () =>
    JSON.stringify({
      note: 'c',
      scopes: Array.from({ length: 500 }, (_, at) => `${at}${'x'.repeat(1_900)}`),
    }),
  ),
  post('500 times one scope', () =>
    JSON.stringify({ note: 'd', scopes: Array.from({ length: 500 }, () => 'repo') }),
  ),
  post('a link of 1,900 at signs', () =>
    JSON.stringify({ note: 'e', note_url: `http://a${'@'.repeat(1_900)}` }),
  ),
  post('JSON in a form', () => `[${'{},'.repeat(300_000)}{}]`, 'application/x-www-form-urlencoded'),
  post('a form of 300,000 fields', () => 'note=1&'.repeat(140_000), 'application/x-www-form-urlencoded'),
  list('a page beyond all numbers', 'page=9007199254740993&per_page=100'),
  list('a page of exponents', 'page=1e308&per_page=1e308'),
  list('a page of 6,000 digits', `page=${'9'.repeat(6_000)}`),
  list('a page below zero', 'page=-1&per_page=-1'),
  list('many pages', 'page=2&'.repeat(900)),
  list('a page that is a list of lists', 'page[0][0]=1&per_page[]=2'),
  { name: 'an id of 10,000 digits', path: `/authorizations/${'9'.repeat(10_000)}`, as: 'user' },
  { name: 'an id beyond all numbers', path: '/authorizations/9007199254740993', as: 'user' },
  { name: 'an id of NUL', path: '/authorizations/%00', as: 'user' },
  {
    name: 'a code of 10,000 digits',
    path: '/authorizations',
    as: 'user',
    headers: { 'x-github-otp': '1'.repeat(10_000) },
  },
  {
    name: 'a login of 8,000 colons',
    path: '/authorizations',
    headers: { authorization: `Basic ${Buffer.from(':'.repeat(8_000)).toString('base64')}` },
  },
  token('a token of 10,000', 'f'.repeat(10_000)),
  token('a token of NUL', '%00'.repeat(40)),
  token('a token that is a path', '..%2f..%2f'),
  token('a token that is not UTF-8', '%ff%fe'),
  {
    name: 'an application of syllables',
    path: `/applications/${encodeURIComponent('한'.repeat(200))}/tokens/a`,
    as: 'app',
  },
];
