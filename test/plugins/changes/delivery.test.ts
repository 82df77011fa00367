/** Changes on their way to endpoints: signed, in order, again when it failed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definePlugin, Type } from 'plugboard/sdk';
import { Webhook } from 'standardwebhooks';
import { RETRIES } from '../../../plugins/changes/sender.js';
import { eventually } from '../../support/eventually.js';
import { eachStore } from '../../support/stores.js';
import { receiver, type Received } from '../../support/peers/receiver.js';
import { changesServer, type ChangesServer } from './support.js';

const numberOf = ({ event }: Received): number => (event.data as { n: number }).n;
const numbers = (received: readonly Received[]): number[] => received.map(numberOf);

/** A clock that a test moves. */
function movedClock() {
  let ahead = 0;
  return { now: () => Date.now() + ahead, forward: (by: number) => void (ahead += by) };
}

eachStore('changes', (store) => {
  test('a change is a CloudEvent that the library of Standard Webhooks verifies', async () => {
    await using to = await receiver();
    await using served = await changesServer({ storage: await store.fresh() });
    const { secret } = await served.endpoint(to.url, ['thing.*']);
    await served.note('한-1', 1);
    await served.note('한-1', 2, 'other.changed');
    await eventually(() => to.received.length === 1, 'it is delivered');
    const [{ headers, body, event } = assert.fail()] = to.received;
    const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
    assert.deepEqual(verified, event);
    assert.deepEqual(
      { ...event, time: '' },
      {
        specversion: '1.0',
        id: headers['webhook-id'],
        source: '/noter',
        type: 'thing.changed',
        subject: '한-1',
        time: '',
        datacontenttype: 'application/json',
        data: { n: 1 },
      },
    );
    assert.equal(headers['content-type'], 'application/cloudevents+json');
    await eventually(async () => (await served.deliveries('delivered')).length === 1, 'it says so');
    assert.equal((await served.deliveries()).length, 1, 'nothing is kept of a type that nobody wants');
  });

  test('what an observer wants to go along with the work that made a change goes with its webhook', async () => {
    await using to = await receiver();
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const observer = definePlugin({
      name: 'observer',
      api: 1,
      config: Type.Object({}, { additionalProperties: false }),
      observes: ['store'],
      setup: () => ({
        hooks: {
          store: { begin: ({ operation }) => operation },
          carries: (own) => (own === 'transaction' ? { traceparent } : undefined),
        },
      }),
    });
    await using served = await changesServer({
      storage: await store.fresh(),
      plugins: [{ plugin: observer }],
    });
    await served.endpoint(to.url);
    await served.note('a', 1);
    await eventually(() => to.received.length === 1, 'it is delivered');
    assert.equal(to.received[0]?.headers['traceparent'], traceparent);
  });

  test('what is wanted is known without the store, and follows the endpoints of other instances', async (t) => {
    const storage = await store.fresh();
    await using served = await changesServer({ storage });
    const { changes } = served;
    await eventually(() => !changes.wants('thing.changed'), 'nobody listens');
    const { id } = await served.endpoint('http://127.0.0.1:9/hook', ['thing.*']);
    assert.deepEqual([changes.wants('thing.changed'), changes.wants('other.changed')], [true, false]);
    if (store.alone === false) {
      const other = await changesServer({ storage });
      t.after(() => other.server.stop());
      await eventually(() => !other.changes.wants('other.changed'), 'the other instance knows');
      await other.call('PATCH', `/endpoints/${id}`, { types: ['other.*'] });
      await eventually(() => changes.wants('other.changed'), 'and this one learns');
      assert.equal(changes.wants('thing.changed'), false);
    }
    await served.call('DELETE', `/endpoints/${id}`);
    await eventually(() => !changes.wants('other.changed') && !changes.wants('thing.changed'), 'it is gone');
  });

  test('a change has one id for all endpoints', async () => {
    await using to = await receiver();
    await using served = await changesServer({ storage: await store.fresh() });
    await served.endpoint(to.url);
    await served.endpoint(to.url);
    await served.note('x', 1);
    await eventually(() => to.received.length === 2, 'both are told');
    assert.equal(new Set(to.received.map(({ event }) => event.id)).size, 1);
  });

  test('nothing leaves of a transaction that rolls back', async () => {
    await using to = await receiver();
    await using served = await changesServer({ storage: await store.fresh() });
    await served.endpoint(to.url);
    const undone = served.storage.transaction(async (tx) => {
      await served.changes.record(tx, { type: 'a.b', subject: 'x', data: {} });
      throw new Error('undone');
    });
    await assert.rejects(undone, /undone/);
    await served.note('x', 2);
    await eventually(() => to.received.length === 1, 'the other one is delivered');
    assert.deepEqual(numbers(to.received), [2]);
  });

  test('changes of a subject arrive in their order though the first ones fail, and others pass', async () => {
    const clock = movedClock();
    await using to = await receiver();
    await using served = await changesServer({ storage: await store.fresh(), clock });
    await served.endpoint(to.url);
    let broken = true;
    to.answer = ({ event }) => (broken && event.subject === 'slow' ? 500 : 200);
    for (let n = 1; n <= 5; n += 1) await served.note('slow', n);
    for (let n = 1; n <= 5; n += 1) await served.note(`other-${n}`, 10 + n);
    await eventually(() => to.received.length === 5, 'the others are delivered');
    assert.deepEqual(numbers(to.received).toSorted(), [11, 12, 13, 14, 15]);
    broken = false;
    clock.forward(10_000);
    await eventually(() => to.received.length === 10, 'all are delivered');
    assert.deepEqual(numbers(to.received).slice(5), [1, 2, 3, 4, 5]);
  });

  test('an endpoint gets four deliveries at a time, never more', async () => {
    await using to = await receiver();
    await using served = await changesServer({ storage: await store.fresh() });
    const open: (() => void)[] = [];
    let most = 0;
    const endTogether = async (): Promise<void> => {
      const claimed = (await served.deliveries('waiting')).filter(({ attempts }) => attempts > 0);
      most = Math.max(most, open.length, claimed.length);
      for (const end of open.splice(0)) end();
    };
    to.answer = async () => {
      const ended = new Promise<void>((resolve) => open.push(resolve));
      // Those that end together look for the next ones together. A fifth would be claimed while these are held.
      if (open.length === 4) setTimeout(() => void endTogether(), 100);
      await ended;
      return 200;
    };
    const { id } = await served.endpoint(to.url);
    await served.call('PATCH', `/endpoints/${id}`, { paused: true });
    for (let n = 1; n <= 40; n += 1) await served.note(`${n}`, n);
    await served.call('PATCH', `/endpoints/${id}`, { paused: false });
    await eventually(() => to.received.length === 40 || most > 4, 'all are delivered');
    for (const end of open) end();
    assert.equal(most, 4);
  });

  test('an endpoint that answers nothing holds up no other one of its host', async () => {
    await using to = await receiver();
    await using served = await changesServer({ storage: await store.fresh() });
    const silent = new Set<string>();
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    to.answer = async ({ event: { type, subject } }) => {
      if (type !== 'slow') return 200;
      silent.add(subject);
      await ended;
      return 200;
    };
    await served.endpoint(`${to.url}/slow`, ['slow']);
    await served.endpoint(`${to.url}/quick`, ['quick']);
    for (let n = 1; n <= 8; n += 1) await served.note(`${n}`, n, 'slow');
    await eventually(() => silent.size === 4, 'the slow one has its four');
    await served.note('a', 1, 'quick');
    await eventually(() => to.received.length === 1, 'the other one is told', 10_000);
    end();
  });

  test('what is never taken is tried for three days, is a dead letter, and can be sent again', async () => {
    const clock = movedClock();
    await using to = await receiver();
    await using served = await changesServer({ storage: await store.fresh(), clock });
    await served.endpoint(to.url);
    let attempts = 0;
    const ids = new Set<unknown>();
    to.answer = ({ headers }) => {
      ids.add(headers['webhook-id']);
      attempts += 1;
      return 302;
    };
    await served.note('x', 1);
    for (const [at, wait] of RETRIES.entries()) {
      await eventually(() => attempts === at + 1, `attempt ${at + 1}`);
      await eventually(async () => (await served.deliveries('waiting'))[0]?.last?.status === 302, 'is noted');
      clock.forward(wait * 1.11);
    }
    await eventually(async () => (await served.deliveries('dead')).length === 1, 'it is given up');
    assert.deepEqual([attempts, ids.size], [RETRIES.length + 1, 1]);
    const [dead] = await served.deliveries('dead');
    to.answer = () => 200;
    assert.equal((await served.call('POST', `/deliveries/${dead?.id}/redeliver`)).status, 202);
    await eventually(() => to.received.length === 1, 'it is delivered');
  });

  test('later changes of a subject wait an hour for one that fails, and then go on', async () => {
    const clock = movedClock();
    await using to = await receiver();
    await using served = await changesServer({ storage: await store.fresh(), clock });
    await served.endpoint(to.url);
    to.answer = (got) => (numberOf(got) === 1 ? 500 : 200);
    await served.note('x', 1);
    await served.note('x', 2);
    await eventually(
      async () => (await served.deliveries()).some(({ last }) => last?.status === 500),
      'fails',
    );
    clock.forward(3_601_000);
    await eventually(() => to.received.length === 1, 'the second one goes on');
    assert.deepEqual(numbers(to.received), [2]);
    await eventually(
      async () => (await served.deliveries('dead')).length === 1,
      'the first is a dead letter',
    );
  });

  test('a pause holds what comes, and an answer of 410 is one', async () => {
    await using to = await receiver();
    await using served = await changesServer({ storage: await store.fresh() });
    const { id } = await served.endpoint(to.url);
    await served.call('PATCH', `/endpoints/${id}`, { paused: true });
    await served.note('x', 1);
    await served.note('x', 2);
    await eventually(async () => (await served.deliveries('held')).length === 2, 'both are held');
    await served.call('PATCH', `/endpoints/${id}`, { paused: false });
    await eventually(() => to.received.length === 2, 'both are delivered');
    assert.deepEqual(numbers(to.received), [1, 2]);
    to.answer = () => 410;
    await served.note('x', 3);
    await eventually(
      async () => (await served.call('GET', `/endpoints/${id}`)).body['paused_because'] === 'it answered 410',
      'the server pauses it',
    );
  });

  test('an endpoint that goes on while its deliveries are being held gets all of them', async () => {
    await using to = await receiver();
    await using served = await changesServer({ storage: await store.fresh() });
    const { id } = await served.endpoint(to.url);
    for (let at = 1; at <= 25; at += 1) {
      await served.call('PATCH', `/endpoints/${id}`, { paused: true });
      await served.note(`x${at}`, at);
      await served.call('PATCH', `/endpoints/${id}`, { paused: false });
    }
    // Once at least: one that was being sent when the pause came is sent again.
    const told = (): number => new Set(numbers(to.received)).size;
    await eventually(() => told() === 25, 'each is delivered');
  });

  test('what an instance was sending when it stopped is sent by another', async () => {
    const storage = await store.fresh();
    await using to = await receiver();
    {
      await using first = await changesServer({ storage });
      await first.endpoint(to.url);
      let begun = false;
      to.answer = () => {
        begun = true;
        return new Promise(() => {});
      };
      await first.note('x', 1);
      await eventually(() => begun, 'it is being sent');
    }
    to.answer = () => 200;
    await using second: ChangesServer = await changesServer({ storage });
    await eventually(() => to.received.length === 1, 'the second one delivers it');
    const [delivered] = await eventuallyDelivered(second);
    assert.equal(delivered?.attempts, 1, 'an attempt that was cut short does not count');
  });
});

async function eventuallyDelivered(served: ChangesServer) {
  await eventually(async () => (await served.deliveries('delivered')).length > 0, 'it is noted');
  return served.deliveries('delivered');
}
