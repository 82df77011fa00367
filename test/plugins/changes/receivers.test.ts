/** Receivers that are down, slow or wrong, and a store that cannot note changes. */
import assert from 'node:assert/strict';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { eventually } from '../../support/eventually.js';
import { Mongod, mongodMissing } from '../../support/mongod/mongod.js';
import { receiver, type Received } from '../../support/peers/receiver.js';
import { eachStore } from '../../support/stores.js';
import { changesServer } from './support.js';

const numbers = (received: readonly Received[]): number[] =>
  received.map(({ event }) => (event.data as { n: number }).n);

eachStore('receivers of changes', (store) => {
  test('one that is down for an hour gets all that happened meanwhile, in order', async () => {
    let ahead = 0;
    const clock = { now: () => Date.now() + ahead };
    await using to = await receiver();
    await using served = await changesServer({ storage: await store.fresh(), clock });
    await served.endpoint(to.url);
    let attempts = 0;
    to.answer = () => ((attempts += 1), 503);
    for (let n = 1; n <= 6; n += 1) await served.note('x', n);
    let noted: unknown = null;
    for (const wait of [0, 6_000, 331_000, 1_981_000]) {
      ahead += wait;
      const before = noted;
      await eventually(async () => {
        noted = (await served.deliveries('waiting')).find(({ last }) => last !== null)?.last?.at ?? before;
        return noted !== before;
      }, `an attempt after ${wait} ms`);
    }
    assert.equal(attempts, 4);
    ahead = 3_590_000;
    to.answer = () => 200;
    ahead = 3_620_000;
    await eventually(() => to.received.length === 6, 'all have arrived');
    assert.deepEqual(numbers(to.received), [1, 2, 3, 4, 5, 6]);
    assert.deepEqual(await served.deliveries('dead'), []);
  });

  test('one that does not answer holds up nobody else', async () => {
    await using slow = await receiver();
    await using to = await receiver();
    await using served = await changesServer({ storage: await store.fresh() });
    await served.endpoint(slow.url);
    await served.endpoint(to.url);
    let asked = 0;
    slow.answer = () => new Promise(() => (asked += 1));
    for (let n = 1; n <= 20; n += 1) await served.note(`s${n}`, n);
    await eventually(() => to.received.length === 20, 'the other one has them all');
    assert.equal(asked, 4, 'a few at a time');
  });

  test('one that speaks no HTTP, or hangs up, is tried again, and the delivery says why', async () => {
    const answers = ['SSH-2.0-OpenSSH_9.6\r\n', ''];
    const wrong = createTcpServer((socket) => void socket.end(answers.shift() ?? '').on('error', () => {}));
    await new Promise<void>((resolve) => wrong.listen(0, '127.0.0.1', resolve));
    await using served = await changesServer({ storage: await store.fresh() });
    await served.endpoint(`http://127.0.0.1:${(wrong.address() as AddressInfo).port}/`);
    await served.note('a', 1);
    await served.note('b', 2);
    await eventually(
      async () => (await served.deliveries('waiting')).every(({ last }) => last !== null),
      'both fail',
    );
    const errors = (await served.deliveries('waiting')).map(({ last }) => last);
    assert.deepEqual(
      errors.map((last) => last?.status),
      [null, null],
    );
    assert.ok(
      errors.every((last) => /UND_ERR_SOCKET|ECONNRESET|does not match the HTTP/.test(last?.error ?? '')),
      JSON.stringify(errors),
    );
    wrong.close();
  });
});

describe('changes on a standalone mongod', { skip: mongodMissing }, () => {
  test('are off, which the log and the answer say, and plugins go on without them', async () => {
    await using mongod = await Mongod.start();
    const storage = { use: 'mongodb', url: mongod.url, database: 'standalone' } as const;
    await using served = await changesServer({ storage });
    assert.equal(served.changes.on, false);
    assert.equal(served.changes.wants('thing.changed'), false);
    const { status, body } = await served.call('POST', '/endpoints', {
      url: 'https://example.com/',
      types: ['*'],
    });
    assert.equal(status, 503);
    assert.match(JSON.stringify(body), /transactions_missing.*replica set/);
    assert.deepEqual((await served.call('GET', '/endpoints')).body, { endpoints: [] });
    await served.changes.record(undefined as never, { type: 'a.b', subject: 'x', data: {} });
    assert.deepEqual(await served.deliveries(), []);
  });
});
