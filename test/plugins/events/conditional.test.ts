/** Polling: entity tags, 304, poll interval, pages and their links. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RATE_LIMIT, type RateLimitCategory } from 'plugboard/sdk';
import { fake } from 'plugboard/testing';
import { PollInterval } from '../../../plugins/events/feeds/poll-interval.js';
import { eachStore } from '../../support/stores.js';
import { EventsServer } from './support/boot.js';

const push = (id: string, more: object = {}): object => ({
  id,
  type: 'PushEvent',
  actor: { login: 'ann' },
  repo: { name: 'ann/one' },
  ...more,
});

/** One account with a public repository. */
const ANN = { put: { users: [{ id: 1, login: 'ann' }], repositories: [{ id: 2, name: 'ann/one' }] } };

eachStore('polling', (store) => {
  let served: EventsServer;
  let spent = 0;
  let refunded = 0;

  before(async () => {
    const category: RateLimitCategory = {
      hook: (_request, _reply, done) => {
        spent += 1;
        done();
      },
      openHook: (_request, _reply, done) => done(),
      guardRefused: (_request, _reply, done) => done(),
      refund: () => void (refunded += 1),
      spend: () => {},
    };
    served = await EventsServer.boot(
      // It would grow with the load of the machine.
      { pollInterval: 30, maxPollInterval: 30 },
      { storage: await store.fresh(), provide: [fake(RATE_LIMIT, { category: () => category })] },
    );
    await served.directory(ANN);
    const events = Array.from({ length: 65 }, (_, at) =>
      push(`p${at}`, { created_at: new Date(Date.UTC(2026, 10, 1, 0, at)).toISOString() }),
    );
    await served.publish(...events);
  });
  after(() => served[Symbol.asyncDispose]());

  test('an answer says what the next poll needs', async () => {
    const { headers } = await served.get('/events');
    assert.match(String(headers['etag']), /^"[\w-]{27}"$/);
    assert.equal(Number(headers['x-poll-interval']), 30);
    assert.equal(headers['last-modified'], 'Sun, 01 Nov 2026 01:04:00 GMT');
    assert.equal(headers['cache-control'], 'public, max-age=30, s-maxage=30');
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  });

  for (const [what, header] of [
    ['the tag', (tag: string) => tag],
    ['the tag as a weak one', (tag: string) => `W/${tag}`],
    ['a list with it', (tag: string) => `"one", W/"two" ,${tag}`],
    ['*', () => '*'],
  ] as const) {
    test(`${what} in If-None-Match is 304 without a body, without a type and without a cost`, async () => {
      const { headers } = await served.get('/users/ann/events');
      const [spentBefore, refundedBefore] = [spent, refunded];
      const again = await served.get('/users/ann/events', {
        'if-none-match': header(String(headers['etag'])),
      });
      assert.deepEqual([again.status, again.body], [304, '']);
      for (const name of ['content-type', 'content-length', 'link', 'last-modified', 'x-frame-options'])
        assert.equal(again.headers[name], undefined, name);
      for (const name of ['etag', 'vary', 'cache-control'])
        assert.equal(again.headers[name], headers[name], name);
      assert.ok(Number(again.headers['x-poll-interval']) >= 30);
      assert.deepEqual([spent - spentBefore, refunded - refundedBefore], [1, 1]);
    });
  }

  test('another tag is answered whole, and so is a date that would hold', async () => {
    const late = { 'if-modified-since': new Date().toUTCString() };
    for (const headers of [{ 'if-none-match': '"other"' }, { 'if-none-match': 'p1' }, late]) {
      assert.equal((await served.get('/events', headers)).status, 200);
    }
  });

  test('an event that is acknowledged is seen by the next poll', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { headers } = await served.get('/events');
      const poll = { 'if-none-match': String(headers['etag']) };
      assert.equal((await served.get('/events', poll)).status, 304);
      await served.publish(push(`round-${round}`));
      const seen = await served.get('/events', poll);
      assert.deepEqual([seen.status, seen.json()[0]?.id], [200, `round-${round}`]);
    }
  });

  test('pages link to each other by absolute addresses and quoted relations', async () => {
    const at = (page: number) => `http://localhost:80/users/ann/events?page=${page}`;
    const first = await served.get('/users/ann/events?per_page=5');
    assert.equal(first.json().length, 30);
    assert.equal(first.headers['link'], `<${at(2)}>; rel="next", <${at(3)}>; rel="last"`);
    const second = await served.get('/users/ann/events?page=2');
    assert.equal(
      second.headers['link'],
      `<${at(1)}>; rel="prev", <${at(3)}>; rel="next", <${at(3)}>; rel="last", <${at(1)}>; rel="first"`,
    );
    const third = await served.get('/users/ann/events?page=3');
    assert.equal(third.json().length, 25);
    assert.equal(third.headers['link'], `<${at(2)}>; rel="prev", <${at(1)}>; rel="first"`);
    const fourth = await served.get('/users/ann/events?page=4');
    assert.deepEqual(fourth.json(), []);
    const all = [first, second, third].flatMap((page) => page.json().map(({ id }) => id));
    assert.equal(new Set(all).size, 85);
  });

  test('ten pages are the last, however many events there are', async () => {
    await served.publish(...Array.from({ length: 400 }, (_, at) => push(`many-${at}`)));
    for (const _ of [1, 2]) {
      const first = await served.get('/events');
      assert.match(String(first.headers['link']), /page=10>; rel="last"/);
      const last = await served.get('/events?page=10');
      assert.equal(last.json().length, 30);
      assert.doesNotMatch(String(last.headers['link']), /rel="next"/);
      await served.publish(push(`another-${Math.random()}`));
    }
  });

  test('a repository that turns private takes its events out of every feed at once', async () => {
    const owner = await served.user('ann');
    const { headers } = await served.get('/events');
    await served.directory({ put: { repositories: [{ id: 2, name: 'ann/one', private: true }] } });
    const poll = { 'if-none-match': String(headers['etag']) };
    assert.deepEqual((await served.get('/events', poll)).json(), []);
    assert.equal((await served.get('/repos/ann/one/events')).status, 404);
    const own = await served.get('/repos/ann/one/events', owner);
    assert.equal(own.json().length, 30);
    await served.directory({ put: { repositories: [{ id: 2, name: 'ann/one' }] } });
    assert.equal((await served.get('/repos/ann/one/events')).status, 200);
  });
});

describe('the poll interval', () => {
  const interval = (load: number) => {
    let now = 0;
    const source = { now: () => ({ idle: 0, active: 0, utilization: 0 }), since: () => load };
    const measured = new PollInterval({ base: 60, most: 600 }, source);
    return () => {
      now += 1_000;
      return measured.seconds(now);
    };
  };

  test('stays as configured while the event loop is free half of the time', () => {
    const next = interval(0.5);
    for (let second = 0; second < 60; second += 1) assert.equal(next(), 60);
  });

  test('grows with the load, to its bound, and comes back', () => {
    const busy = interval(0.9);
    const grown = Array.from({ length: 60 }, busy);
    assert.deepEqual(
      grown,
      grown.toSorted((a, b) => a - b),
    );
    assert.equal(grown.at(-1), 300);
    const full = interval(1);
    assert.equal(Array.from({ length: 60 }, full).at(-1), 600);
  });
});
