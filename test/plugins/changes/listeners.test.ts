/** Listeners: they ask for their changes, confirm them, and are forgotten when they do not ask. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../../support/eventually.js';
import { eachStore } from '../../support/stores.js';
import { changesServer, type ChangesServer } from './support.js';

interface Pending {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

const numberOf = ({ body }: Pending): number => (JSON.parse(body) as { data: { n: number } }).data.n;

async function listener(served: ChangesServer) {
  const { status, body } = await served.call('POST', '/listeners', { types: ['thing.*'] });
  assert.equal(status, 201, JSON.stringify(body));
  const { id, secret } = body as { id: string; secret: string };
  return {
    id,
    secret,
    ask: async () =>
      (await served.call('GET', `/listeners/${id}/deliveries`)).body['deliveries'] as Pending[],
    confirm: (...deliveries: string[]) => served.call('POST', `/listeners/${id}/confirm`, { deliveries }),
  };
}

eachStore('listeners', (store) => {
  test('are told in order, signed, until they confirm, and wait for what comes', async () => {
    await using served = await changesServer({ storage: await store.fresh() });
    const { id, secret, ask, confirm } = await listener(served);
    const first = ask();
    await served.note('한-1', 1);
    assert.deepEqual((await first).map(numberOf), [1]);
    for (let n = 2; n <= 30; n += 1) await served.note('한-1', n);
    await served.note('x', 99, 'other.changed');
    const told: number[] = [];
    while (told.length < 30) {
      const pending = await ask();
      assert.ok(pending.length <= 20);
      const [one = assert.fail()] = pending;
      assert.deepEqual([one.type, one.subject], ['thing.changed', '한-1']);
      new Webhook(secret).verify(one.body, one.headers);
      assert.deepEqual((await ask())[0]?.id, one.id, 'what is not confirmed comes again');
      told.push(numberOf(one));
      assert.equal((await confirm(one.id)).status, 204);
    }
    assert.deepEqual(
      told,
      Array.from({ length: 30 }, (_, at) => at + 1),
    );
    assert.equal((await served.deliveries('delivered')).length, 30);
    assert.equal((await served.call('GET', `/endpoints/${id}`)).body['url'], '');
  });

  test('a new request of a listener ends the one that waits', async () => {
    await using served = await changesServer({ storage: await store.fresh() });
    const { ask } = await listener(served);
    const [first, second] = [ask(), ask()];
    assert.deepEqual(await Promise.race([first, second]), []);
    await served.note('x', 1);
    assert.deepEqual((await Promise.all([first, second])).flat().map(numberOf), [1]);
  });

  test('are forgotten with what is kept for them when they have not asked for an hour', async () => {
    let ahead = 0;
    const clock = { now: () => Date.now() + ahead };
    await using served = await changesServer({ storage: await store.fresh(), clock });
    const { id } = await listener(served);
    await served.note('x', 1);
    ahead = 3_601_000;
    await eventually(async () => (await served.deliveries()).length === 0, 'it is forgotten');
    assert.equal((await served.call('GET', `/listeners/${id}/deliveries`)).status, 404);
  });
});

test('an endpoint with an address is asked by nobody, and without a key nobody listens', async () => {
  await using served = await changesServer();
  const { id } = await served.endpoint('http://127.0.0.1:9/hook');
  assert.equal((await served.call('GET', `/listeners/${id}/deliveries`)).status, 404);
  assert.equal((await served.call('POST', `/listeners/${id}/confirm`, { deliveries: ['x'] })).status, 404);
  const { statusCode } = await served.server.inject({
    method: 'POST',
    url: '/api/changes/listeners',
    headers: { 'content-type': 'application/json' },
    payload: '{"types":["*"]}',
  });
  assert.equal(statusCode, 401);
});
