/** The official client, unmodified, over a real socket. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Stripe } from 'stripe';
import { bootAccounts, type AccountsServer } from './support/server.js';

let server: AccountsServer;
let stripe: Stripe;

before(async () => {
  server = await bootAccounts();
  stripe = await server.stripe();
});
after(() => server.stop());

test('the client creates, updates, retrieves and closes an account', async () => {
  const { accounts } = stripe.v2.core;
  const created = await accounts.create({
    contact_email: 'kim@example.com',
    display_name: 'Kim',
    identity: { country: 'us', entity_type: 'individual', individual: { given_name: 'Kim' } },
    configuration: { customer: {} },
    include: ['identity', 'configuration.customer'],
    metadata: { kept: 'yes', dropped: 'soon' },
  });
  assert.match(created.id, /^acct_[0-9A-Za-z]{24}$/);
  assert.equal(created.identity?.individual?.given_name, 'Kim');
  assert.deepEqual(created.applied_configurations, ['customer']);

  const updated = await accounts.update(created.id, {
    display_name: 'Kim K.',
    metadata: { dropped: null as never, added: 'now' },
  });
  assert.equal(updated.display_name, 'Kim K.');
  assert.deepEqual(updated.metadata, { kept: 'yes', added: 'now' });
  assert.equal(updated.identity, null);

  const retrieved = await accounts.retrieve(created.id, { include: ['identity', 'defaults'] });
  assert.equal(retrieved.identity?.country, 'us');
  assert.equal(retrieved.configuration, null);

  const closed = await accounts.close(created.id, { applied_configurations: ['customer'] });
  assert.equal(closed.closed, true);
});

test('a decimal of the client comes back as a decimal', async () => {
  const account = await stripe.v2.core.accounts.create({
    identity: {
      country: 'us',
      individual: { relationship: { owner: true, percent_ownership: Stripe.Decimal.from('12.5') } },
    },
    include: ['identity'],
  });
  assert.equal(account.identity?.individual?.relationship?.percent_ownership?.toString(), '12.5');
});

test('the client pages through all accounts by itself, newest first', async () => {
  await using own = await bootAccounts();
  const client = await own.stripe();
  const made: string[] = [];
  for (let at = 0; at < 7; at += 1) made.push((await client.v2.core.accounts.create({})).id);
  const listed: string[] = [];
  for await (const { id } of client.v2.core.accounts.list({ limit: 3 })) listed.push(id);
  assert.deepEqual(new Set(listed), new Set(made));
  assert.equal(listed.length, made.length);
});

test('errors are the classes of the client', async () => {
  const { accounts } = stripe.v2.core;
  await assert.rejects(
    accounts.retrieve('acct_nowhere'),
    (error: InstanceType<typeof Stripe.errors.StripeError>) => {
      assert.ok(error instanceof Stripe.errors.StripeInvalidRequestError);
      assert.equal(error.code, 'not_found');
      assert.equal(error.statusCode, 404);
      assert.ok(error.requestId);
      return true;
    },
  );
  await assert.rejects(
    (await server.stripe('pb_wrong')).v2.core.accounts.create({}),
    Stripe.errors.StripeAuthenticationError,
  );
  const idempotencyKey = 'one-key';
  await accounts.create({ display_name: 'a' }, { idempotencyKey });
  await assert.rejects(
    accounts.create({ display_name: 'b' }, { idempotencyKey }),
    Stripe.errors.StripeIdempotencyError,
  );
});

test('a call that the server does not have is an error of the client, with what to call instead', async () => {
  const refusal = (message: RegExp) => ({ type: 'StripeInvalidRequestError', statusCode: 404, message });
  await assert.rejects(
    stripe.customers.create({ email: 'kim@example.com' }),
    refusal(/POST: \/v1\/customers\); call \/v2\/core\/accounts with configuration\.customer instead/),
  );
  for (const [call, instead] of [
    [() => stripe.accounts.create({}), /POST: \/v1\/accounts\); call \/v2\/core\/accounts instead/],
    [() => stripe.tokens.create({ account: {} }), /call \/v2\/core\/account_tokens or/],
    [
      () => stripe.accountLinks.create({ account: 'acct_1', type: 'account_onboarding' }),
      /call \/v2\/core\/account_links instead/,
    ],
    [() => stripe.webhookEndpoints.list(), /call \/v2\/core\/event_destinations instead/],
    [() => stripe.paymentIntents.create({ amount: 1, currency: 'usd' }), /this server has accounts/],
  ] as const)
    await assert.rejects(call, refusal(instead));
  await assert.rejects(stripe.charges.list(), refusal(/GET: \/v1\/charges\); this server has accounts/));
  await assert.rejects(stripe.v2.billing.meterEvents.create({ event_name: 'a', payload: {} }), refusal(/v2/));
  await assert.rejects(stripe.rawRequest('GET', '/nowhere'), refusal(/GET: \/nowhere/));
  await assert.rejects(stripe.rawRequest('DELETE', '/v2/core/accounts/acct_1'), {
    statusCode: 405,
    code: 'method_not_allowed',
  });
});
