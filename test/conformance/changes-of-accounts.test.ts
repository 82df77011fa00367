/** What endpoints are told of accounts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import changes from '../../plugins/changes/index.js';
import { eachStore } from '../support/stores.js';
import { eventually } from '../support/eventually.js';
import { receiver } from '../support/peers/receiver.js';
import { bootAccounts } from '../plugins/accounts/support/server.js';

const LIST = '/v2/core/accounts';

eachStore('changes of accounts', (store) => {
  test('a creation, an update and a close are told in order, without what the account holds', async () => {
    await using to = await receiver();
    await using server = await bootAccounts(
      {},
      {
        storage: await store.fresh(),
        beside: [{ plugin: changes, config: { poll: 10, allowPrivate: true } }],
      },
    );
    const authorization = `Bearer ${await server.key('changes')}`;
    const endpoint = { url: to.url, types: ['v2.core.account.*'] };
    assert.equal(
      (await server.call('POST', '/api/changes/endpoints', endpoint, { authorization })).status,
      201,
    );
    const { body } = await server.call('POST', LIST, {
      contact_email: 'kim@example.com',
      configuration: { customer: {} },
    });
    await server.call('POST', `${LIST}/${body.id}`, { display_name: 'Kim' }, { 'idempotency-key': 'one' });
    await server.call('POST', `${LIST}/${body.id}`, { display_name: 'Kim' }, { 'idempotency-key': 'one' });
    const refused = await server.call('POST', `${LIST}/${body.id}`, { contact_email: 'no address' });
    assert.equal(refused.status, 400);
    await server.call('POST', `${LIST}/${body.id}/close`, { applied_configurations: ['customer'] });
    await eventually(() => to.received.length === 3, 'all three are told');
    assert.deepEqual(
      to.received.map(({ event: { type, subject, data } }) => [type, subject, data]),
      [
        ['created', []],
        ['updated', ['display_name']],
        ['closed', []],
      ].map(([kind, changed]) => [
        `v2.core.account.${String(kind)}`,
        body.id,
        { id: body.id, object: 'v2.core.account', platform: 'default', livemode: false, changed },
      ]),
    );
    assert.ok(!JSON.stringify(to.received).includes('kim@example.com'));
  });
});
