/** What requests may look like: headers, includes, pages, limits, and what is refused with which words. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { STORAGE } from 'plugboard/sdk';
import { LogLines } from './support/log.js';
import { bootAccounts, type AccountsServer, type Body } from './support/server.js';

const LIST = '/v2/core/accounts';
const SECRET_NUMBER = '123-45-6789';

let server: AccountsServer;
const log = new LogLines();

before(async () => {
  const platforms = {
    other: { keys: ['other'] },
    live: { keys: ['live'], livemode: true },
  };
  server = await bootAccounts({ platforms }, { log });
});
after(() => server.stop());

async function keyNamed(name: string, ...scopes: string[]): Promise<Record<string, string>> {
  const words = ['keys', 'create', name, '--json', ...scopes.flatMap((scope) => ['--scope', scope])];
  const { stdout } = await server.command(words);
  return { authorization: `Bearer ${(JSON.parse(stdout) as { key: string }).key}` };
}

async function countAccounts(): Promise<number> {
  return server.service(STORAGE, 'accounts').collection({ name: 'accounts' }).countDocuments({});
}

describe('what is refused before any rule', () => {
  for (const [name, body, parameter] of [
    ['an unknown parameter', { colour: 'red' }, 'colour'],
    [
      'an unknown parameter far down',
      { identity: { individual: { hat: 'red' } } },
      'identity.individual.hat',
    ],
    ['a wrong type', { display_name: 5 }, 'display_name'],
    ['a wrong value', { dashboard: 'half' }, 'dashboard'],
    ['an unknown include', { include: ['all'] }, 'include.0'],
    [
      'a capability without requested',
      { configuration: { merchant: { capabilities: { card_payments: {} } } } },
      'requested',
    ],
    ['an update-only parameter', { defaults: { payout_methods: { usd: 'x' } } }, 'defaults.payout_methods'],
    ['a configuration that is null', { configuration: { customer: null } }, 'configuration.customer'],
    ['a long metadata value', { metadata: { a: 'x'.repeat(501) } }, 'metadata.a'],
    ['a long metadata key', { metadata: { ['x'.repeat(41)]: 'a' } }, 'metadata'],
    [
      'too many metadata',
      { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 'v'])) },
      'metadata',
    ],
    ['a body that is a list', [], 'the body'],
    ['a body that is null', 'null', 'the body'],
    ['an unknown country', { identity: { country: 'XX' } }, 'identity.country'],
    ['an unknown currency', { defaults: { currency: 'zzz' } }, 'defaults.currency'],
  ] as const) {
    test(`${name} is 400 invalid_fields and the message names ${parameter}`, async () => {
      const stored = await countAccounts();
      const { status, body: answer } = await server.call('POST', LIST, body);
      assert.deepEqual([status, answer.error?.code], [400, 'invalid_fields']);
      assert.ok(answer.error?.message.includes(parameter), answer.error?.message);
      assert.equal(await countAccounts(), stored);
    });
  }

  test('a close with a body that is no object is refused, as is one of an account that is not there', async () => {
    const made = await server.call('POST', LIST, { contact_email: 'a@example.com' });
    const { id } = made.body as unknown as { id: string };
    for (const body of ['null', '[]', '1']) {
      const answer = await server.call('POST', `${LIST}/${id}/close`, body);
      assert.deepEqual([answer.status, answer.body.error?.code], [400, 'invalid_fields'], body);
      const missing = await server.call('POST', `${LIST}/acct_x/close`, body);
      assert.deepEqual([missing.status, missing.body.error?.code], [404, 'not_found'], body);
    }
  });

  test('malformed JSON, forms, other types and large bodies are refused in the dialect', async () => {
    for (const [body, type, status, code] of [
      ['{"a":', 'application/json', 400, 'malformed_json'],
      [String.raw`{"display_name":"\ud83d"}`, 'application/json', 400, 'malformed_json'],
      ['display_name=Kim', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
      ['{}', 'text/plain', 415, 'unsupported_media_type'],
      [JSON.stringify({ display_name: 'x'.repeat(300_000) }), 'application/json', 413, 'payload_too_large'],
    ] as const) {
      const answer = await server.call('POST', LIST, body, { 'content-type': type });
      assert.deepEqual([answer.status, answer.body.error?.code], [status, code]);
    }
  });

  test('unknown parameters of a query, and a page that nobody gave out, are named', async () => {
    for (const [path, parameter] of [
      [`${LIST}?colour=red`, 'colour'],
      [`${LIST}?limit=0`, 'limit'],
      [`${LIST}?limit=101`, 'limit'],
      [`${LIST}?page=nonsense`, 'page'],
      [`${LIST}?page=${Buffer.from('[1e400,"a","after"]').toString('base64url')}`, 'page'],
      [`${LIST}?page=${Buffer.from('[9e15,"a","after"]').toString('base64url')}`, 'page'],
    ] as const) {
      const { status, body } = await server.call('GET', path);
      assert.equal(status, 400, path);
      assert.ok(body.error?.message.includes(parameter), body.error?.message);
    }
  });

  test('times that no calendar has are refused', async () => {
    for (const [path, body, parameter] of [
      ['test_clocks', { frozen_time: '2026-06-30T23:59:60Z' }, 'frozen_time'],
      ['test_clocks', { frozen_time: '9999-12-31T23:59:59Z' }, 'frozen_time'],
      ['fixtures', { kind: 'account_token', id: 'a', expires_at: '2026-06-30T23:59:60Z' }, 'expires_at'],
    ] as const) {
      const { status, body: answer } = await server.call('POST', `/v2/test_helpers/${path}`, body);
      assert.equal(status, 400);
      assert.ok(answer.error?.message.includes(parameter), answer.error?.message);
    }
  });

  test('a malformed version, two that differ, and a bad idempotency key are named', async () => {
    for (const [headers, parameter] of [
      [{ 'service-version': 'latest' }, 'Service-Version'],
      [{ 'stripe-version': '2026-13-01.clover' }, 'Service-Version'],
      [{ 'service-version': '2026-01-01.a', 'stripe-version': '2026-01-02.a' }, 'Stripe-Version'],
      [{ 'idempotency-key': 'x'.repeat(256) }, 'Idempotency-Key'],
    ] as [Record<string, string>, string][]) {
      const { status, body } = await server.call('POST', LIST, {}, headers);
      assert.equal(status, 400);
      assert.ok(body.error?.message.includes(parameter), body.error?.message);
    }
  });
});

describe('what answers carry', () => {
  test('the version is echoed under both names, and the request has an id, also without a key', async () => {
    const { headers } = await server.call('GET', LIST, undefined, { 'stripe-version': '2025-12-15.clover' });
    assert.deepEqual(
      [headers['service-version'], headers['stripe-version']],
      ['2025-12-15.clover', '2025-12-15.clover'],
    );
    const refused = await server.call('GET', LIST, undefined, { authorization: 'Bearer pb_wrong' });
    assert.equal(refused.status, 401);
    assert.equal(refused.headers['service-version'], '2026-10-28.endive');
    assert.ok(refused.headers['request-id']);
  });

  test('include is read in every encoding, and what is not included is null', async () => {
    const { body: account } = await server.call('POST', LIST, { identity: { country: 'US' } });
    for (const query of [
      'include[0]=identity&include[1]=defaults',
      'include[]=identity&include[]=defaults',
      'include=identity&include=defaults',
      'include%5B0%5D=identity&include%5B1%5D=defaults',
    ]) {
      const { body } = await server.call('GET', `${LIST}/${account.id}?${query}`);
      assert.equal((body['identity'] as Body)['country'], 'US', query);
      assert.notEqual(body['defaults'], null, query);
      assert.deepEqual(
        [body['configuration'], body['requirements'], body['future_requirements']],
        [null, null, null],
      );
    }
    assert.equal((await server.call('GET', `${LIST}/${account.id}?include=identity`)).status, 200);
  });

  test('an empty body makes an empty account', async () => {
    const { status } = await server.call('POST', LIST, '', { 'content-type': 'application/json' });
    assert.equal(status, 200);
  });
});

describe('an id number', () => {
  test('is neither answered, nor logged, nor readable in the store', async () => {
    const { body } = await server.call(
      'POST',
      LIST,
      {
        identity: { country: 'US', individual: { id_numbers: [{ type: 'us_ssn', value: SECRET_NUMBER }] } },
        include: ['identity'],
      },
      { 'idempotency-key': 'with-secret' },
    );
    const { body: bad } = await server.call('POST', LIST, {
      identity: {
        country: 'US',
        individual: { id_numbers: [{ type: 'us_ssn_last_4', value: SECRET_NUMBER }] },
      },
    });
    assert.equal(bad.error?.code, 'id_number_invalid');
    const storage = server.service(STORAGE, 'accounts');
    const stored = await storage.collection({ name: 'accounts' }).findOne({ _id: body.id });
    assert.match(JSON.stringify(stored), /sealed/);
    await server.call('POST', '/v2/core/account_tokens', {
      identity: { country: 'US', individual: { id_numbers: [{ type: 'us_ssn', value: SECRET_NUMBER }] } },
    });
    const tokens = await storage.collection({ name: 'account_tokens' }).find({}).toArray();
    assert.ok(tokens.length > 0);
    for (const text of [body, bad, stored, tokens].map((one) => JSON.stringify(one)).concat(log.text))
      assert.ok(!text.includes(SECRET_NUMBER) && !text.includes('6789'), 'the number is nowhere');
  });
});

describe('platforms', () => {
  test('a platform sees its own accounts alone', async () => {
    const other = await keyNamed('other', 'accounts');
    const { body: mine } = await server.call('POST', LIST, {});
    const { body: theirs } = await server.call('POST', LIST, {}, other);
    assert.equal((await server.call('GET', `${LIST}/${mine.id}`, undefined, other)).status, 404);
    assert.equal((await server.call('POST', `${LIST}/${theirs.id}`, {})).status, 404);
    const { body } = await server.call('GET', LIST, undefined, other);
    assert.deepEqual(
      (body['data'] as Body[]).map(({ id }) => id),
      [theirs.id],
    );
  });

  test('one idempotency key of two platforms makes two accounts', async () => {
    const other = await keyNamed('other', 'accounts');
    const key = { 'idempotency-key': 'shared' };
    const [mine, theirs] = [
      await server.call('POST', LIST, {}, key),
      await server.call('POST', LIST, {}, { ...other, ...key }),
    ];
    assert.notEqual(mine.body.id, theirs.body.id);
  });

  test('a live platform says so and has no test helpers', async () => {
    const live = await keyNamed('live', 'accounts', 'accounts:test');
    assert.equal((await server.call('POST', LIST, {}, live)).body['livemode'], true);
    const { status, body } = await server.call('GET', '/v2/test_helpers/fixtures', undefined, live);
    assert.deepEqual([status, body.error?.code], [403, 'test_mode_only']);
  });

  test('a key needs the scope of the route', async () => {
    const plain = await keyNamed('plain', 'accounts');
    assert.equal((await server.call('GET', '/v2/test_helpers/fixtures', undefined, plain)).status, 403);
    assert.equal((await server.call('GET', LIST, undefined, plain)).status, 200);
  });

  test('settings that a test helper sets hold from the next request on, until they are taken back', async () => {
    await using own = await bootAccounts();
    const path = '/v2/test_helpers/platform';
    await own.call('POST', path, { accounts_v2: 'blocked' });
    assert.equal((await own.call('GET', LIST)).body.error?.code, 'accounts_v2_access_blocked');
    const { body } = await own.call('POST', path, { features: { ua_beta: true } });
    assert.equal((body['settings'] as Body)['accounts_v2'], 'blocked');
    await own.call('DELETE', path);
    assert.equal((await own.call('GET', LIST)).status, 200);
  });

  test('settings that are set at once are all set, and an unknown one is refused', async () => {
    await using own = await bootAccounts();
    const path = '/v2/test_helpers/platform';
    const all = { dormant: true, activated: false, country: 'KR', require_contact_email: true };
    await Promise.all(Object.entries(all).map(([name, value]) => own.call('POST', path, { [name]: value })));
    await own.call('POST', path, { acknowledged: { losses: false } });
    await own.call('POST', path, { acknowledged: { requirements: false } });
    const refused = await own.call('POST', path, { statu: 'rejected' });
    assert.equal(refused.body.error?.message, 'statu is not a known property; did you mean "status"?');
    const { settings } = (await own.call('GET', path)).body as unknown as { settings: object };
    assert.deepEqual({ ...settings, ...all, acknowledged: { losses: false, requirements: false } }, settings);
  });
});

describe('the list', () => {
  test('goes forth and back, by configuration, and leaves closed accounts out', async () => {
    await using own = await bootAccounts();
    const made: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      const body = at % 2 === 0 ? { configuration: { customer: {} } } : {};
      made.push((await own.call('POST', LIST, body)).body.id);
    }
    const idsOf = (body: Body) => (body['data'] as Body[]).map(({ id }) => id);
    const all = idsOf((await own.call('GET', LIST)).body);
    assert.deepEqual(new Set(all), new Set(made));
    const first = await own.call('GET', `${LIST}?limit=2`);
    assert.equal(first.body['previous_page_url'], null);
    const second = await own.call('GET', first.body['next_page_url'] as string);
    assert.deepEqual([...idsOf(first.body), ...idsOf(second.body)], all.slice(0, 4));
    const back = await own.call('GET', second.body['previous_page_url'] as string);
    assert.deepEqual(idsOf(back.body), idsOf(first.body));
    assert.equal(back.body['previous_page_url'], null);
    const last = await own.call('GET', second.body['next_page_url'] as string);
    assert.deepEqual([idsOf(last.body), last.body['next_page_url']], [all.slice(4), null]);

    const customers = idsOf((await own.call('GET', `${LIST}?applied_configurations[0]=customer`)).body);
    assert.equal(customers.length, 3);
    const [closing = ''] = customers;
    const refused = await own.call('POST', `${LIST}/${closing}/close`, { applied_configurations: [] });
    assert.equal(refused.body.error?.code, 'configs_must_match_to_close');
    await own.call('POST', `${LIST}/${closing}/close`, { applied_configurations: ['customer'] });
    assert.equal(idsOf((await own.call('GET', LIST)).body).includes(closing), false);
    assert.deepEqual(idsOf((await own.call('GET', `${LIST}?closed=true`)).body), [closing]);
    const changed = await own.call('POST', `${LIST}/${closing}`, { display_name: 'Kim' });
    assert.equal(changed.body.error?.code, 'account_closed');
  });
});

describe('the concurrency limit', () => {
  test('a refusal has the type that clients wait for, and leaves nothing taken', async () => {
    await using own = await bootAccounts({ limits: { concurrency: 1 } });
    const { body } = await own.call('POST', LIST, {});
    const replies = await Promise.all(Array.from({ length: 5 }, () => own.call('GET', `${LIST}/${body.id}`)));
    const refused = replies.filter(({ status }) => status === 429);
    assert.ok(refused.length > 0);
    for (const { body: answer } of refused) assert.equal(answer.error?.['type'], 'rate_limit');
    assert.equal((await own.call('GET', `${LIST}/${body.id}`)).status, 200);
  });
});

describe('time', () => {
  test('requirements fall due by the test clock of the account', async () => {
    await using own = await bootAccounts({ testClockAdvance: 0 });
    const clock = await own.call('POST', '/v2/test_helpers/test_clocks', {
      frozen_time: '2026-01-01T00:00:00Z',
    });
    const { body } = await own.call('POST', LIST, {
      contact_email: 'kim@example.com',
      contact_phone: '+442071838750',
      identity: {
        country: 'GB',
        entity_type: 'company',
        business_details: {
          registered_name: 'Kim',
          address: { country: 'GB', line1: '1 High Street', postal_code: 'SW1A 1AA' },
          id_numbers: [{ type: 'gb_crn', value: '12345678' }],
        },
      },
      defaults: { profile: { business_url: 'https://example.com' } },
      configuration: {
        customer: { test_clock: clock.body.id },
        merchant: { mcc: '5734', capabilities: { card_payments: { requested: true } } },
      },
    });
    const look = async () => {
      const query = 'include[]=configuration.merchant&include[]=requirements&include[]=future_requirements';
      const { body: found } = await own.call('GET', `${LIST}/${body.id}?${query}`);
      const merchant = (
        found['configuration'] as { merchant: { capabilities: { card_payments: { status: string } } } }
      ).merchant;
      const { entries } = found['requirements'] as { entries: { minimum_deadline: { status: string } }[] };
      const future = (found['future_requirements'] as { entries: unknown[] }).entries;
      return [
        merchant.capabilities.card_payments.status,
        entries.map((one) => one.minimum_deadline.status),
        future.length,
      ];
    };
    const advance = (to: string) =>
      own.call('POST', `/v2/test_helpers/test_clocks/${clock.body.id}/advance`, { frozen_time: to });
    assert.deepEqual(await look(), ['active', ['eventually_due'], 1]);
    await advance('2026-03-15T00:00:00Z');
    assert.deepEqual(await look(), ['active', ['currently_due'], 1]);
    await advance('2026-04-01T00:00:00Z');
    assert.deepEqual(await look(), ['restricted', ['past_due'], 1]);
    await advance('2027-04-01T00:00:00Z');
    assert.deepEqual(await look(), ['restricted', ['past_due', 'past_due'], 0]);
    const back = await advance('2026-01-01T00:00:00Z');
    assert.equal(back.body.error?.code, 'invalid_fields');
  });
});

test('a URL leads to what everybody reaches, and has no password', async () => {
  const refusal = async (url: string): Promise<string | undefined> => {
    const body = { defaults: { profile: { business_url: url } } };
    return (await server.call('POST', LIST, body)).body.error?.code;
  };
  for (const url of [
    'https://shop.example.com/a?b=1',
    'http://93.184.215.14/',
    'https://example.com:8443/',
    'https://例え.jp/',
  ])
    assert.equal(await refusal(url), undefined, url);
  for (const url of [
    'http://127.0.0.1/',
    'http://10.0.0.8/',
    'http://192.168.1.1/shop',
    'http://169.254.169.254/latest',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
    'http://2130706433/',
    'https://user:password@example.com/',
    'https://user@example.com/',
    'http://localhost/',
    'http://@example.com/',
    'http:example.com',
    'https://example.com/a b',
    'https://exa_mple.com/',
    'https://-example.com/',
    'https://example',
    'https://%65xample.com/',
    'https://example.com:0/',
    'http://8.8/',
  ])
    assert.equal(await refusal(url), 'url_invalid', url);
});

test('an email address has a local part and a name with a top level, in any script', async () => {
  const refusal = async (email: string): Promise<string | undefined> =>
    (await server.call('POST', LIST, { contact_email: email })).body.error?.code;
  for (const email of ['kim@example.com', 'kim.o+a@mail.example.co.uk', '山田@例え.jp'])
    assert.equal(await refusal(email), undefined, email);
  const wrong = [
    'kim',
    '@example.com',
    'kim@',
    'kim@example',
    'a b@example.com',
    'kim@-a.com',
    'kim@1.2',
    'kim@%65xample.com',
  ];
  for (const email of [...wrong, `${'k'.repeat(65)}@example.com`, 'a@b@example.com', 'kim@example.com\n'])
    assert.equal(await refusal(email), 'email_invalid', email);
});
