import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STORAGE } from 'plugboard/sdk';
import { Allowance } from '../../../plugins/speech/allowance/allowance.js';
import { MonthCalendar } from '../../../plugins/speech/allowance/month.js';
import { Plans } from '../../../plugins/speech/allowance/plans.js';
import { eachStore } from '../../support/stores.js';
import { speechServer } from './support.js';
import { speechUpstream, tone } from './upstream-server.js';

const never = new AbortController().signal;

test('the month changes at the instant that the time zone says', () => {
  const seoul = new MonthCalendar('Asia/Seoul');
  const newYear = Date.UTC(2026, 11, 31, 15);
  assert.equal(seoul.monthOf(newYear - 1), '2026-12');
  assert.equal(seoul.monthOf(newYear), '2027-01');
  assert.equal(seoul.endOf(newYear - 1), newYear);
  assert.equal(new MonthCalendar('UTC').endOf(Date.UTC(2026, 1, 3)), Date.UTC(2026, 2, 1));
  // The clocks of Berlin change at the end of March.
  assert.equal(new MonthCalendar('Europe/Berlin').endOf(Date.UTC(2026, 2, 5)), Date.UTC(2026, 2, 31, 22));
  assert.throws(() => new MonthCalendar('Mars/Olympus'), RangeError);
});

test('a call of the old month pays there, and the new month begins full', async () => {
  const clock = { time: Date.UTC(2026, 10, 30, 14, 59), now: () => clock.time };
  await using upstream = await speechUpstream((response) => response.end(tone(1)));
  const config = {
    engines: ['a'],
    upstreams: [{ name: 'a', baseUrl: upstream.baseUrl }],
    monthlySeconds: 1,
    timeZone: 'Asia/Seoul',
  };
  await using server = await speechServer(config, { clock });
  assert.equal((await server.speak({ input: '하나.' })).status, 200);
  const refused = await server.speak({ input: '둘.' });
  assert.equal(refused.status, 403);
  const { error } = (await refused.json()) as { error: { code: string; message: string } };
  assert.equal(error.code, 'allowance_exhausted');
  assert.match(error.message, /2026-11 is used up \(1 s\); it begins again at 2026-11-30T15:00:00.000Z/);
  clock.time += 60_000;
  assert.equal((await server.speak({ input: '셋.' })).status, 200);
});

test('a plan of its own is set by the API and by the command, and holds at once', async () => {
  await using upstream = await speechUpstream((response) => response.end(tone(1)));
  const config = { engines: ['a'], upstreams: [{ name: 'a', baseUrl: upstream.baseUrl }], monthlySeconds: 0 };
  await using server = await speechServer(config);
  assert.equal((await server.speak({ input: '하나.' })).status, 403);
  const manage = { authorization: `Bearer ${await server.key('manage')}` };
  const { keys } = JSON.parse((await server.command(['keys', 'list', '--json'])).stdout) as {
    keys: { id: string; scopes: string[] }[];
  };
  const id = keys.find(({ scopes }) => scopes.includes('speech'))?.id ?? '';
  const url = `/api/v1/plans/${id}`;
  const set = await server.inject({ method: 'PUT', url, headers: manage, payload: { seconds: 1 } });
  assert.deepEqual(set.json(), { key: id, seconds: 1, is_default: false });
  assert.equal((await server.speak({ input: '둘.' })).status, 200);
  assert.equal((await server.speak({ input: '셋.' })).status, 403);
  assert.equal((await server.command(['speech', 'plan', id, '2'])).stdout, `${id}  2 s a month\n`);
  assert.equal((await server.speak({ input: '넷.' })).status, 200);
  assert.equal((await server.command(['speech', 'plans'])).stdout, `${id}  2 s a month\n`);
  assert.equal((await server.command(['speech', 'plan', id, 'lots'])).code, 2);
  const reset = await server.inject({ method: 'DELETE', url, headers: manage });
  assert.deepEqual(reset.json(), { key: id, seconds: 0, is_default: true });
  assert.equal((await server.speak({ input: '다섯.' })).status, 403);
  assert.equal((await server.inject({ method: 'GET', url, headers: {} })).statusCode, 401);
});

