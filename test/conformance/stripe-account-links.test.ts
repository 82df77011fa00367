/** Account links with `stripe` unmodified, and the page that they lead to as a browser without scripts uses it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STORAGE } from 'plugboard/sdk';
import { Stripe } from 'stripe';
import changes from '../../plugins/changes/index.js';
import { bootAccounts, type AccountsServer } from '../plugins/accounts/support/server.js';
import { eachStore } from '../support/stores.js';

const URLS = { refresh_url: 'https://shop.example/again', return_url: 'https://shop.example/done' };
const ONBOARDING = { type: 'account_onboarding' as const, account_onboarding: URLS };

interface Answered {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
  readonly headers: Headers;
}

/** What a browser does: keeps the cookie, and sends forms from the page's own site. */
class Browser {
  readonly #url: string;
  #cookie = '';

  constructor(url: string) {
    this.#url = url;
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Answered> {
    return this.#read(
      await fetch(new URL(path, this.#url), { redirect: 'manual', headers: this.#own(headers) }),
    );
  }

  async post(
    path: string,
    form: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    const sent = { 'sec-fetch-site': 'same-origin', ...headers };
    const options = { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) } as const;
    return this.#read(await fetch(new URL(path, this.#url), { ...options, headers: this.#own(sent) }));
  }

  #own(headers: Record<string, string>): Record<string, string> {
    return { ...headers, ...(this.#cookie !== '' && { cookie: this.#cookie }) };
  }

  async #read(answer: Response): Promise<Answered> {
    const set = answer.headers.get('set-cookie');
    if (set !== null) this.#cookie = set.split(';')[0] ?? '';
    const { status, headers } = answer;
    return { status, headers, location: headers.get('location'), text: await answer.text() };
  }
}

/** An account that is to be a shop, and nothing else is known of it. */
async function shop(server: AccountsServer, identity: object = { country: 'US' }): Promise<string> {
  const { body } = await server.call('POST', '/v2/core/accounts', {
    identity,
    configuration: { merchant: { capabilities: { card_payments: { requested: true } } } },
  });
  return body.id;
}

async function opened(server: AccountsServer, account: string, useCase: object = ONBOARDING) {
  const { body } = await server.call('POST', '/v2/core/account_links', { account, use_case: useCase });
  const browser = new Browser(await server.listen());
  const start = await browser.post(`${new URL(String(body['url'])).pathname}/start`, {});
  return { browser, page: start.location ?? '', url: String(body['url']) };
}

async function statusOf(server: AccountsServer, account: string) {
  const { body } = await server.call(
    'GET',
    `/v2/core/accounts/${account}?include[]=configuration.merchant&include[]=identity`,
  );
  const { configuration, identity } = body as unknown as {
    configuration: { merchant: { capabilities: { card_payments: { status: string } } } };
    identity: { attestations: { terms_of_service: { account: { ip: string } } } | null };
  };
  return {
    card: configuration.merchant.capabilities.card_payments.status,
    terms: identity.attestations?.terms_of_service?.account.ip,
  };
}

const INDIVIDUAL = {
  step: 'details',
  contact_email: 'kim@example.com',
  'configuration.merchant.mcc': 'Computer Software Stores (5734)',
  'defaults.profile.business_url': 'https://example.com',
  'identity.individual.given_name': 'Kim',
  'identity.individual.surname': 'Jones',
  'identity.individual.date_of_birth.year': '1980',
  'identity.individual.date_of_birth.month': '3',
  'identity.individual.date_of_birth.day': '31',
  'identity.individual.address.line1': '1 Main Street',
  'identity.individual.address.city': 'Springfield',
  'identity.individual.address.state': 'IL',
  'identity.individual.address.postal_code': '62701',
  'identity.individual.phone': '+15555550123',
  'identity.individual.id_numbers.type': 'us_ssn',
  'identity.individual.id_numbers.value': '000123456',
};

eachStore('account links', (store) => {
  test('lead an individual from nothing to active, once, and the application is told', async () => {
    await using server = await bootAccounts(
      {},
      { storage: await store.fresh(), beside: [{ plugin: changes, config: { poll: 10 } }] },
    );
    const stripe = await server.stripe();
    const account = await shop(server);
    const link = await stripe.v2.core.accountLinks.create({ account, use_case: ONBOARDING });
    assert.deepEqual(
      [link.object, link.account, link.use_case],
      ['v2.core.account_link', account, ONBOARDING],
    );
    assert.ok(Date.parse(link.expires_at) > Date.parse(link.created));
    const links = server.service(STORAGE, 'accounts').collection({ name: 'account_links' });
    const key = link.url.split('/').at(-1) ?? '';
    assert.ok(!JSON.stringify(await links.find({}).toArray()).includes(key), 'the key is not in the store');

    const browser = new Browser(await server.listen());
    const { pathname } = new URL(link.url);
    const welcome = await browser.get(pathname);
    assert.match(welcome.text, /<html lang="en">.*Complete your account/s);
    assert.match(
      welcome.headers.get('content-security-policy') ?? '',
      /default-src 'none'; style-src 'nonce-[^']+'/,
    );
    assert.match((await browser.get(pathname, { 'accept-language': 'ko-KR,ko' })).text, /계정 등록 완료하기/);
    const { location: page } = await browser.post(`${pathname}/start`, {});
    assert.ok(page !== null && !page.includes(key));
    assert.match((await browser.get(page)).text, /Who runs this account\?/);
    await browser.post(page, { step: 'basics', 'identity.entity_type': 'individual' });
    assert.match((await browser.get(page)).text, /Step 2 of 3.*name="identity.individual.given_name"/s);
    assert.equal((await browser.post(page, INDIVIDUAL)).status, 303);
    const review = await browser.get(page);
    assert.match(review.text, /All that is asked for now is there/);
    assert.ok(!review.text.includes('000123456'));
    assert.deepEqual(await statusOf(server, account), { card: 'active', terms: undefined });
    assert.match((await browser.post(page, { step: 'review' })).text, /role="alert"/);
    const end = await browser.post(page, { step: 'review', terms: 'yes' });
    assert.deepEqual([end.status, end.location], [303, URLS.return_url]);
    assert.deepEqual(await statusOf(server, account), { card: 'active', terms: '127.0.0.1' });
    for (const again of [pathname, page])
      assert.deepEqual((await browser.get(again)).location, URLS.refresh_url);

    const told: string[] = [];
    let returned = '';
    for await (const { id, type } of stripe.v2.core.events.list({ object_id: account })) {
      told.push(type);
      if (type === 'v2.core.account_link.returned') returned = id;
    }
    const capability = 'v2.core.account[configuration.merchant].capability_status_updated';
    assert.deepEqual(
      told.toSorted(),
      [
        'v2.core.account.created',
        'v2.core.account.updated',
        'v2.core.account.updated',
        'v2.core.account.updated',
        capability,
        capability,
        'v2.core.account[configuration.merchant].updated',
        'v2.core.account[defaults].updated',
        'v2.core.account[identity].updated',
        'v2.core.account[identity].updated',
        'v2.core.account[identity].updated',
        'v2.core.account[requirements].updated',
        'v2.core.account[requirements].updated',
        'v2.core.account_link.returned',
      ].toSorted(),
    );
    const event = (await stripe.v2.core.events.retrieve(returned)) as unknown as {
      data: unknown;
      related_object: unknown;
    };
    assert.deepEqual(event.data, {
      account_id: account,
      configurations: ['merchant'],
      use_case: 'account_onboarding',
    });
    assert.equal(event.related_object, null);
  });

  test('of two browsers at once one has the link', async () => {
    await using server = await bootAccounts({}, { storage: await store.fresh() });
    const { body } = await server.call('POST', '/v2/core/account_links', {
      account: await shop(server),
      use_case: ONBOARDING,
    });
    const url = await server.listen();
    const start = `${new URL(String(body['url'])).pathname}/start`;
    const answers = await Promise.all(Array.from({ length: 5 }, () => new Browser(url).post(start, {})));
    const led = answers.map(({ location }) => location === URLS.refresh_url);
    assert.deepEqual(led.toSorted(), [false, true, true, true, true]);
  });
});

