/** Requests at the HTTP layer: protocols, methods, headers, forms, and JSON of every shape at routes of all services. */
import { gzipSync } from 'node:zlib';
import type { HostileCase } from '../case.js';
import { joined } from '../requests.js';

const HOST = 'Host: 127.0.0.1';
const LOGIN = 'POST /api/auth/login HTTP/1.1';
const json = { 'content-type': 'application/json' } as const;
const form = { 'content-type': 'application/x-www-form-urlencoded' } as const;
const raw = (name: string, ...lines: string[]): HostileCase => ({ name, path: '', raw: lines.join('\r\n') });
const header = (name: string, path: string, key: string, value: string): HostileCase => ({
  name,
  path,
  headers: { [key]: value },
});
const query = (name: string, text: string): HostileCase => ({
  name,
  path: `/api/usage?${text}`,
  scope: 'usage',
});
const fields = (name: string, body: () => string): HostileCase => ({
  name,
  method: 'POST',
  path: '/authorizations',
  as: 'user',
  headers: form,
  body,
});

const METHODS = ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'SEARCH', 'PROPFIND', 'LOCK', 'QUERY', 'PURGE'];
const PATHS = [
  '/',
  '/data/films',
  '/v1/models',
  '/api/memory',
  '/events',
  '/v2/core/accounts',
  '/rate_limit',
];

/** A route of each service that takes JSON, with the least scope that opens it. */
const TAKERS = [
  ['/v1/chat/completions', 'chat'],
  ['/v1/embeddings', 'embeddings'],
  ['/v1/rerank', 'rerank'],
  ['/api/memory', 'memory'],
  ['/v2/core/accounts', 'accounts'],
  ['/v2/test_helpers/platform', 'accounts:test'],
  ['/v2/test_helpers/fixtures', 'accounts:test'],
  ['/api/events', 'events:write'],
  ['/api/events/directory', 'events:write'],
  ['/api/events/issues', 'events:write'],
  ['/api/playground/presets', 'presets'],
  ['/api/v1/audio/speech', 'speech'],
  ['/data/films', 'data:write'],
  ['/api/keys', 'manage'],
] as const;

const SHAPES: Readonly<Record<string, () => string>> = {
  '9,900 different names': () => `{${joined(9_900, (at) => `"${'n'.repeat(60)}${at}":1`)}}`,
  '4,900 objects of two names of their own': () => `[${joined(4_900, (at) => `{"a${at}":1,"b${at}":2}`)}]`,
  '24,000 objects in a list of messages': () => `{"messages":[${joined(24_000, () => '{"role":1}')}]}`,
  '490,000 numbers': () => `[${'1,'.repeat(490_000)}1]`,
  '490,000 numbers as input': () => `{"input":[${'1,'.repeat(490_000)}1]}`,
  'escapes in 20,000 objects': () => `{"a":[${'{"a":"\\u0061"},'.repeat(20_000)}1]}`,
  'one name of 300,000 syllables': () => `{"${'한'.repeat(300_000)}":1}`,
  'one name 49,000 times': () => `{${'"a":1,'.repeat(49_000)}"a":1}`,
};

