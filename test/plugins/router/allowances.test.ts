/** Who may call which models, and how much. */
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { CHANGES, type Changes } from 'plugboard/sdk';
import { fake } from 'plugboard/testing';
import { globOf } from '../../../plugins/router/glob.js';
import { eventually } from '../../support/eventually.js';
import { bootRouter, chat, type RouterServer } from './support/boot.js';

/** A call of the stand-in takes 7 tokens in and 2 out: 0.0000090 $. */
const PRICES = { 'a/*': { input: 1, output: 1 } };
const COST = 0.000_009;

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly headers: Headers;
}

async function refusal(answer: Response | Promise<Response>): Promise<Refusal> {
  const answered = await answer;
  const { error } = (await answered.json()) as { error: { code: string } };
  return { status: answered.status, headers: answered.headers, code: error.code };
}

function ask(router: RouterServer, more: object = {}): Promise<Response> {
  return router.post('/v1/chat/completions', chat('a/m', { max_tokens: 2, ...more }));
}

async function put(router: RouterServer, name: string, rule: object): Promise<Response> {
  const manage = await router.server.key('manage', '*');
  return fetch(`${router.url}/api/allowances/${name}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${manage}`, 'content-type': 'application/json' },
    body: JSON.stringify(rule),
  });
}

test('a star matches any run of characters, and nothing else does', () => {
  for (const [pattern, name, fits] of [
    ['*', 'openai/gpt-5', true],
    ['openai/*', 'openai/gpt-5', true],
    ['openai/*', 'azure/gpt-5', false],
    ['*/gpt-5*', 'openai/gpt-5-mini', true],
    ['*mini', 'gpt-5-mini', true],
    ['a*a', 'a', false],
    ['a*b*c', 'a--b--c', true],
    ['a*b*c', 'a--c--b', false],
    ['gpt.5', 'gpt-5', false],
    ['fast', 'faster', false],
  ] as const)
    assert.equal(globOf(pattern)(name), fits, `${pattern} ${name}`);
});

test('a caller may use the models that an allowance names, and no others', async () => {
  await using router = await bootRouter(['a', 'b'], {
    routes: { fast: { targets: ['b/m'] } },
    allowances: { few: { models: ['a/*', 'fast'] } },
  });
  assert.equal((await ask(router)).status, 200);
  assert.equal((await router.post('/v1/chat/completions', chat('fast'))).status, 200);
  const refused = await refusal(router.post('/v1/chat/completions', chat('b/m')));
  assert.deepEqual([refused.status, refused.code], [403, 'model_not_allowed']);
  assert.equal(router.upstreams[1]!.requests.length, 1, 'nothing was sent');
});

test('requests and tokens a minute are limited for the models that a limit names', async () => {
  await using router = await bootRouter(['a', 'b'], {
    allowances: {
      slow: { limits: [{ models: ['a/*'], requests: 2 }] },
      small: { limits: [{ models: ['b/*'], tokens: 30 }] },
    },
    reserve: { input: 10, output: 10 },
  });
  assert.deepEqual([(await ask(router)).status, (await ask(router)).status], [200, 200]);
  const { status, code, headers } = await refusal(ask(router));
  assert.deepEqual([status, code], [429, 'allowance_exceeded']);
  assert.ok(Number(headers.get('retry-after')) <= 60);
  // Each reserves 12 and takes 9: with 27 taken there is no room for a fourth.
  const other = (): Promise<Response> => router.post('/v1/chat/completions', chat('b/m', { max_tokens: 2 }));
  for (let calls = 0; calls < 3; calls += 1) assert.equal((await other()).status, 200);
  assert.equal((await refusal(other())).code, 'allowance_exceeded');
});

test('a budget is spent by what calls cost, and then they are refused until it begins anew', async () => {
  await using router = await bootRouter(['a'], {
    prices: PRICES,
    allowances: { team: { budget: { usd: 10 * COST } } },
    reserve: { input: 7, output: 2 },
  });
  for (let calls = 0; calls < 10; calls += 1) assert.equal((await ask(router)).status, 200, `${calls}`);
  const { status, code, headers } = await refusal(ask(router));
  assert.deepEqual([status, code, headers.get('x-should-retry')], [429, 'insufficient_quota', 'false']);
  assert.ok(Number(headers.get('retry-after')) > 0);
  assert.equal(router.upstreams[0]!.requests.length, 10);
});

