/** Persons of accounts, with `stripe` unmodified: what they are, what they fulfil, and how they are kept. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STORAGE, type Document } from 'plugboard/sdk';
import { Stripe } from 'stripe';
import changes from '../../plugins/changes/index.js';
import { ACTIVE } from '../../plugins/accounts/recipes/recipe.js';
import { eachStore } from '../support/stores.js';
import { bootAccounts, type AccountsServer } from '../plugins/accounts/support/server.js';

const LIST = '/v2/core/accounts';
const ADDRESS = {
  country: 'US',
  line1: '2 Elm Street',
  city: 'Springfield',
  state: 'IL',
  postal_code: '62701',
};
const REPRESENTATIVE = {
  given_name: 'Soo-jin',
  surname: 'Kimberley',
  date_of_birth: { day: 3, month: 4, year: 1980 },
  email: 'soo-jin@example.com',
  address: ADDRESS,
  id_numbers: [{ type: 'us_ssn', value: '000-12-3456' }],
  relationship: { representative: true, title: 'Treasurer' },
};

async function company(server: AccountsServer, more: object = {}): Promise<string> {
  const { body } = await server.call('POST', LIST, { ...ACTIVE, ...more });
  assert.ok(body.id, JSON.stringify(body));
  return body.id;
}

async function stateOf(server: AccountsServer, id: string) {
  const query = 'include[]=configuration.merchant&include[]=requirements';
  const { body } = await server.call('GET', `${LIST}/${id}?${query}`);
  const { configuration, requirements } = body as unknown as {
    configuration: { merchant: { capabilities: { card_payments: { status: string } } } };
    requirements: { entries: { description: string; reference: { resource: string } | null }[] };
  };
  return {
    status: configuration.merchant.capabilities.card_payments.status,
    entries: requirements.entries.map(({ description }) => description),
    references: requirements.entries.map(({ reference }) => reference?.resource),
  };
}

eachStore('persons', (store) => {
  test('are created, read, listed in pages, updated and deleted by the client, and sealed in the store', async () => {
    await using server = await bootAccounts({}, { storage: await store.fresh() });
    const stripe = await server.stripe();
    const { persons } = stripe.v2.core.accounts;
    const account = await company(server);
    const made = await persons.create(account, REPRESENTATIVE, { idempotencyKey: 'one' });
    assert.match(made.id, /^person_[0-9A-Za-z]{24}$/);
    assert.deepEqual(
      [made.object, made.account, made.given_name, made.relationship?.representative, made.id_numbers],
      ['v2.core.account_person', account, 'Soo-jin', true, [{ type: 'us_ssn' }]],
    );
    assert.equal((await persons.create(account, REPRESENTATIVE, { idempotencyKey: 'one' })).id, made.id);
    await assert.rejects(
      persons.create(account, {}, { idempotencyKey: 'one' }),
      Stripe.errors.StripeIdempotencyError,
    );
    const owner = await persons.create(account, {
      given_name: 'Ann',
      relationship: { owner: true, percent_ownership: Stripe.Decimal.from('33.5') },
      metadata: { kept: 'yes', dropped: 'soon' },
    });
    assert.equal(owner.relationship?.percent_ownership?.toString(), '33.5');
    const changed = await persons.update(account, owner.id, {
      surname: 'Lee',
      metadata: { dropped: null as never },
    });
    assert.deepEqual(
      [changed.given_name, changed.surname, changed.metadata],
      ['Ann', 'Lee', { kept: 'yes' }],
    );
    assert.deepEqual((await persons.retrieve(account, owner.id)).surname, 'Lee');
    const listed: string[] = [];
    for await (const { id } of persons.list(account, { limit: 1 })) listed.push(id);
    assert.deepEqual(listed.toSorted(), [made.id, owner.id].toSorted());

    const stored = await everything(server, 'persons', 'accounts', 'idempotency', 'events');
    for (const given of ['Soo-jin', 'Kimberley', 'soo-jin@example.com', '000-12-3456', 'Elm Street', 'Lee'])
      assert.ok(!stored.includes(given), `${given} is not readable in the store`);

    assert.equal((await persons.del(account, owner.id)).id, owner.id);
    await assert.rejects(persons.retrieve(account, owner.id), { code: 'not_found', statusCode: 404 });
    await assert.rejects(persons.list('acct_nowhere'), { code: 'not_found' });
  });

  test('fulfil what a company needs: restricted until its representative and owners are there', async () => {
    await using server = await bootAccounts(
      { defaultPlatform: { require_persons: true } },
      { storage: await store.fresh(), beside: [{ plugin: changes, config: { poll: 10 } }] },
    );
    const stripe = await server.stripe();
    const { accounts, events } = stripe.v2.core;
    const account = await company(server);
    assert.deepEqual(await stateOf(server, account), {
      status: 'restricted',
      entries: ['person.representative', 'identity.attestations.persons_provided.owners'],
      references: [undefined, undefined],
    });
    const { id } = await accounts.persons.create(account, { relationship: { representative: true } });
    const half = await stateOf(server, account);
    assert.deepEqual(half.entries, [
      'person.given_name',
      'person.surname',
      'person.date_of_birth',
      'person.address.line1',
      'person.relationship.title',
      'person.email',
      'person.id_numbers',
      'identity.attestations.persons_provided.owners',
    ]);
    assert.deepEqual(half.references[0], id);
    await accounts.persons.update(account, id, REPRESENTATIVE);
    await accounts.update(account, { identity: { attestations: { persons_provided: { owners: true } } } });
    assert.deepEqual((await stateOf(server, account)).status, 'active');
    await accounts.persons.del(account, id);
    assert.deepEqual((await stateOf(server, account)).entries, ['person.representative']);

    const told: [string, unknown][] = [];
    for await (const event of events.list({})) {
      const { type, related_object: of } = event as unknown as Told;
      told.unshift([type, of.id === account ? 'account' : of.url.endsWith(`/persons/${id}`) && 'person']);
    }
    const capability = 'v2.core.account[configuration.merchant].capability_status_updated';
    const card = [
      [capability, 'account'],
      [capability, 'account'],
    ];
    const requirements = ['v2.core.account[requirements].updated', 'account'];
    assert.deepEqual(
      sortedRuns(told),
      sortedRuns([
        ['v2.core.account.created', 'account'],
        ['v2.core.account_person.created', 'person'],
        requirements,
        ['v2.core.account_person.updated', 'person'],
        requirements,
        ['v2.core.account.updated', 'account'],
        ['v2.core.account[identity].updated', 'account'],
        requirements,
        ...card,
        ['v2.core.account_person.deleted', 'person'],
        requirements,
        ...card,
      ]),
    );
    const list = await events.list({ types: [capability], limit: 1 });
    const read = await events.retrieve(list.data[0]?.id ?? '');
    assert.match(JSON.stringify(read), /"updated_capability":"(card_payments|service_balance.payouts)"/);
    const ofPerson = await events.list({ object_id: id });
    assert.equal(ofPerson.data.length, 3);
  });

  test('of two representatives at once one is refused', async () => {
    await using server = await bootAccounts({}, { storage: await store.fresh() });
    const account = await company(server);
    const answers = await Promise.all(
      ['Ann', 'Bob', 'Eve'].map((given_name) =>
        server.call('POST', `${LIST}/${account}/persons`, {
          given_name,
          relationship: { representative: true },
        }),
      ),
    );
    assert.deepEqual(answers.map(({ status, body }) => body.error?.code ?? status).toSorted(), [
      200,
      'additional_representative_not_allowed',
      'additional_representative_not_allowed',
    ]);
  });
});

interface Told {
  readonly type: string;
  readonly related_object: { readonly id: string; readonly url: string };
}

/** Events of one transaction have one time, and no order among them in a list. */
function sortedRuns(events: readonly (readonly unknown[])[]): string[] {
  return events.map((event) => JSON.stringify(event)).toSorted();
}

