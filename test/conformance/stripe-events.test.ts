/** Events and event destinations with `stripe`, unmodified: told, checked, read back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Stripe } from 'stripe';
import changes from '../../plugins/changes/index.js';
import { bootAccounts, type AccountsServer } from '../plugins/accounts/support/server.js';
import { eventually } from '../support/eventually.js';
import { receiver } from '../support/peers/receiver.js';
import { eachStore, type TestStore } from '../support/stores.js';

async function boot(store: TestStore, config: object = {}): Promise<AccountsServer> {
  const beside = [{ plugin: changes, config: { poll: 10, allowPrivate: true } }];
  return bootAccounts(config, { storage: await store.fresh(), beside });
}

const destination = (url: string, types: string[]): Stripe.V2.Core.EventDestinationCreateParams => ({
  name: 'Books',
  type: 'webhook_endpoint',
  event_payload: 'thin',
  enabled_events: types,
  webhook_endpoint: { url },
  include: ['webhook_endpoint.signing_secret', 'webhook_endpoint.url'],
});

eachStore('events of accounts', (store) => {
  test('a thin event is taken by parseEventNotification and leads to the event and the account', async () => {
    await using to = await receiver();
    await using server = await boot(store);
    const stripe = await server.stripe();
    const made = await stripe.v2.core.eventDestinations.create(destination(to.url, ['*']));
    assert.equal(made.webhook_endpoint?.url, to.url);
    const secret = made.webhook_endpoint?.signing_secret ?? '';
    assert.match(secret, /^whsec_/);

    const account = await stripe.v2.core.accounts.create({
      contact_email: 'kim@example.com',
      configuration: { customer: {} },
    });
    await stripe.v2.core.accounts.update(account.id, { identity: { country: 'us' } });
    await eventually(() => to.received.length === 3, 'the creation, the update and its part are told');
    const notifications = to.received.map(({ body, headers }) =>
      stripe.parseEventNotification(body, String(headers['stripe-signature']), secret),
    );
    assert.deepEqual(
      notifications.map(({ type }) => type),
      ['v2.core.account.created', 'v2.core.account.updated', 'v2.core.account[identity].updated'],
    );
    const [first] = notifications as [Stripe.Events.V2CoreAccountCreatedEventNotification];
    assert.equal((await first.fetchRelatedObject()).id, account.id);
    const event = await first.fetchEvent();
    assert.deepEqual([event.id, event.type, event.livemode], [first.id, first.type, false]);
    assert.ok(!JSON.stringify(to.received).includes('kim@example.com'));
    assert.throws(() => stripe.parseEventNotification(to.received[0]?.body ?? '', 't=1,v1=0', secret));
  });

  test('events are listed by account, type and time, in pages; another platform sees none', async () => {
    await using server = await boot(store, { platforms: { other: { keys: ['theirs'] } } });
    const stripe = await server.stripe();
    const ids: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      const { id } = await stripe.v2.core.accounts.create({ display_name: `number ${at}` });
      await stripe.v2.core.accounts.update(id, { display_name: 'changed' });
      ids.push(id);
    }
    const all: string[] = [];
    for await (const { type } of stripe.v2.core.events.list({ limit: 2 })) all.push(type);
    assert.deepEqual(
      all,
      Array.from({ length: 3 }, () => ['v2.core.account.updated', 'v2.core.account.created']).flat(),
    );
    const mine = await stripe.v2.core.events.list({
      object_id: ids[1] ?? '',
      types: ['v2.core.account.created'],
      created: { lte: Math.ceil(Date.now() / 1_000) },
    });
    assert.deepEqual(
      mine.data.map((event) => (event as { related_object?: { id: string } }).related_object?.id),
      [ids[1]],
    );
    const none = await stripe.v2.core.events.list({ created: { gt: 32_472_144_000 } });
    assert.deepEqual(none.data, []);
    const { stdout } = await server.command(['keys', 'create', 'theirs', '--scope', 'accounts', '--json']);
    const { key } = JSON.parse(stdout) as { key: string };
    const theirs = await server.stripe(key);
    assert.deepEqual((await theirs.v2.core.events.list({})).data, []);
    const [newest] = (await stripe.v2.core.events.list({ limit: 1 })).data;
    await assert.rejects(theirs.v2.core.events.retrieve(newest?.id ?? ''), { code: 'not_found' });
  });

  test('a destination is changed, disabled, enabled, pinged and deleted, by its platform alone', async () => {
    await using to = await receiver();
    await using server = await boot(store);
    const stripe = await server.stripe();
    const { eventDestinations } = stripe.v2.core;
    const { id } = await eventDestinations.create(destination(to.url, ['v2.core.account.closed']));
    const ping = await eventDestinations.ping(id);
    await eventually(() => to.received.length === 1, 'the ping came');
    assert.equal((JSON.parse(to.received[0]?.body ?? '') as { id: string }).id, ping.id);

    assert.equal((await eventDestinations.disable(id)).status, 'disabled');
    const account = await stripe.v2.core.accounts.create({ configuration: { customer: {} } });
    await stripe.v2.core.accounts.close(account.id, { applied_configurations: ['customer'] });
    assert.equal((await eventDestinations.enable(id)).status, 'enabled');
    await eventually(() => to.received.length === 2, 'what was held back came');

    const changed = await eventDestinations.update(id, { name: 'Ledger', metadata: { 'a.b': '1', $c: '2' } });
    assert.deepEqual([changed.name, changed.metadata], ['Ledger', { 'a.b': '1', $c: '2' }]);
    assert.equal(changed.webhook_endpoint?.url, null, 'only by include');
    assert.deepEqual(
      (await eventDestinations.list()).data.map((each) => each.id),
      [id],
    );
    assert.equal((await eventDestinations.del(id)).id, id);
    await assert.rejects(eventDestinations.retrieve(id), { code: 'not_found' });
    await assert.rejects(eventDestinations.create(destination('http://169.254.169.254/x', ['*'])), {
      code: 'address_refused',
    });
  });
});

test('without the plugin changes there are no events, and the client throws', async () => {
  await using server = await bootAccounts();
  const stripe = await server.stripe();
  await assert.rejects(
    stripe.v2.core.events.list({}),
    /Unrecognized request URL \(GET: \/v2\/core\/events\)/,
  );
});