test('a company names its representative and owners on the page', async () => {
  await using server = await bootAccounts({ defaultPlatform: { require_persons: true } });
  const account = await shop(server, { country: 'US', entity_type: 'company' });
  const { browser, page } = await opened(server, account);
  const company = Object.fromEntries(
    Object.entries(INDIVIDUAL)
      .filter(([name]) => !/name|birth|id_numbers/.test(name))
      .map(([name, value]) => [name.replace('individual', 'business_details'), value]),
  );
  const details = {
    ...company,
    'identity.business_details.registered_name': 'Kim and Sons',
    'identity.business_details.structure': 'private_corporation',
    'identity.business_details.id_numbers.type': 'us_ein',
    'identity.business_details.id_numbers.value': '000000000',
  };
  assert.equal((await browser.post(page, details)).status, 303);
  assert.match((await browser.get(page)).text, /Nobody yet/);
  const early = await browser.post(page, { step: 'persons' });
  assert.match(early.text, /Add a person who represents the organization/);
  const person = {
    step: 'person',
    person: 'new',
    given_name: '<b>Ann</b>',
    surname: 'Lee',
    'relationship.representative': 'yes',
    'relationship.owner': 'yes',
    'relationship.percent_ownership': '60',
  };
  const wrong = await browser.post(page, { ...person, email: 'ann at example.com' });
  assert.match(wrong.text, /href="#email">This is not an email address/);
  assert.match(wrong.text, /value="&#60;b&#62;Ann&#60;\/b&#62;"/);
  const { location } = await browser.post(page, person);
  const list = await browser.get(location ?? '');
  assert.match(
    list.text,
    /&#60;b&#62;Ann&#60;\/b&#62; Lee.*Still missing: Date of birth, Street and number, Position, Email/s,
  );
  const id = /name="person" value="(person_[^"]+)"/.exec(list.text)?.[1] ?? '';
  const whole = {
    ...person,
    person: id,
    email: 'ann@example.com',
    'relationship.title': 'Treasurer',
    'date_of_birth.year': '1980',
    'date_of_birth.month': '1',
    'date_of_birth.day': '2',
    'address.line1': '2 Elm Street',
    'address.country': 'US',
    'id_numbers.type': 'us_ssn',
    'id_numbers.value': '000123456',
  };
  assert.equal((await browser.post(page, whole)).status, 303);
  assert.match((await browser.post(page, { step: 'persons' })).text, /role="alert"/);
  assert.equal((await browser.post(page, { step: 'persons', 'attest.owners': 'yes' })).status, 303);
  assert.match((await browser.get(page)).text, /All that is asked for now is there/);
  assert.equal((await browser.post(page, { step: 'review', terms: 'yes' })).location, URLS.return_url);
  assert.equal((await statusOf(server, account)).card, 'active');
});

