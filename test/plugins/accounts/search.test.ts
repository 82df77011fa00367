/** Accounts are found by their address, their metadata and their configurations, also those stored before. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STORAGE } from 'plugboard/sdk';
import { eventually } from '../../support/eventually.js';
import { eachStore } from '../../support/stores.js';
import { bootAccounts, type AccountsServer } from './support/server.js';

const LIST = '/v2/core/accounts';

async function found(server: AccountsServer, query: string): Promise<string[]> {
  const { status, body } = await server.call('GET', `${LIST}?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return (body['data'] as { display_name: string }[]).map(({ display_name: name }) => name).toSorted();
}

eachStore('the search of accounts', (store) => {
  test('by an address in any letter case, by metadata and by configurations, and by all of them', async () => {
    await using server = await bootAccounts({}, { storage: await store.fresh() });
    const make = (name: string, more: object): Promise<unknown> =>
      server.call('POST', LIST, { display_name: name, ...more });
    await make('Kim', { contact_email: 'Kim@Example.com', metadata: { team: 'blue', '$a.b': 'x' } });
    await make('Lee', {
      contact_email: 'kim@example.com',
      metadata: { team: 'red' },
      configuration: { customer: {} },
    });
    await make('Oh', { metadata: { team: 'blue' } });
    assert.deepEqual(await found(server, 'contact_email=KIM@example.com'), ['Kim', 'Lee']);
    assert.deepEqual(await found(server, 'metadata[team]=blue'), ['Kim', 'Oh']);
    assert.deepEqual(await found(server, 'metadata[%24a.b]=x'), ['Kim']);
    assert.deepEqual(await found(server, 'metadata[team]=Blue'), []);
    const both = 'contact_email=kim@example.com&metadata[team]=red&applied_configurations[]=customer';
    assert.deepEqual(await found(server, both), ['Lee']);
    assert.deepEqual(await found(server, 'contact_email=kim@example.com&metadata[team]=green'), []);
    assert.deepEqual(await found(server, 'contact_email=nobody@example.com'), []);
  });

  test('an update and a closing are seen, and pages keep what was asked for', async () => {
    await using server = await bootAccounts({}, { storage: await store.fresh() });
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c'])
      ids.push((await server.call('POST', LIST, { display_name: name, metadata: { team: 'blue' } })).body.id);
    const first = await server.call('GET', `${LIST}?metadata[team]=blue&limit=2`);
    const next = await server.call('GET', first.body['next_page_url'] as string);
    assert.equal((next.body['data'] as unknown[]).length, 1);
    await server.call('POST', `${LIST}/${ids[0]}`, { metadata: { team: 'red' } });
    await server.call('POST', `${LIST}/${ids[1]}/close`, { applied_configurations: [] });
    assert.deepEqual(await found(server, 'metadata[team]=blue'), ['c']);
    assert.deepEqual(await found(server, 'metadata[team]=red'), ['a']);
    assert.deepEqual(await found(server, 'metadata[team]=blue&closed=true'), ['b']);
  });

  test('accounts that were stored before they could be searched are found after a start', async () => {
    const storage = await store.fresh();
    await using before = await bootAccounts({}, { storage });
    await before.call('POST', LIST, { display_name: 'old', contact_email: 'old@example.com' });
    const stored = before.service(STORAGE, 'accounts');
    await stored.collection({ name: 'accounts' }).updateMany({}, { $set: { lists: ['default|open|'] } });
    await eventually(
      async () => (await stored.collection({ name: 'forms' }).deleteMany({})) > 0,
      'the first start had found nothing to renew',
    );
    assert.deepEqual(await found(before, 'contact_email=old@example.com'), []);
    await before[Symbol.asyncDispose]();
    await using after = await bootAccounts({}, { storage });
    await eventually(
      async () => (await found(after, 'contact_email=old@example.com')).length === 1,
      'the account is found',
    );
  });

  test('what cannot be asked for is refused', async () => {
    await using server = await bootAccounts({}, { storage: await store.fresh() });
    for (const query of [
      'contact_email=',
      'metadata=x',
      'metadata[]=x',
      'metadata[a]=x&metadata[a]=y',
      'email=x',
    ])
      assert.equal((await server.call('GET', `${LIST}?${query}`)).status, 400, query);
  });
});
