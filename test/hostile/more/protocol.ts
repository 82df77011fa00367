/** Requests of the HTTP layer that `http.ts` has not: encodings, connections, many requests of one client. */
import { brotliCompressSync, deflateSync } from 'node:zlib';
import type { HostileCase } from '../case.js';
import { joined } from '../requests.js';

const HOST = 'Host: 127.0.0.1';
const LOGIN = 'POST /api/auth/login HTTP/1.1';
const JSON_LINE = 'content-type: application/json';
const raw = (name: string, ...lines: string[]): HostileCase => ({ name, path: '', raw: lines.join('\r\n') });
const get = (
  name: string,
  path: string,
  headers: Record<string, string> = {},
  more: Partial<HostileCase> = {},
): HostileCase => ({ name, path, headers, ...more });
const login = (
  name: string,
  headers: Record<string, string>,
  body: () => string | Uint8Array,
): HostileCase => ({
  name,
  method: 'POST',
  path: '/api/auth/login',
  headers,
  body,
});

export const cases: readonly HostileCase[] = [
  login('a body in UTF-16', { 'content-type': 'application/json; charset=utf-16le' }, () =>
    Buffer.from('{"password":"x"}'.repeat(20_000), 'utf16le'),
  ),
  login(
    'a character set of quotes',
    { 'content-type': `application/json; charset="${'\\"'.repeat(5_000)}` },
    () => '{}',
  ),
  login('a byte order mark', { 'content-type': 'application/json' }, () => '\ufeff{"password":"x"}'),
  login('two types', { 'content-type': 'application/json, text/plain' }, () => '{}'),
  login(
    'an encoding that is none',
    { 'content-type': 'application/json', 'content-encoding': 'x'.repeat(5_000) },
    () => '{}',
  ),
  login('a Brotli body', { 'content-type': 'application/json', 'content-encoding': 'br' }, () =>
    brotliCompressSync('a'.repeat(10_000_000)),
  ),
  login(
    'a deflated body',
    { 'content-type': 'application/json', 'content-encoding': 'deflate, gzip, br' },
    () => deflateSync('a'.repeat(10_000_000)),
  ),
  login(
    'prototypes in 20,000 objects',
    { 'content-type': 'application/json' },
    () => `[${'{"__proto__":1},'.repeat(20_000)}1]`,
  ),
  login(
    '20,000 objects of names in another order',
    { 'content-type': 'application/json' },
    () => `[${joined(20_000, (at) => (at % 2 ? '{"a":1,"b":2}' : '{"b":2,"a":1}'))}]`,
  ),
  login(
    '20,000 lists in lists',
    { 'content-type': 'application/json' },
    () => `${'['.repeat(500)}${'[],'.repeat(300_000)}1${']'.repeat(500)}`,
  ),
  login('a million commas', { 'content-type': 'application/json' }, () => `[${','.repeat(900_000)}]`),
  login('a million minuses', { 'content-type': 'application/json' }, () => `[${'-'.repeat(900_000)}]`),
  login('a name that is cut in a letter', { 'content-type': 'application/json' }, () =>
    Buffer.concat([Buffer.from('{"'), Buffer.from([0xed, 0xa0]), Buffer.from('":1}')]),
  ),
  {
    ...login(
      '100 bodies of 60 kB of empty objects',
      { 'content-type': 'application/json' },
      () => `[${'{},'.repeat(19_000)}1]`,
    ),
    path: '/api/memory',
    scope: 'memory',
    atOnce: 100,
  },
  {
    ...login(
      '100 forms of 60 kB',
      { 'content-type': 'application/x-www-form-urlencoded' },
      () => 'password=%41&'.repeat(900) + '%41'.repeat(15_000),
    ),
    path: '/authorizations',
    as: 'user',
    atOnce: 100,
  },
  raw(
    'a transfer that is gzip',
    LOGIN,
    HOST,
    JSON_LINE,
    'Transfer-Encoding: gzip, chunked',
    '',
    '2',
    '{}',
    '0',
    '',
    '',
  ),
  raw(
    'a transfer that is not chunked',
    LOGIN,
    HOST,
    JSON_LINE,
    'Transfer-Encoding: xchunked',
    '',
    '2',
    '{}',
    '0',
    '',
    '',
  ),
  raw(
    'two transfers',
    LOGIN,
    HOST,
    JSON_LINE,
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: identity',
    '',
    '0',
    '',
    '',
  ),
  raw(
    'a chunk of a length with a sign',
    LOGIN,
    HOST,
    JSON_LINE,
    'Transfer-Encoding: chunked',
    '',
    '+2',
    '{}',
    '0',
    '',
    '',
  ),
  raw(
    'a chunk of a length of 100,000 zeros',
    LOGIN,
    HOST,
    JSON_LINE,
    'Transfer-Encoding: chunked',
    '',
    `${'0'.repeat(100_000)}2`,
    '{}',
    '0',
    '',
    '',
  ),
  raw(
    '20,000 extensions of a chunk',
    LOGIN,
    HOST,
    JSON_LINE,
    'Transfer-Encoding: chunked',
    '',
    ...Array.from({ length: 20_000 }, () => '1;a=b\r\n{'),
    '0',
    '',
    '',
  ),
  raw('a length of 300 digits', LOGIN, HOST, JSON_LINE, `Content-Length: ${'9'.repeat(300)}`, '', '{}'),
  raw(
    'a connection of 3,000 names',
    'GET /-/live HTTP/1.1',
    HOST,
    `Connection: close, ${joined(3_000, (at) => `x${at}`)}`,
    '',
    '',
  ),
  raw(
    'a connection that drops a credential',
    'GET /api/keys HTTP/1.1',
    HOST,
    'Connection: authorization',
    'Authorization: Bearer x',
    '',
    '',
  ),
  raw('a name of 15,000 letters', 'GET /-/live HTTP/1.1', HOST, `${'x'.repeat(15_000)}: 1`, '', ''),
  raw('a name of blanks', 'GET /-/live HTTP/1.1', HOST, 'a b: 1', '', ''),
  raw('a bare carriage return', 'GET /-/live HTTP/1.1', HOST, 'x: a\rb: c', '', ''),
  raw('a port beyond all', 'GET /-/live HTTP/1.1', 'Host: 127.0.0.1:99999999999', '', ''),
  raw('an open address', 'GET /-/live HTTP/1.1', 'Host: [::1', '', ''),
  raw('a host with a user', 'GET /-/live HTTP/1.1', 'Host: a:b@127.0.0.1', '', ''),
  raw('a path of another host', 'GET //evil.example/-/live HTTP/1.1', HOST, '', ''),
  raw('a path of backslashes', `GET /${'\\'.repeat(8_000)} HTTP/1.1`, HOST, '', ''),
  raw('a path of Latin letters', `GET /data/${'\u00e9'.repeat(8_000)} HTTP/1.1`, HOST, '', ''),
  raw('a fragment', 'GET /-/live#x HTTP/1.1', HOST, '', ''),
  raw('a path of question marks', `GET /-/live${'?'.repeat(12_000)} HTTP/1.1`, HOST, '', ''),
  raw('100 empty lines', ...Array.from({ length: 10_000 }, () => ''), 'GET /-/live HTTP/1.1', HOST, '', ''),
  raw(
    '190 logins of one connection',
    joined(190, () => `${LOGIN}\r\n${HOST}\r\n${JSON_LINE}\r\nContent-Length: 2\r\n\r\n{}`, ''),
  ),
  raw(
    '190 keys that nobody has',
    joined(
      190,
      (at) => `GET /v1/models HTTP/1.1\r\n${HOST}\r\nAuthorization: Bearer pb_${'k'.repeat(30)}${at}\r\n\r\n`,
      '',
    ),
  ),
  raw(
    '190 tokens that nobody has',
    joined(
      190,
      (at) =>
        `GET /rate_limit HTTP/1.1\r\n${HOST}\r\nAuthorization: token ${String(at).padStart(40, 'f')}\r\n\r\n`,
      '',
    ),
  ),
  raw(
    '190 pages of events',
    joined(190, (at) => `GET /events?page=${at % 3} HTTP/1.1\r\n${HOST}\r\n\r\n`, ''),
  ),
  raw(
    '5,000 paths that do not exist',
    joined(5_000, (at) => `GET /x/${at}/${'y'.repeat(100)} HTTP/1.1\r\n${HOST}\r\n\r\n`, ''),
  ),
  raw(
    '1,000 descriptions of all operations',
    joined(1_000, () => `GET /-/openapi.json HTTP/1.1\r\n${HOST}\r\n\r\n`, ''),
  ),
  get('50 descriptions of all operations', '/-/openapi.json', {}, { atOnce: 50 }),
  get('50 descriptions for the page of documents', '/-/docs/json', {}, { atOnce: 50 }),
  get('50 descriptions in YAML', '/-/docs/yaml', {}, { atOnce: 50 }),
  get('50 pages of metrics', '/-/metrics', {}, { atOnce: 50 }),
  get('100 looks at what is ready', '/-/ready', {}, { atOnce: 100 }),
  get('a page of documents in parts', '/-/docs', { range: 'bytes=0-1,-1,5-', 'if-range': '"x"' }),
  get('3,000 languages', '/-/docs', { 'accept-language': 'de;q=0.1,'.repeat(1_500) }),
  get('a date of a leap second', '/events', { 'if-modified-since': 'Tue, 30 Jun 2026 23:59:60 GMT' }),
  get('a date of the year 99999', '/events', { 'if-modified-since': 'Tue, 30 Jun 99999 23:59:59 GMT' }),
  get('tags of bytes', '/events', { 'if-none-match': `"${'\u00ff'.repeat(8_000)}"` }),
  get('a tag of all', '/events', { 'if-none-match': '*, "a", *' }),
  get('an accepted form of 900 types', '/users/mara/events', {
    accept: 'application/vnd.github.v3.full+json,'.repeat(350),
  }),
  get('20 cookies of one session', '/api/auth/status', {
    cookie: joined(20, () => `plugboard_session=${'a'.repeat(400)}.${'b'.repeat(100)}`, '; '),
  }),
  get('a Basic credential of NUL', '/api/keys', {
    authorization: `Basic ${Buffer.from('\u0000:\u0000').toString('base64')}`,
  }),
  get('two schemes', '/api/keys', { authorization: 'Bearer a, Basic b' }),
  get('a job of encoded dots', '/-/jobs?cursor=%2e%2e%2f&limit=1e9', {}, { scope: 'manage' }),
  { name: 'a job of NUL to cancel', method: 'POST', path: '/-/jobs/%00/cancel', scope: 'manage' },
];
