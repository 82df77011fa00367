/** One key, one effect: whatever is sent at once, again, or after a crash of the connection. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { STORAGE } from 'plugboard/sdk';
import { AccountStore } from '../../../plugins/accounts/service/store.js';
import { eachStore } from '../../support/stores.js';
import { cuttingProxy } from './support/cutting-proxy.js';
import { bootAccounts, type AccountsServer, type Reply } from './support/server.js';

const LIST = '/v2/core/accounts';
const MANY = { limits: { concurrency: 1_000, creations: 1_000 } };
const DAY = 86_400_000;

const keyed = (key: string) => ({ 'idempotency-key': key });

function countAccounts(server: AccountsServer): Promise<number> {
  return server.service(STORAGE, 'accounts').collection({ name: 'accounts' }).countDocuments({});
}

function assertOneAnswer(replies: readonly Reply[]): void {
  const [first] = replies;
  assert.equal(first?.status, 200, JSON.stringify(first?.body));
  for (const reply of replies) assert.deepEqual([reply.status, reply.body], [200, first.body]);
}

eachStore('idempotency of accounts', (store) => {
  test('64 creations at once with one key make one account and answer the same, over two instances where the store is shared', async () => {
    const storage = await store.fresh();
    await using first = await bootAccounts({}, { storage });
    await using second = store.name === 'mongodb' ? await bootAccounts({}, { storage }) : undefined;
    const instances = second === undefined ? [first] : [first, second];
    const replies = await Promise.all(
      Array.from({ length: 64 }, (_, at) =>
        (instances[at % instances.length] ?? first).call(
          'POST',
          LIST,
          { display_name: 'Kim' },
          { ...keyed('one'), authorization: `Bearer ${first.apiKey}` },
        ),
      ),
    );
    assertOneAnswer(replies);
    assert.equal(await countAccounts(first), 1);
    assert.equal(replies.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length, 1);
  });

  test('a replay is the first answer, also when the account has changed since', async () => {
    await using server = await bootAccounts({}, { storage: await store.fresh() });
    const first = await server.call('POST', LIST, { display_name: 'Kim' }, keyed('a'));
    await server.call('POST', `${LIST}/${first.body.id}`, { display_name: 'Lee' });
    const again = await server.call('POST', LIST, { display_name: 'Kim' }, keyed('a'));
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.deepEqual(again.body, first.body);
  });

  test('an account that a member of the database hides makes no room for a second one', async () => {
    await using server = await bootAccounts({}, { storage: await store.fresh() });
    const create = (): Promise<Reply> => server.call('POST', LIST, { display_name: 'Kim' }, keyed('hidden'));
    const first = await create();
    const find = AccountStore.prototype.findById;
    let hidden = 3;
    const hiding = mock.method(AccountStore.prototype, 'findById', function (this: AccountStore, id: string) {
      return hidden-- > 0 ? Promise.resolve(null) : find.call(this, id);
    });
    try {
      const again = await create();
      assert.deepEqual([again.status, again.body], [200, first.body]);
      assert.ok(hiding.mock.callCount() > 3, 'it was looked for again');
      hidden = Infinity;
      assert.equal((await create()).status, 503);
    } finally {
      hiding.mock.restore();
    }
    assert.equal(await countAccounts(server), 1);
  });

  test('32 updates at once lose nothing, over two instances where the store is shared', async () => {
    const storage = await store.fresh();
    await using first = await bootAccounts(MANY, { storage });
    await using second = store.name === 'mongodb' ? await bootAccounts(MANY, { storage }) : undefined;
    const headers = { authorization: `Bearer ${first.apiKey}` };
    const { body } = await first.call('POST', LIST, {});
    const replies = await Promise.all(
      Array.from({ length: 32 }, (_, at) =>
        (at % 2 === 0 ? first : (second ?? first)).call(
          'POST',
          `${LIST}/${body.id}`,
          { metadata: { [`k${at}`]: 'v' } },
          { ...headers, ...(at % 4 < 2 && keyed(`update-${at}`)) },
        ),
      ),
    );
    assert.deepEqual(
      replies.filter(({ status }) => status !== 200),
      [],
    );
    const { body: after } = await first.call('GET', `${LIST}/${body.id}`);
    assert.equal(Object.keys(after['metadata'] as object).length, 32);
  });

  test('updates at once with one key are one update', async () => {
    await using server = await bootAccounts(MANY, { storage: await store.fresh() });
    const { body } = await server.call('POST', LIST, {});
    const update = () => server.call('POST', `${LIST}/${body.id}`, { display_name: 'Kim' }, keyed('u'));
    assertOneAnswer(await Promise.all(Array.from({ length: 16 }, update)));
    await server.call('POST', `${LIST}/${body.id}`, { display_name: 'Lee' });
    assert.equal((await update()).body['display_name'], 'Kim');
    assert.equal((await server.call('GET', `${LIST}/${body.id}`)).body['display_name'], 'Lee');
  });

  test('a key with another body is 409 for a success and for a failure, and says not to try again', async () => {
    await using server = await bootAccounts({}, { storage: await store.fresh() });
    await server.call('POST', LIST, { display_name: 'Kim' }, keyed('good'));
    await server.call('POST', LIST, { contact_email: 'nobody' }, keyed('bad'));
    for (const key of ['good', 'bad']) {
      const { status, headers, body } = await server.call('POST', LIST, { display_name: 'Lee' }, keyed(key));
      assert.deepEqual(
        [status, body.error?.code, body.error?.['type']],
        [409, 'idempotency_error', 'idempotency_error'],
      );
      assert.equal(headers['stripe-should-retry'], 'false');
    }
    assert.equal(await countAccounts(server), 1);
  });

  test('the order of the members of a body does not make it another one', async () => {
    await using server = await bootAccounts({}, { storage: await store.fresh() });
    const replies = [
      await server.call('POST', LIST, '{"display_name":"Kim","metadata":{"a":"1","b":"2"}}', keyed('order')),
      await server.call('POST', LIST, '{"metadata":{"b":"2","a":"1"},"display_name":"Kim"}', keyed('order')),
    ];
    assertOneAnswer(replies);
  });

  test('a failure runs again with the same body, and may succeed then', async () => {
    await using server = await bootAccounts({}, { storage: await store.fresh() });
    const body = {
      identity: { country: 'US' },
      configuration: { merchant: { branding: { icon: 'file_1' } } },
    };
    const failed = await server.call('POST', LIST, body, keyed('retry'));
    assert.equal(failed.body.error?.code, 'document_invalid');
    await server.call('POST', '/v2/test_helpers/fixtures', {
      kind: 'file',
      id: 'file_1',
      purpose: 'business_icon',
    });
    const succeeded = await server.call('POST', LIST, body, keyed('retry'));
    assert.equal(succeeded.status, 200);
    assert.equal(succeeded.headers['idempotent-replayed'], undefined);
  });

  test('a key replays its first success for 30 days, and is free for another request from then on', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    await using server = await bootAccounts({}, { storage: await store.fresh(), clock: { now: () => now } });
    const first = await server.call('POST', LIST, { display_name: 'Kim' }, keyed('k'));
    now += 30 * DAY - 1;
    const second = await server.call('POST', LIST, { display_name: 'Kim' }, keyed('k'));
    assert.equal(second.body.id, first.body.id);
    now += 1;
    const third = await server.call('POST', LIST, { display_name: 'Lee' }, keyed('k'));
    assert.equal(third.status, 200, JSON.stringify(third.body));
    assert.notEqual(third.body.id, first.body.id);
    const fourth = await server.call('POST', LIST, { display_name: 'Lee' }, keyed('k'));
    assert.equal(fourth.body.id, third.body.id);
  });

  test('an account token is used once, and the request that used it replays', async () => {
    await using server = await bootAccounts({}, { storage: await store.fresh() });
    const token = await server.call('POST', '/v2/core/account_tokens', { display_name: 'Kim' }, keyed('t'));
    const again = await server.call('POST', '/v2/core/account_tokens', { display_name: 'Kim' }, keyed('t'));
    assert.equal(again.body.id, token.body.id);
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        server.call('POST', LIST, { account_token: token.body.id }, keyed('use')),
      ),
    );
    assertOneAnswer(replies);
    assert.equal(replies[0]?.body['display_name'], 'Kim');
    const other = await server.call('POST', LIST, { account_token: token.body.id }, keyed('other'));
    assert.equal(other.body.error?.code, 'token_already_used');
    const { body } = await server.call('GET', `/v2/core/account_tokens/${token.body.id}`);
    assert.equal(body['used'], true);
  });
});

test('the client tries again after a connection was cut once its request was sent, and makes one account', async () => {
  await using server = await bootAccounts();
  const proxy = await cuttingProxy(await server.listen(), 1);
  try {
    const port = Number(new URL(proxy.url).port);
    const stripe = await server.stripe(server.apiKey, { port });
    const account = await stripe.v2.core.accounts.create({ display_name: 'Kim' });
    assert.equal(account.display_name, 'Kim');
    assert.equal(await countAccounts(server), 1);
  } finally {
    proxy.close();
  }
});