export const cases: readonly HostileCase[] = [
  {
    name: 'a compressed body',
    method: 'POST',
    path: '/api/auth/login',
    headers: { ...json, 'content-encoding': 'gzip' },
    body: () => gzipSync('a'.repeat(50_000_000)),
  },
  {
    name: 'a body of 200,000 parts',
    method: 'POST',
    path: '/api/auth/login',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: () => '--x\r\n'.repeat(200_000),
  },
  raw('a web socket', 'GET /-/live HTTP/1.1', HOST, 'Connection: Upgrade', 'Upgrade: websocket', '', ''),
  raw('another protocol', 'GET /-/live HTTP/1.1', HOST, 'Connection: Upgrade', 'Upgrade: h2c', '', ''),
  raw('HTTP/2', 'PRI * HTTP/2.0', '', 'SM', '', ''),
  raw('HTTP/0.9', 'GET /-/live'),
  raw('HTTP/9.9', 'GET /-/live HTTP/9.9', HOST, '', ''),
  raw('a tunnel', 'CONNECT 127.0.0.1:22 HTTP/1.1', HOST, '', ''),
  raw('the options of everything', 'OPTIONS * HTTP/1.1', HOST, '', ''),
  raw('an expectation', LOGIN, HOST, 'Expect: 200-ok', 'Content-Length: 2', '', '{}'),
  raw('a body that waits to be asked for', LOGIN, HOST, 'Expect: 100-continue', 'Content-Length: 9', '', ''),
  raw('two hosts', 'GET /-/live HTTP/1.1', HOST, HOST, '', ''),
  raw('a folded header', 'GET /-/live HTTP/1.1', HOST, 'x: a', ' b', '', ''),
  raw(
    'a chunk with a long extension',
    LOGIN,
    HOST,
    'Transfer-Encoding: chunked',
    '',
    `2;${'a'.repeat(20_000)}`,
    '{}',
  ),
  raw(
    '3,000 trailers',
    LOGIN,
    HOST,
    'Transfer-Encoding: chunked',
    '',
    '0',
    joined(3_000, (at) => `t${at}: 1`, '\r\n'),
    '',
    '',
  ),
  raw(
    '60,000 chunks of a byte',
    LOGIN,
    HOST,
    'content-type: application/json',
    'Transfer-Encoding: chunked',
    '',
    joined(60_000, () => '1\r\n{', '\r\n'),
    '0',
    '',
    '',
  ),
  ...[LOGIN, 'POST /no/such/route HTTP/1.1', 'POST /data/films HTTP/1.1'].map((line) =>
    raw(
      `300,000 chunks of a byte for ${line}`,
      line,
      HOST,
      'content-type: application/json',
      'Transfer-Encoding: chunked',
      '',
      joined(300_000, () => '1\r\n[', '\r\n'),
      '0',
      '',
      '',
    ),
  ),
  raw('20,000 requests at once', `GET /-/live HTTP/1.1\r\n${HOST}\r\n\r\n`.repeat(20_000)),
  raw(
    '1,000 requests at once',
    joined(1_000, () => `GET /api/auth/status HTTP/1.1\r\n${HOST}\r\n`, '\r\n'),
    '',
  ),
  raw(
    '300 requests with 500 cookies each',
    joined(
      300,
      () => `GET /api/auth/status HTTP/1.1\r\n${HOST}\r\nCookie: ${'a=b; '.repeat(500)}\r\n`,
      '\r\n',
    ),
    '',
  ),
  ...METHODS.flatMap((method) => PATHS.map((path) => ({ name: `${method} of ${path}`, method, path }))),
  { name: 'a path of a prototype', path: '/data/__proto__', scope: 'data:read' },
  { name: 'a path that is not the shortest UTF-8', path: '/api/keys/%c0%ae%c0%ae', scope: 'manage' },
  query(
    '1,500 places of one list',
    joined(1_500, (at) => `a[${at}]=1`, '&'),
  ),
  query('5,000 encoded percent signs', `${'%25'.repeat(5_000)}=1`),
  query('15,000 bare percent signs', `${'%'.repeat(15_000)}=1`),
  query('15,000 empty pairs', '&'.repeat(15_000)),
  query('a time of 14,000 fractions', `from=2020-01-01T00:00:00.${'0'.repeat(14_000)}Z`),
  query('a time of 5,000 blanks', `from=2020-01-01T00:00:00${'%20'.repeat(5_000)}Z`),
  {
    name: 'a cursor of nested lists',
    path: `/api/usage/calls?after=${Buffer.from('['.repeat(8_000)).toString('base64url')}`,
    scope: 'usage',
  },
  {
    name: 'a preflight of 5,000 headers',
    method: 'OPTIONS',
    path: '/data/films',
    headers: {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x,'.repeat(5_000),
    },
  },
  header('900 types that are accepted', '/', 'accept', 'text/html;q=0.1,'.repeat(900)),
  header('a quality of 12,000 digits', '/', 'accept', `text/html;q=0.${'1'.repeat(12_000)}`),
  header('a date of 12,000 blanks', '/keys', 'if-modified-since', `Mon, 01 ${' '.repeat(12_000)}Jan`),
  header('a date of 12,000 brackets', '/events', 'if-modified-since', '('.repeat(12_000)),
  header(
    '300 sessions',
    '/api/keys',
    'cookie',
    joined(300, (at) => `plugboard_session=${'x'.repeat(20)}${at}`, '; '),
  ),
  header('a cookie of quotes', '/api/keys', 'cookie', `plugboard_session="${'\\"'.repeat(6_000)}`),
  header('a digest of 2,000 parts', '/api/keys', 'authorization', `Digest ${'a="b",'.repeat(1_800)}`),
  header(
    'a login that grows when it is normalised',
    '/authorizations',
    'authorization',
    `Basic ${Buffer.from(`${'\ufdfa'.repeat(2_500)}:x`).toString('base64')}`,
  ),
  {
    name: 'a password that grows when it is normalised',
    method: 'POST',
    path: '/api/auth/login',
    headers: json,
    body: () => JSON.stringify({ password: '\ufdfa'.repeat(300_000) }),
  },
  fields('a form of percent signs', () => `note=${'%'.repeat(900_000)}`),
  fields('a form of blanks', () => `note=${'+'.repeat(900_000)}`),
  fields('999 places of one list', () => joined(999, (at) => `scopes[${at}]=repo`, '&')),
  fields('names of 900 brackets', () => joined(999, (at) => `${'['.repeat(900)}${at}]=1`, '&')),
  ...TAKERS.flatMap(([path, scope]) =>
    Object.entries(SHAPES).map(([name, body]): HostileCase => ({
      name,
      method: 'POST',
      path,
      scope,
      headers: json,
      body,
    })),
  ),
  ...(['/v1/chat/completions', '/api/memory', '/data/films'] as const).map((path): HostileCase => ({
    name: '20 large bodies at once',
    method: 'POST',
    path,
    scope: path === '/data/films' ? 'data:write' : path === '/api/memory' ? 'memory' : 'chat',
    headers: json,
    body: () => `[${'{"a":1},'.repeat(20_000)}1]`,
    atOnce: 20,
  })),
];