test('a plan is shown and stored for a key that exists, and for nothing else', async () => {
  await using server = await speechServer();
  const headers = { authorization: `Bearer ${await server.key('manage')}` };
  for (const id of ['%00', 'nobody', '%F0%9F%98%80', 'a%2Fb', 'session:1'])
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const payload = method === 'PUT' ? { payload: { seconds: 5 } } : {};
      const answer = await server.inject({ method, url: `/api/v1/plans/${id}`, headers, ...payload });
      assert.equal(answer.statusCode, 404, `${method} ${id}`);
      assert.equal(answer.json<{ error: { code: string } }>().error.code, 'key_not_found');
    }
  const refused = await server.command(['speech', 'plan', 'nobody', '5']);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /there is no API key with the id "nobody"/);
  const { plans } = (await server.inject({ url: '/api/v1/plans', headers })).json<{ plans: object[] }>();
  assert.deepEqual(plans, []);
});

eachStore('the allowance', (store) => {
  test('200 parallel calls over two instances never pass the limit by more than one clip', async () => {
    await using upstream = await speechUpstream((response) => response.end(tone(0.5, { rate: 8_000 })));
    const config = {
      engines: ['a'],
      upstreams: [{ name: 'a', baseUrl: upstream.baseUrl }],
      monthlySeconds: 20,
      queue: 200,
    };
    const storage = await store.fresh();
    const first = await speechServer(config, { storage });
    // One folder of the embedded store is one process's, so there the two are one server's.
    const second = store.name === 'mongodb' ? await speechServer(config, { storage }) : first;
    const calls = Array.from({ length: 200 }, (_, at) => {
      const { url } = at % 2 === 0 ? first : second;
      return fetch(`${url}/api/v1/audio/speech`, {
        method: 'POST',
        headers: { authorization: `Bearer ${first.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ voice: 'sera', input: `가${at}.`, response_format: 'wav' }),
      });
    });
    let served = 0;
    const statuses = new Set<number>();
    for (const response of await Promise.all(calls)) {
      statuses.add(response.status);
      await response.arrayBuffer();
      served += Number(response.headers.get('x-audio-duration-seconds') ?? 0);
    }
    const usage = await first.usage();
    assert.deepEqual(Array.from(statuses).sort(), [200, 403]);
    assert.equal(usage.used_seconds, served);
    assert.equal(usage.reserved_seconds, 0);
    assert.ok(served >= 5 && served <= 20.5, `${served} s`);
    await first.stop();
    if (second !== first) await second.stop();
  });

  test('a hold is settled once, given back once, and never both', async () => {
    const clock = { time: Date.UTC(2026, 10, 5), now: () => clock.time };
    await using server = await speechServer({}, { storage: await store.fresh(), clock });
    const storage = server.service(STORAGE, 'speech');
    const plans = new Plans(storage, 10);
    const allowance = new Allowance(storage, {
      plans,
      calendar: new MonthCalendar('UTC'),
      clock,
      holdFor: 1_000,
    });
    const one = await allowance.reserve('k', 4_000, never);
    assert.ok(one);
    assert.equal(await allowance.settle(one, 2_500), true);
    assert.equal(await allowance.settle(one, 2_500), false);
    await allowance.release(one);
    const two = await allowance.reserve('k', 4_000, never);
    assert.ok(two);
    await allowance.release(two);
    await allowance.release(two);
    assert.equal(await allowance.settle(two, 4_000), false);
    const { usedMs, reservedMs } = await allowance.usage('k');
    assert.deepEqual([usedMs, reservedMs], [2_500, 0]);
  });

  test('the hold of a process that died is freed, and only when its time is over', async () => {
    const clock = { time: Date.UTC(2026, 10, 5), now: () => clock.time };
    await using server = await speechServer({}, { storage: await store.fresh(), clock });
    const storage = server.service(STORAGE, 'speech');
    const plans = new Plans(storage, 10);
    const allowance = new Allowance(storage, {
      plans,
      calendar: new MonthCalendar('UTC'),
      clock,
      holdFor: 1_000,
    });
    assert.ok(await allowance.reserve('k', 10_000, never));
    clock.time += 999;
    assert.equal((await allowance.usage('k')).reservedMs, 10_000);
    clock.time += 1;
    assert.ok(await allowance.reserve('k', 3_000, never));
    assert.equal((await allowance.usage('k')).reservedMs, 3_000);
  });
});