test('a caller with a budget is refused a model whose price nobody knows', async () => {
  await using router = await bootRouter(['a'], { allowances: { team: { budget: { usd: 1 } } } });
  assert.deepEqual((await refusal(ask(router))).code, 'model_not_priced');
});

test('500 calls at once spend a budget and no more, and none is refused while there is room', async () => {
  const usd = 100 * COST;
  await using router = await bootRouter(['a'], {
    prices: PRICES,
    allowances: { team: { budget: { usd } } },
    reserve: { input: 7, output: 2 },
  });
  const answers = await Promise.all(Array.from({ length: 500 }, () => ask(router)));
  const served = answers.filter(({ status }) => status === 200).length;
  await Promise.all(answers.map((answer) => answer.text()));
  assert.equal(served, 100);
  assert.deepEqual([...new Set(answers.map(({ status }) => status))].toSorted(), [200, 429]);
  const { total } = await router.usage(100);
  assert.ok(total.cost <= usd + 1e-12);
});

test('what a call set aside and did not take is there for the next one, also of a call that failed', async () => {
  await using router = await bootRouter(['a'], {
    prices: PRICES,
    allowances: { team: { budget: { usd: 1_010e-6 } } },
    reserve: { input: 10, output: 1_000 },
  });
  router.upstreams[0]!.next({ kind: 'status', status: 500 }, { kind: 'ok' }, { kind: 'status', status: 400 });
  const statuses: number[] = [];
  for (let calls = 0; calls < 3; calls += 1) statuses.push((await ask(router, { max_tokens: 900 })).status);
  assert.deepEqual(statuses, [502, 200, 400]);
  assert.equal((await ask(router, { max_tokens: 900 })).status, 200);
});

test('a stream that is left spends its budget', async () => {
  await using router = await bootRouter(['a'], {
    prices: { 'a/*': { input: 1, output: 1_000 } },
    allowances: { team: { budget: { usd: 0.05 } } },
    reserve: { input: 10, output: 10 },
  });
  router.upstreams[0]!.always({ kind: 'paced', pieces: 1_000, every: 1 });
  const answer = await ask(router, { stream: true });
  const reader = answer.body!.getReader();
  const decoder = new TextDecoder();
  for (let read = ''; !read.includes('"60 "');) read += decoder.decode((await reader.read()).value);
  await reader.cancel();
  await router.usage(1);
  assert.equal((await refusal(ask(router, { stream: true }))).code, 'insufficient_quota');
});

test('each key has its own, and the keys of a tenant share theirs', async () => {
  await using router = await bootRouter(['a'], {
    allowances: {
      each: { key: 'other*', limits: [{ requests: 1 }] },
      all: { tenant: 'acme', limits: [{ requests: 3 }] },
    },
  });
  const keyOf = async (name: string): Promise<string> => {
    const words = ['keys', 'create', name, '--scope', 'chat', '--owner', 'acme', '--json'];
    return (JSON.parse((await router.server.command(words)).stdout) as { key: string }).key;
  };
  const statusOf = async (key: string): Promise<number> =>
    (await router.post('/v1/chat/completions', chat('a/m'), { key })).status;
  const [first, second] = [await keyOf('one'), await keyOf('other')];
  const statuses = [second, second, first, first, first].map((key) => () => statusOf(key));
  const seen: number[] = [];
  for (const call of statuses) seen.push(await call());
  assert.deepEqual(seen, [200, 429, 200, 200, 429]);
  assert.equal(await statusOf(router.key), 200, 'nothing is said of others');
});

test('an allowance that is made by API holds at once, and its caller sees how far it is used', async () => {
  await using router = await bootRouter(['a'], {
    prices: PRICES,
    allowances: { fixed: { models: ['a/*'] } },
  });
  assert.equal((await put(router, 'monthly', { key: '*', budget: { usd: 1 } })).status, 200);
  await (await ask(router)).text();
  await router.usage(1);
  const read = async () =>
    ((await (await router.get('/api/usage/allowances')).json()) as { data: Record<string, unknown>[] }).data;
  const [{ rule, unit, per, limit, used } = assert.fail()] = await read();
  assert.deepEqual([rule, unit, per, limit], ['monthly', 'usd', 'month', 1]);
  assert.ok(Number(used) >= COST, 'with what the instance holds for calls to come');
  // What it holds in advance it gives back when no call needs it.
  await eventually(
    async () => Math.abs(Number((await read())[0]?.['used']) - COST) < 1e-9,
    'the rest to be given back',
  );
  assert.equal((await put(router, 'monthly', { key: '*', models: ['b/*'] })).status, 200);
  assert.equal((await refusal(ask(router))).code, 'model_not_allowed');
});

