/** Requests against accounts, events, authorizations, speech, keys and settings that `cases/` has not. */
import type { HostileCase } from '../case.js';
import { call, many } from '../requests.js';

const names = (count: number): object => Object.fromEntries(many(count, (at) => [`k${at}`, 'v']));

const account = (name: string, body: () => object): HostileCase =>
  call(name, '/v2/core/accounts', 'accounts', body);
const push = { type: 'PushEvent', actor: { login: 'mara' }, repo: { name: 'harbor-labs/tides' } };
const events = (name: string, body: () => object[]): HostileCase =>
  call(name, '/api/events', 'events:write', () => ({ events: body() }));
const directory = (name: string, body: () => object): HostileCase =>
  call(name, '/api/events/directory', 'events:write', body);
const estimate = (unit: string): HostileCase =>
  call(`4,096 characters of ${JSON.stringify(unit)}`, '/api/v1/audio/speech?dry_run=true', 'speech', () => ({
    voice: 'sera',
    input: unit.repeat(4_096).slice(0, 4_096),
  }));

/** What a reader of numbers, dates, signs and foreign letters stumbles over. */
const UNITS = [
  '한글 ',
  '1',
  '1-1-1 ',
  '2020년 13월 ',
  '3.14.15 ',
  '０１２',
  'ⅷ',
  '①',
  '㈱',
  '1,234,567.89원 ',
  'abc123def',
  '~',
  '…',
  '(1)(2)',
  '10kg',
  '50%',
  '#1',
  '@a',
  'ㅋㅋ',
  '漢字',
  'A.B.C.',
  '12:34:56:',
  'http://a.b ',
  'a@b.c ',
  '+82-10-1234-5678 ',
  '１/２',
  '１㎏',
  '½',
  'ﷺ',
  '\u200b',
  '\u2028',
  '가\u0308',
];

export const cases: readonly HostileCase[] = [
  account('40,000 parts to include', () => ({ include: many(40_000, () => 'identity') })),
  account('9,000 metadata', () => ({ metadata: names(9_000) })),
  account('metadata under a name of 0.9 million letters', () => ({
    metadata: { ['k'.repeat(900_000)]: 'v' },
  })),
  account('a name of 400,000 marks', () => ({ display_name: '\u0301'.repeat(400_000) })),
  account('a host of 900 letters that become two', () => ({
    defaults: { profile: { business_url: `http://${'ß'.repeat(900)}.com` } },
  })),
  account('100,000 locales', () => ({ defaults: { locales: many(100_000, () => 'en-US') } })),
  account('20,000 other names', () => ({
    identity: {
      individual: { additional_names: many(20_000, () => ({ purpose: 'alias', full_name: 'a' })) },
    },
  })),
  account('20,000 numbers of a person', () => ({
    identity: {
      country: 'US',
      individual: { id_numbers: many(20_000, () => ({ type: 'us_ssn', value: '1' })) },
    },
  })),
  account('a birth beyond all numbers', () => ({
    identity: { individual: { date_of_birth: { day: 1e308, month: -1e308, year: 1e-308 } } },
  })),
  {
    name: '400 configurations',
    path: `/v2/core/accounts?${'applied_configurations[]=merchant&'.repeat(400)}`,
    scope: 'accounts',
  },
  {
    name: '700 places of a list',
    path: `/v2/core/accounts/acct_1?${many(700, (at) => `include[${at}]=identity`).join('&')}`,
    scope: 'accounts',
  },
  events('a payload of 9,900 names', () => [{ ...push, payload: names(9_900) }]),
  events('a payload with names of operators', () => [
    { ...push, payload: { $where: 1, 'a.b': 2, '': 3, '\u0000': 4 } },
  ]),
  events('1,000 events of 1,000 new users', () =>
    many(1_000, (at) => ({
      type: 'PushEvent',
      actor: { login: `u${at}` },
      repo: { name: `u${at}/r` },
      payload: { a: 'x'.repeat(500) },
    })),
  ),
  call('1,000 events of issues', '/api/events/issues', 'events:write', () => ({
    repository: 'harbor-labs/tides',
    events: many(1_000, (at) => ({ event: 'closed', actor: 'mara', issue: { number: at } })),
  })),
  directory('a chain of 900 forks', () => ({
    put: {
      repositories: many(900, (at) => ({
        id: 970_000 + at,
        name: `mara/r${at}`,
        ...(at > 0 && { parent: `mara/r${at - 1}` }),
      })),
    },
  })),
  directory('1,000 times one member', () => ({
    put: { members: many(1_000, () => ({ organization: 'harbor-labs', user: 'mara' })) },
  })),
  { name: '20 pages of events at once', path: '/events?page=10', atOnce: 20 },
  { name: 'a user who grows in lower case', path: `/users/${encodeURIComponent('İ'.repeat(300))}/events` },
  {
    name: '900 weak tags',
    path: '/events',
    headers: { 'if-none-match': many(900, (at) => `W/"${at}"`).join(', ') },
  },
  call(
    '40,000 scopes of a token',
    '/authorizations',
    '',
    () => ({ note: 'z', scopes: many(40_000, (at) => `s${at}`) }),
    { as: 'user' },
  ),
  call(
    'a note that grows when it is normalised',
    '/authorizations',
    '',
    () => ({ note: 'ﷺ'.repeat(80_000) }),
    { as: 'user' },
  ),
  ...UNITS.map(estimate),
  { ...estimate('값없넓밟'), name: '20 texts of 4,096 characters at once', atOnce: 20 },
  call('a voice of 0.9 million letters', '/api/v1/audio/speech', 'speech', () => ({
    voice: 'v'.repeat(900_000),
    input: '가',
  })),
  call('40,000 scopes of a key', '/api/keys', 'manage', () => ({
    name: 'a',
    scopes: many(40_000, (at) => `s${at}`),
  })),
  call('a scope of 0.9 million letters', '/api/keys', 'manage', () => ({
    name: 'a',
    scopes: ['x'.repeat(900_000)],
  })),
  call('an application of 800,000 at signs', '/api/apps', 'manage', () => ({
    name: 'a',
    url: `http://a${'@'.repeat(800_000)}`,
  })),
  call('an email of 400,000 labels', '/api/users', 'manage', () => ({
    login: 'zz',
    email: `${'a.'.repeat(400_000)}@b.c`,
  })),
  call('a login of 900,000 hyphens', '/api/users', 'manage', () => ({ login: '-'.repeat(900_000) })),
  call('a summary of all time', '/api/memory/summarize', 'manage', () => ({
    olderThanDays: 1e15,
    dryRun: true,
  })),
  { name: 'jobs in a state of a prototype', path: '/-/jobs?state=__proto__', scope: 'manage' },
];
