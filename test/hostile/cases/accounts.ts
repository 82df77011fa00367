/** Requests against accounts: bodies, texts that patterns read, pages, times. */
import { hostileBodies, hostileValues, type HostileCase } from '../case.js';

const accounts = { method: 'POST', path: '/v2/core/accounts', scope: 'accounts' } as const;
const helpers = { method: 'POST', scope: 'accounts:test' } as const;
const headers = { 'content-type': 'application/json' };

const create = (name: string, body: object): HostileCase => ({
  name,
  ...accounts,
  headers,
  body: () => JSON.stringify(body),
});
const helper = (name: string, path: string, body: object): HostileCase => ({
  name,
  ...helpers,
  path: `/v2/test_helpers/${path}`,
  headers,
  body: () => JSON.stringify(body),
});
const read = (name: string, path: string): HostileCase => ({
  name,
  path: `/v2/core/${path}`,
  scope: 'accounts',
});
const address = (country: string, fields: object) => ({
  identity: { country, business_details: { address: { country, ...fields } } },
});

export const cases: readonly HostileCase[] = [
  ...hostileBodies(accounts.method, accounts.path, accounts.scope),
  ...hostileBodies('POST', '/v2/core/account_tokens', 'accounts'),
  ...hostileBodies('POST', '/v2/test_helpers/fixtures', 'accounts:test'),
  ...hostileBodies('POST', '/v2/test_helpers/platform', 'accounts:test'),
  ...hostileValues(accounts, {}, 'contact_email'),
  ...hostileValues(accounts, {}, 'contact_phone'),
  ...hostileValues(accounts, {}, 'metadata'),
  ...hostileValues(accounts, {}, 'include'),
  ...hostileValues(accounts, {}, 'account_token'),
  create('an email of 120 labels', { contact_email: `a@${'a.'.repeat(120)}com` }),
  create('an email of one long quoted part', { contact_email: `"${'a '.repeat(240)}"@example.com` }),
  create('a phone of brackets', { contact_phone: '+1' + '(-'.repeat(24) }),
  create('a URL of 990 labels', { defaults: { profile: { business_url: `http://${'a.'.repeat(990)}` } } }),
  create('a URL of 1,900 at signs', {
    defaults: { profile: { business_url: `http://a${'@'.repeat(1_900)}` } },
  }),
  create('a postal code of blanks', address('CA', { postal_code: `K1A${' '.repeat(497)}` })),
  create('a state of accents', address('US', { state: '\u0301'.repeat(500) })),
  create('a line of pictures', address('US', { line1: '\u{1f600}'.repeat(250) })),
  create('499 katakana and a letter', {
    identity: {
      country: 'JP',
      business_details: { script_names: { kana: { registered_name: `${'ア'.repeat(499)}a` } } },
    },
    configuration: { merchant: {} },
  }),
  create('an id number of dots', {
    identity: {
      country: 'US',
      business_details: { id_numbers: [{ type: 'us_ein', value: '.'.repeat(100) }] },
    },
  }),
  create('a share beyond all', {
    identity: { individual: { relationship: { owner: true, percent_ownership: '999.999999' } } },
  }),
  create('a birth in the year 99999', {
    identity: { individual: { date_of_birth: { day: 31, month: 12, year: 99_999 } } },
  }),
  create('metadata named as members of objects', {
    metadata: { constructor: 'a', toString: 'b', hasOwnProperty: 'c' },
  }),
  create('50 metadata of 500', {
    metadata: Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, '한'.repeat(500)])),
  }),
  create('all capabilities misspelled', {
    configuration: {
      merchant: {
        capabilities: Object.fromEntries(
          Array.from({ length: 5_000 }, (_, at) => [`c${at}`, { requested: true }]),
        ),
      },
    },
  }),
  {
    name: 'a form',
    ...accounts,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: () => 'display_name=x&'.repeat(10_000),
  },
  {
    name: 'an idempotency key of 10,000',
    ...accounts,
    headers: { ...headers, 'idempotency-key': 'k'.repeat(10_000) },
    body: () => '{}',
  },
  {
    name: 'a version of 10,000',
    ...accounts,
    headers: { ...headers, 'service-version': '2'.repeat(10_000) },
    body: () => '{}',
  },
  read('an id of null bytes', `accounts/${'%00'.repeat(100)}`),
  read('an id of 10,000', `accounts/${'a'.repeat(10_000)}`),
  read('800 includes', `accounts/acct_1?${'include[]=identity&'.repeat(800)}`),
  read('a page that is not a cursor', `accounts?page=${'A'.repeat(5_000)}`),
  read('a page beyond all times', `accounts?page=${Buffer.from('[9e15,"a","after"]').toString('base64url')}`),
  read('a page of nested lists', `accounts?page=${Buffer.from('['.repeat(300)).toString('base64url')}`),
  read('a code named as a member of objects', 'errors/constructor'),
  helper('a leap second', 'test_clocks', { frozen_time: '2030-12-31T23:59:60Z' }),
  helper('the year 0', 'test_clocks', { frozen_time: '0000-01-01T00:00:00Z' }),
  helper('the last year', 'test_clocks', { frozen_time: '9999-12-31T23:59:59Z' }),
  helper('a token that expires in a leap second', 'fixtures', {
    kind: 'account_token',
    id: 'accttok_hostile',
    expires_at: '2030-12-31T23:59:60Z',
  }),
  helper('a dependency named as a member of objects', 'platform', {
    configuration_dependencies: { constructor: ['x'] },
  }),
];