test('an allowance of the config is not changed by API, and what is none is refused', async () => {
  await using router = await bootRouter(['a'], { allowances: { fixed: { models: ['a/*'] } } });
  assert.equal((await refusal(put(router, 'fixed', {}))).code, 'allowance_in_config');
  assert.equal((await refusal(put(router, 'odd', { budget: { usd: -1 } }))).status, 400);
  const manage = await router.server.key('manage', '*');
  const send = (method: string, name: string): Promise<Response> =>
    fetch(`${router.url}/api/allowances/${name}`, { method, headers: { authorization: `Bearer ${manage}` } });
  assert.equal((await send('DELETE', 'nothing')).status, 404);
  await put(router, 'mine', { models: ['x/*'] });
  assert.equal((await ask(router)).status, 403);
  assert.equal((await send('DELETE', 'mine')).status, 204);
  assert.equal((await ask(router)).status, 200);
  const key = await router.server.key('chat');
  const listed = await fetch(`${router.url}/api/allowances`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(listed.status, 403);
});

test('a budget that is nearly spent is told once, as a change and in the log', async () => {
  const told: { type: string; data: { rule: string; usd: number; used: number } }[] = [];
  const wants = (type: string): boolean => type === 'router.budget.warned';
  const record = (_: unknown, ...changes: typeof told): Promise<void> => {
    told.push(...changes);
    return Promise.resolve();
  };
  const changes = { on: true, wants, record } as unknown as Changes;
  const lines: string[] = [];
  const log = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line));
      done();
    },
  });
  const budget = { usd: 1_000 * COST, warnAt: 0.2 };
  await using router = await bootRouter(
    ['a'],
    { prices: PRICES, allowances: { team: { budget } } },
    { provide: [fake(CHANGES, changes)], log },
  );
  for (let call = 0; call < 250; call += 1)
    assert.equal((await router.post('/v1/chat/completions', chat('a/m', { max_tokens: 2 }))).status, 200);
  await eventually(() => told.length > 0, 'it is told');
  assert.deepEqual(
    told.map(({ type, data: { rule, usd } }) => [type, rule, Math.round(usd / COST)]),
    [['router.budget.warned', 'team', 1_000]],
  );
  assert.ok(told[0]!.data.used >= 200 * COST && told[0]!.data.used < 250 * COST, `${told[0]!.data.used}`);
  assert.equal(lines.filter((line) => line.includes('a budget is nearly spent')).length, 1);
});

test('streams that are open at once are counted for each key and in all, and end with their client', async () => {
  await using router = await bootRouter(['a'], { maxStreams: 3, allowances: { few: { streams: 2 } } });
  router.upstreams[0]!.always({ kind: 'hang', where: 'mid stream' });
  const other = await router.server.key('chat');
  const open = async (key = router.key) => {
    const leaving = new AbortController();
    const body = chat('a/m', { stream: true });
    const answer = await router.post('/v1/chat/completions', body, { key, signal: leaving.signal });
    return { answer, leave: () => leaving.abort() };
  };
  const streams = [await open(), await open()];
  const third = await refusal((await open()).answer);
  assert.deepEqual(
    [third.status, third.code, third.headers.get('retry-after')],
    [429, 'too_many_streams', '1'],
  );
  streams.push(await open(other));
  assert.equal((await open(other)).answer.status, 429, 'the bound of all');
  for (const { leave } of streams) leave();
  await eventually(async () => {
    const { answer, leave } = await open();
    leave();
    return answer.status === 200;
  }, 'a stream that was left has room for another');
});

test('a stream that fails, is refused or ends is counted out', async () => {
  await using router = await bootRouter(['a'], {
    prices: PRICES,
    maxStreams: 1,
    allowances: { poor: { budget: { usd: 30 * COST } } },
  });
  const body = { max_tokens: 2, stream: true };
  for (const behaviour of [
    { kind: 'status', status: 400 },
    { kind: 'truncate' },
    { kind: 'break', where: 'mid stream' },
    { kind: 'ok' },
  ] as const) {
    router.upstreams[0]!.next(behaviour);
    const answer = await ask(router, body);
    assert.notEqual(answer.status, 429, behaviour.kind);
    await answer.text();
  }
  await eventually(async () => {
    const answer = await ask(router, body);
    return (await answer.text()).includes('insufficient_quota');
  }, 'the budget is spent');
  assert.equal((await refusal(ask(router, body))).code, 'insufficient_quota');
});