async function everything(server: AccountsServer, ...names: string[]): Promise<string> {
  const found: Document[] = [];
  for (const name of names)
    found.push(...(await server.service(STORAGE, 'accounts').collection({ name }).find({}).toArray()));
  return JSON.stringify(found);
}

test('a person token is used once, for its account alone', async () => {
  await using server = await bootAccounts();
  const { accounts } = (await server.stripe()).v2.core;
  const [account, other] = [await company(server), await company(server)];
  const token = await accounts.personTokens.create(account, REPRESENTATIVE);
  assert.deepEqual([token.object, token.used], ['v2.core.account_person_token', false]);
  const used = { person_token: token.id };
  await assert.rejects(accounts.persons.create(other, used), { code: 'incorrect_account_for_person_token' });
  await assert.rejects(accounts.persons.create(account, { ...used, surname: 'Lee' }), {
    code: 'param_alongside_person_token',
  });
  const person = await accounts.persons.create(account, used);
  assert.equal(person.surname, 'Kimberley');
  assert.equal((await accounts.personTokens.retrieve(account, token.id)).used, true);
  await assert.rejects(accounts.personTokens.retrieve(other, token.id), { code: 'not_found' });
  await assert.rejects(accounts.persons.update(account, person.id, used), { code: 'token_already_used' });
  const forAccount = await server.call('POST', '/v2/core/account_tokens', { display_name: 'Kim' });
  for (const [person_token, code] of [
    ['perstok_unknown', 'invalid_person_token'],
    ['ct_1', 'v1_token_invalid_in_v2'],
    [forAccount.body.id, 'incorrect_token_wrong_type'],
  ] as const)
    await assert.rejects(accounts.persons.create(account, { person_token }), { code });
  await assert.rejects(accounts.create({ account_token: token.id }), { code: 'incorrect_token_wrong_type' });
});

const GUARDIAN = { relationship: { legal_guardian: true } };

