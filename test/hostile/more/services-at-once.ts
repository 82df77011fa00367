/** Requests against accounts, events, authorizations, speech and users that come together or grow with what is stored. */
import type { HostileCase } from '../case.js';
import { call, JSON_HEADERS, many } from '../requests.js';

const graph = (width: number, depth: number): Record<string, string[]> =>
  Object.fromEntries(many(depth, (at) => [`c${at}`, many(width, () => `c${at + 1}`)]));
const say = (name: string, input: string, more: object = {}, rest: Partial<HostileCase> = {}): HostileCase =>
  call(name, '/api/v1/audio/speech', 'speech', () => ({ voice: 'sera', input, ...more }), rest);
const member = (at: number): string => `crowd-${at}`;

export const cases: readonly HostileCase[] = [
  call(
    'one idempotency key 20 times at once',
    '/v2/core/accounts',
    'accounts',
    () => ({ display_name: 'a' }),
    {
      atOnce: 20,
      headers: { ...JSON_HEADERS, 'idempotency-key': 'hostile-1' },
    },
  ),
  call(
    'one idempotency key with other bodies',
    '/v2/core/accounts',
    'accounts',
    (at) => ({ display_name: `b${at}` }),
    {
      atOnce: 20,
      headers: { ...JSON_HEADERS, 'idempotency-key': 'hostile-2' },
    },
  ),
  call(
    '50 accounts at once',
    '/v2/core/accounts',
    'accounts',
    (at) => ({ display_name: `c${at}`, metadata: { a: 'x'.repeat(500) } }),
    { atOnce: 50 },
  ),
  call('dependencies that double', '/v2/test_helpers/platform', 'accounts:test', () => ({
    configuration_dependencies: graph(2, 400),
  })),
  call('dependencies in a circle', '/v2/test_helpers/platform', 'accounts:test', () => ({
    configuration_dependencies: { merchant: ['customer'], customer: ['merchant'] },
  })),
  call('an account under such dependencies', '/v2/core/accounts', 'accounts', () => ({
    configuration: { merchant: {}, customer: {} },
  })),
  {
    name: 'no such dependencies',
    method: 'DELETE',
    path: '/v2/test_helpers/platform',
    scope: 'accounts:test',
  },
  { name: 'a page of 1e9 accounts', path: '/v2/core/accounts?limit=1000000000', scope: 'accounts' },
  { name: '20 pages of accounts', path: '/v2/core/accounts?limit=100', scope: 'accounts', atOnce: 20 },
  {
    name: 'includes in lists of lists',
    path: `/v2/core/accounts/acct_1?include${'[0]'.repeat(900)}=identity`,
    scope: 'accounts',
  },
  {
    name: 'a fixture of a prototype',
    method: 'DELETE',
    path: '/v2/test_helpers/fixtures/__proto__/constructor',
    scope: 'accounts:test',
  },
  call(
    'a clock moved to the last year',
    '/v2/test_helpers/test_clocks/clock_none/advance',
    'accounts:test',
    () => ({ frozen_time: '9999-12-31T23:59:59Z' }),
  ),
  call('a token with 40,000 of everything', '/v2/core/account_tokens', 'accounts', () => ({
    identity: { individual: { additional_addresses: many(10_000, () => ({ purpose: 'alias' })) } },
  })),
  call('1,000 users who follow one', '/api/events/directory', 'events:write', () => ({
    put: { users: many(900, (at) => ({ id: 950_000 + at, login: member(at) })) },
  })),
  call('who follow one another', '/api/events/directory', 'events:write', () => ({
    put: { follows: many(900, (at) => ({ user: 'crowd-0', follows: member(1 + (at % 899)) })) },
  })),
  call('1,000 events of them', '/api/events', 'events:write', () => ({
    events: many(900, (at) => ({
      id: String(8_000_000 + at),
      type: 'PushEvent',
      actor: { login: member(at) },
      repo: { name: 'harbor-labs/tides' },
      payload: { a: 'x'.repeat(800) },
    })),
  })),
  { name: 'what one receives who follows 900', path: '/users/crowd-0/received_events?page=10', atOnce: 20 },
  { name: 'a network of forks', path: '/networks/harbor-labs/tides/events', atOnce: 20 },
  call('an event of 490 levels', '/api/events', 'events:write', () => ({
    events: [
      {
        type: 'PushEvent',
        actor: { login: 'mara' },
        repo: { name: 'harbor-labs/tides' },
        payload: JSON.parse(`${'{"a":'.repeat(490)}1${'}'.repeat(490)}`),
      },
    ],
  })),
  call('an event of the year 275760', '/api/events', 'events:write', () => ({
    events: [
      {
        type: 'PushEvent',
        actor: { login: 'mara' },
        repo: { name: 'harbor-labs/tides' },
        created_at: '+275760-09-13T00:00:00Z',
      },
    ],
  })),
  call('1,000 times one event', '/api/events', 'events:write', () => ({
    events: many(1_000, () => ({
      id: '777',
      type: 'PushEvent',
      actor: { login: 'mara' },
      repo: { name: 'harbor-labs/tides' },
    })),
  })),
  call('20 tokens at once', '/authorizations', '', (at) => ({ note: `once ${at} ${Math.random()}` }), {
    as: 'user',
    atOnce: 20,
  }),
  call('one note 20 times at once', '/authorizations', '', () => ({ note: 'the same' }), {
    as: 'user',
    atOnce: 20,
  }),
  call(
    'a fingerprint that is a path',
    '/authorizations/clients/{app}/..%2f..%2f',
    '',
    () => ({ client_secret: 'a' }),
    { as: 'user', method: 'PUT' },
  ),
  { name: '20 pages of tokens', path: '/authorizations?per_page=100', as: 'user', atOnce: 20 },
  {
    name: '20 wrong passwords at once',
    path: '/authorizations',
    headers: { authorization: `Basic ${Buffer.from('mallory2:x').toString('base64')}` },
    atOnce: 20,
  },
  call(
    '20 users with passwords at once',
    '/api/users',
    'manage',
    (at) => ({ login: `many-${at}-${Math.floor(Math.random() * 1e9)}`, password: 'correct horse battery' }),
    { atOnce: 20 },
  ),
  call('a code of letters', '/api/users/none/otp', 'manage', () => ({ code: '１２３４５６' })),
  { name: '20 lists of keys', path: '/api/keys?limit=1000', scope: 'manage', atOnce: 20 },
  say('a voice of a prototype', '가', { voice: '__proto__' }),
  say('a format of a prototype', '가', { response_format: 'constructor' }),
  say('a speed beyond all', '가', { speed: 1e308 }),
  ...[
    '[[slnc 99999]]',
    '<audio src="file:///etc/passwd"/>',
    '{{7*7}} ',
    '제1조 ',
    '1/2/3/4/5/',
    '٣٤',
    '〇一二',
    '10^',
    '√',
    '&#x41;',
    '\ufffe',
    '\u061c',
    '𠀀',
  ].map((unit) =>
    say(
      `4,096 characters of ${JSON.stringify(unit)}`,
      unit.repeat(4_096).slice(0, 4_096),
      {},
      { path: '/api/v1/audio/speech?dry_run=true' },
    ),
  ),
  say('a long text as FLAC', '안녕하세요. 반갑습니다. '.repeat(20), { response_format: 'flac' }),
  say('a long text as samples', '안녕하세요. 반갑습니다. '.repeat(20), {
    response_format: 'pcm',
    speed: 0.25,
  }),
  {
    ...say('8 long texts that nobody waits for', '안녕하세요. 반갑습니다. '.repeat(100)),
    atOnce: 8,
    client: 'gone',
  },
  { name: 'the usage of a month that is none', path: '/api/v1/usage?month=2026-13', scope: 'speech' },
];
