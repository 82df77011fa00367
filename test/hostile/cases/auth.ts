/** Requests against logins, keys, users and applications. */
import { hostileBodies, hostileValues, type HostileCase } from '../case.js';

const basic = (text: string): { headers: Record<string, string> } => ({
  headers: { authorization: `Basic ${Buffer.from(text).toString('base64')}` },
});
const bearer = (text: string): { headers: Record<string, string> } => ({
  headers: { authorization: `Bearer ${text}` },
});
const login = { method: 'POST', path: '/api/auth/login' } as const;
const keys = { method: 'POST', path: '/api/keys', scope: 'manage' } as const;
const users = { method: 'POST', path: '/api/users', scope: 'manage' } as const;
const key = (name: string, body: object): HostileCase => ({
  name,
  ...keys,
  headers: { 'content-type': 'application/json' },
  body: () => JSON.stringify({ name: 'a', ...body }),
});

export const cases: readonly HostileCase[] = [
  ...hostileBodies(login.method, login.path),
  ...hostileBodies('POST', '/api/auth/logout'),
  ...hostileBodies(keys.method, keys.path, 'manage'),
  ...hostileValues(login, {}, 'password'),
  ...hostileValues(users, { login: 'a' }, 'email'),
  ...hostileValues(users, {}, 'login'),
  ...hostileValues(keys, { name: 'a' }, 'expiresAt'),
  key('a leap second', { expiresAt: '2030-12-31T23:59:60Z' }),
  key('the last year', { expiresAt: '9999-12-31T23:59:59Z' }),
  key('the year 0', { expiresAt: '0000-01-01T00:00:00Z' }),
  key('a zone of 24 hours', { expiresAt: '2030-01-01T00:00:00+24:00' }),
  key('the 30th of February', { expiresAt: '2030-02-30T00:00:00Z' }),
  key('100 scopes of 100 characters', { scopes: Array.from({ length: 100 }, () => 'x'.repeat(100)) }),
  { name: 'a password of 5,000 in Basic', path: '/api/keys', ...basic(`admin:${'x'.repeat(5_000)}`) },
  { name: 'no colon in Basic', path: '/api/keys', ...basic('x'.repeat(5_000)) },
  { name: 'bytes in Basic', path: '/api/keys', headers: { authorization: `Basic ${'/'.repeat(8_000)}` } },
  { name: 'padding in Basic', path: '/api/keys', headers: { authorization: `Basic a${'='.repeat(8_000)}` } },
  { name: 'a key of 10,000', path: '/api/keys', ...bearer(`pb_${'x'.repeat(10_000)}`) },
  { name: 'a token of dots', path: '/v1/models', ...bearer('.'.repeat(10_000)) },
  { name: 'an empty key', path: '/api/keys', ...bearer('') },
  { name: 'spaces for a key', path: '/api/keys', headers: { authorization: `Bearer${' '.repeat(8_000)}x` } },
  {
    name: 'an id of 1,000 syllables',
    path: `/api/keys/${encodeURIComponent('한'.repeat(300))}`,
    scope: 'manage',
  },
  { name: 'an id of NUL', path: '/api/apps/%00', scope: 'manage' },
  { name: 'a user beyond all numbers', path: '/api/users/99999999999999999999999', scope: 'manage' },
  {
    name: 'a search of signs',
    path: '/api/users?search=(a%2B)%2B%5C%5C%24&limit=200',
    scope: 'manage',
  },
  { name: 'a page of exponents', path: '/api/users?limit=1e308', scope: 'manage' },
];