/** What is refused: to which account it is sent, beside which persons, and what. */
const REFUSALS: readonly { code: string; of?: object; beside?: readonly object[]; body: object }[] = [
  {
    code: 'additional_representative_not_allowed',
    beside: [{ relationship: { representative: true } }],
    body: { relationship: { representative: true } },
  },
  {
    code: 'additional_legal_guardian_not_allowed',
    beside: [{ relationship: { representative: true } }, GUARDIAN],
    body: GUARDIAN,
  },
  { code: 'legal_guardian_requires_existing_representative', body: GUARDIAN },
  {
    code: 'legal_guardian_representative_not_allowed',
    body: { relationship: { legal_guardian: true, representative: true } },
  },
  {
    code: 'additional_tos_only_allowed_for_legal_guardian',
    body: { additional_terms_of_service: { account: { date: '2026-01-01', ip: '127.0.0.1' } } },
  },
  {
    code: 'ip_address_invalid',
    beside: [{ relationship: { representative: true } }],
    body: { ...GUARDIAN, additional_terms_of_service: { account: { date: '2026-01-01', ip: '1' } } },
  },
  {
    code: 'authorizer_duplicate',
    beside: [{ relationship: { authorizer: true } }],
    body: { relationship: { authorizer: true } },
  },
  {
    code: 'authorizer_relationship_invalid_for_representative',
    body: { relationship: { authorizer: true, representative: true } },
  },
  {
    code: 'individual_additional_person_not_allowed',
    of: { identity: { country: 'US', entity_type: 'individual' } },
    body: { given_name: 'Ann' },
  },
  {
    code: 'invalid_relationship_for_identity_type_structure_and_country',
    of: { identity: { country: 'US', entity_type: 'government_entity' } },
    body: { relationship: { owner: true } },
  },
  { code: 'address_country_required', body: { address: { line1: '2 Elm Street' } } },
  {
    code: 'total_person_ownership_exceeded',
    beside: [{ relationship: { owner: true, percent_ownership: '60.5' } }],
    body: { relationship: { owner: true, percent_ownership: '39.500001' } },
  },
  {
    code: 'person_percent_ownership_invalid',
    body: { relationship: { owner: true, percent_ownership: '0' } },
  },
  {
    code: 'duplicate_person_not_allowed',
    beside: [REPRESENTATIVE],
    body: { ...REPRESENTATIVE, relationship: null },
  },
  { code: 'phone_invalid', body: { phone: 'twelve' } },
  { code: 'email_invalid', body: { email: 'kim at example.com' } },
  { code: 'date_of_birth_invalid', body: { date_of_birth: { day: 30, month: 2, year: 1980 } } },
  { code: 'date_of_birth_age_restriction', body: { date_of_birth: { day: 1, month: 1, year: 2024 } } },
  { code: 'id_number_invalid', body: { id_numbers: [{ type: 'us_ssn', value: '1' }] } },
  { code: 'address_state_invalid', body: { address: { ...ADDRESS, state: 'Nowhere' } } },
  { code: 'document_invalid', body: { documents: { passport: { type: 'files', files: ['file_none'] } } } },
  { code: 'invalid_fields', body: { nickname: 'Kim' } },
  { code: 'invalid_fields', body: { nationalities: ['XX'] } },
];

test('a person that cannot be is refused by a code, and nothing is stored', async () => {
  await using server = await bootAccounts();
  for (const { code, of, beside = [], body } of REFUSALS) {
    const account = await company(server, of);
    const persons = `${LIST}/${account}/persons`;
    for (const one of beside) assert.equal((await server.call('POST', persons, one)).status, 200, code);
    const { status, body: refused } = await server.call('POST', persons, body);
    assert.equal(refused.error?.code, code, JSON.stringify(refused));
    assert.equal(status, 400);
    assert.doesNotMatch(refused.error?.message ?? '', /identity\.individual\./);
    const { data } = (await server.call('GET', persons)).body as unknown as { data: unknown[] };
    assert.equal(data.length, beside.length, code);
  }
});

test('platforms of countries that want tokens send persons by token; others see nothing of them', async () => {
  await using server = await bootAccounts({
    platforms: { french: { keys: ['french'], settings: { country: 'FR' } } },
  });
  const words = ['keys', 'create', 'french', '--scope', 'accounts', '--json'];
  const { key } = JSON.parse((await server.command(words)).stdout) as { key: string };
  const { accounts } = (await server.stripe(key)).v2.core;
  const { id } = await accounts.create({ identity: { country: 'FR' }, configuration: { merchant: {} } });
  await assert.rejects(accounts.persons.create(id, { given_name: 'Ann' }), { code: 'person_token_required' });
  const token = await accounts.personTokens.create(id, { given_name: 'Ann' });
  const person = await accounts.persons.create(id, { person_token: token.id });
  const { persons } = (await server.stripe()).v2.core.accounts;
  for (const call of [
    persons.retrieve(id, person.id),
    persons.list(id),
    persons.update(id, person.id, {}),
    persons.del(id, person.id),
  ])
    await assert.rejects(call, { code: 'not_found' });
  const explained = await server.call('GET', '/v2/core/errors/person_token_required');
  assert.equal(explained.body['status'], 400);
});
