import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STORAGE } from 'plugboard/sdk';
import { Allowance } from '../../../plugins/speech/allowance/allowance.js';
import { MonthCalendar } from '../../../plugins/speech/allowance/month.js';
import { Plans } from '../../../plugins/speech/allowance/plans.js';
import { eventually } from '../../support/eventually.js';
import { eachStore } from '../../support/stores.js';
import { NO_PAUSES, speechServer } from './support.js';
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
    pauses: NO_PAUSES,
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

test('parallel calls are served as long as the month suffices, and refused when it is used up', async () => {
  // A second, and the release at its end.
  await using upstream = await speechUpstream((response) => response.end(tone(1)));
  const served = async (monthlySeconds: number): Promise<number> => {
    await using server = await speechServer({
      engines: ['a'],
      upstreams: [{ name: 'a', baseUrl: upstream.baseUrl }],
      monthlySeconds,
    });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) => server.speak({ input: `하나 ${at}.` })),
    );
    const statuses = answers.map(({ status }) => status);
    assert.ok(
      statuses.every((status) => status === 200 || status === 403),
      statuses.join(' '),
    );
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    return statuses.filter((status) => status === 200).length;
  };
  assert.equal(await served(64), 60);
  const most = await served(43);
  assert.ok(most === 40 || most === 41, `${most} calls`);
});

test('parallel calls of the embedded engine take what is there: none is refused', async () => {
  await using server = await speechServer({ monthlySeconds: 1_000 });
  const texts = Array.from({ length: 60 }, (_, at) => `${at}번 손님.`);
  const speakAll = (apiKey: string): Promise<Response[]> =>
    Promise.all(texts.map((input) => server.speak({ input }, { authorization: `Bearer ${apiKey}` })));
  const lengths = await Promise.all(
    (await speakAll(server.apiKey)).map(async (answer) => {
      assert.equal(answer.status, 200);
      await answer.arrayBuffer();
      return Number(answer.headers.get('x-audio-duration-seconds'));
    }),
  );
  const enough = Math.ceil(lengths.reduce((sum, length) => sum + length, 0));
  const other = await server.key('speech');
  const { keys } = JSON.parse((await server.command(['keys', 'list', '--json'])).stdout) as {
    keys: { id: string }[];
  };
  for (const { id } of keys) await server.command(['speech', 'plan', id, String(enough)]);
  const answers = await speakAll(other);
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  await Promise.all(answers.map((answer) => answer.arrayBuffer()));
});

test('a call that waits for another is told to come back when that one does not end', async () => {
  await using upstream = await speechUpstream(() => undefined);
  await using server = await speechServer({
    engines: ['a'],
    upstreams: [{ name: 'a', baseUrl: upstream.baseUrl }],
    monthlySeconds: 1,
  });
  const stop = new AbortController();
  const holds = fetch(`${server.url}/api/v1/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ voice: 'sera', input: '하나.' }),
    signal: stop.signal,
  });
  await eventually(() => upstream.bodies.length === 1, 'the first call is spoken');
  const refused = await server.speak({ input: '둘.' });
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('retry-after'), '2');
  assert.equal(((await refused.json()) as { error: { code: string } }).error.code, 'allowance_held');
  stop.abort();
  await assert.rejects(holds);
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
    assert.ok(typeof one === 'object');
    assert.equal(await allowance.settle(one, 2_500), true);
    assert.equal(await allowance.settle(one, 2_500), false);
    await allowance.release(one);
    const two = await allowance.reserve('k', 4_000, never);
    assert.ok(typeof two === 'object');
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
    assert.equal(typeof (await allowance.reserve('k', 10_000, never)), 'object');
    clock.time += 999;
    assert.equal((await allowance.usage('k')).reservedMs, 10_000);
    clock.time += 1;
    assert.equal(typeof (await allowance.reserve('k', 3_000, never)), 'object');
    assert.equal((await allowance.usage('k')).reservedMs, 3_000);
  });
});