test('a form is refused from another site, without the cookie, and when there were too many', async () => {
  await using server = await bootAccounts();
  const account = await shop(server);
  const { browser, page } = await opened(server, account);
  const form = { step: 'basics', 'identity.entity_type': 'company' };
  assert.equal((await browser.post(page, form, { 'sec-fetch-site': 'cross-site' })).status, 403);
  assert.equal((await browser.post(page, form, { 'sec-fetch-site': 'same-site' })).status, 403);
  const url = await server.listen();
  assert.equal((await new Browser(url).post(page, form)).location, URLS.refresh_url);
  assert.equal((await new Browser(url).get(page)).location, URLS.refresh_url);
  assert.equal((await new Browser(url).get('/v2/onboarding/unknown')).status, 404);
  assert.equal((await new Browser(url).post('/v2/onboarding/forms/unknown', form)).status, 404);
  const other = await opened(server, await shop(server));
  assert.equal((await browser.get(other.page)).location, URLS.refresh_url, 'one link, one account');
  const { body } = await server.call('GET', `/v2/core/accounts/${account}?include[]=identity`);
  assert.equal((body['identity'] as { entity_type: unknown }).entity_type, null);
  for (let sent = 0; sent < 200; sent += 1) await browser.post(page, { step: 'nothing' });
  assert.equal((await browser.post(page, form)).location, URLS.refresh_url);
  const large = await other.browser.post(other.page, { step: 'basics', x: 'x'.repeat(70_000) });
  assert.equal(large.status, 413);
});

test('a wrong value is kept, with its fault next to the input; only what is asked is taken', async () => {
  await using server = await bootAccounts();
  const account = await shop(server, { country: 'US', entity_type: 'individual' });
  const { browser, page } = await opened(server, account);
  for (const [input, value, problem] of [
    ['contact_email', 'kim at example.com', /href="#contact_email">This is not an email/],
    ['identity.individual.phone', 'twelve', /href="#identity.individual.phone">This is not a phone number/],
    ['identity.individual.address.postal_code', 'x', /This is not a postal code/],
    ['identity.individual.id_numbers.value', '1', /href="#identity.individual.id_numbers.value">This number/],
    [
      'identity.individual.date_of_birth.month',
      '13',
      /href="#identity.individual.date_of_birth">This is not a date/,
    ],
    ['configuration.merchant.mcc', 'Kites', /Choose an industry/],
    ['identity.individual.address.state', 'ZZ', /This is not accepted/],
    ['contact_email', '', /Email: this is needed/],
    ['identity.individual.given_name', 'x'.repeat(501), /This is not accepted/],
  ] as const) {
    const answer = await browser.post(page, { ...INDIVIDUAL, [input]: value });
    assert.equal(answer.status, 422, input);
    assert.match(answer.text, problem);
    assert.match(answer.text, /value="Jones"/, 'what was typed stays');
  }
  const more = {
    ...INDIVIDUAL,
    display_name: 'Owned',
    'identity.individual.email': 'x@example.com',
    __proto__: '1',
  };
  assert.equal((await browser.post(page, more)).status, 303);
  const { body } = await server.call('GET', `/v2/core/accounts/${account}?include[]=identity`);
  assert.equal(body['display_name'], null);
  assert.equal((body['identity'] as { individual: { email: unknown } }).individual.email, null);
});

test('a link is refused where it could not work', async () => {
  await using server = await bootAccounts({ platforms: { live: { keys: ['live'], livemode: true } } });
  const account = await shop(server);
  const { accountLinks } = (await server.stripe()).v2.core;
  const link = (more: object, of = account) =>
    accountLinks.create({
      account: of,
      use_case: { type: 'account_onboarding', account_onboarding: { ...URLS, ...more } },
    });
  for (const url of [
    'javascript:alert(1)',
    'nowhere',
    'https://kim:secret@shop.example/',
    'ftp://shop.example',
  ])
    await assert.rejects(link({ return_url: url }), { code: 'invalid_fields' });
  await assert.rejects(link({}, 'acct_nowhere'), { code: 'not_found' });
  await assert.rejects(link({ configurations: ['customer'] }), {
    code: 'configs_must_match_to_use_account_links',
  });
  assert.ok((await link({ configurations: ['merchant'] })).url);
  await assert.rejects(accountLinks.create({ account, use_case: { type: 'account_onboarding' } }), {
    code: 'invalid_fields',
  });
  const words = ['keys', 'create', 'live', '--scope', 'accounts', '--json'];
  const { key } = JSON.parse((await server.command(words)).stdout) as { key: string };
  const live = (await server.stripe(key)).v2.core;
  await assert.rejects(live.accountLinks.create({ account, use_case: ONBOARDING }), { code: 'not_found' });
  const insecure = { type: 'account_onboarding', account_onboarding: { refresh_url: 'http://a.example' } };
  await assert.rejects(live.accountLinks.create({ account, use_case: insecure }), /https/);
  const options = { idempotencyKey: 'one' };
  const one = await accountLinks.create({ account, use_case: ONBOARDING }, options);
  assert.equal((await accountLinks.create({ account, use_case: ONBOARDING }, options)).url, one.url);
  await assert.rejects(
    accountLinks.create({ account, use_case: { type: 'account_update', account_update: URLS } }, options),
    Stripe.errors.StripeIdempotencyError,
  );
});
