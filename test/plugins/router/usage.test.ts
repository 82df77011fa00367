import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Logger } from 'plugboard/sdk';
import type { UsageBatch } from '../../../plugins/router/usage/batch.js';
import { UsageLedger } from '../../../plugins/router/usage/ledger.js';
import { callOf } from './support/usage-record.js';
import { bootRouter, chat } from './support/boot.js';

test('usage is summed by model, key, day and upstream', async () => {
  await using router = await bootRouter(['a', 'b'], { routes: { fast: { targets: ['a/m'] } } });
  for (const model of ['fast', 'fast', 'b/m']) await router.post('/v1/chat/completions', chat(model));
  const rows = async (group: string) =>
    (await router.usage(3, group)).data.map(({ name, calls }) => [name, calls]);
  assert.deepEqual(await rows('model'), [
    ['fast', 2],
    ['b/m', 1],
  ]);
  assert.deepEqual(await rows('upstream'), [
    ['a', 2],
    ['b', 1],
  ]);
  assert.equal((await rows('key')).length, 1);
  const [day] = await rows('day');
  assert.match(String(day?.[0]), /^\d{4}-\d{2}-\d{2}$/);
});

test('usage is summed of one key, model or upstream alone', async () => {
  await using router = await bootRouter(['a', 'b']);
  for (const model of ['a/m', 'a/m', 'b/m']) await router.post('/v1/chat/completions', chat(model));
  await router.usage(3);
  const sums = async (query: string): Promise<unknown> => {
    const answer = await router.get(`/api/usage?${query}`);
    const { data, total } = (await answer.json()) as {
      data: { name: string; calls: number }[];
      total: { calls: number };
    };
    return [...data.map(({ name, calls }) => `${name} ${calls}`), total.calls];
  };
  assert.deepEqual(await sums('upstream=b'), ['b/m 1', 1]);
  assert.deepEqual(await sums('group=purpose&model=a/m'), ['chat.completions 2', 2]);
  assert.deepEqual(await sums('key=nobody'), [0]);
});

test('usage of another time is not in the sums', async () => {
  await using router = await bootRouter();
  await router.post('/v1/chat/completions', chat('a/m'));
  const past = await router.get('/api/usage?from=2020-01-01&to=2020-01-02T00:00:00Z');
  const body = (await past.json()) as { total: { calls: number }; from: string };
  assert.deepEqual([body.total.calls, body.from], [0, '2020-01-01T00:00:00.000Z']);
});

test('a query that is not understood is 400 and names the parameter', async () => {
  await using router = await bootRouter();
  for (const [query, param] of [
    ['from=yesterday', 'from'],
    ['to=2026-13-01', 'to'],
    ['from=2026-02-31', 'from'],
    ['from=2026-01-02&to=2026-01-01', 'from'],
    ['group=colour', 'group'],
    ['since=2026-01-01', 'since'],
  ] as const) {
    const answer = await router.get(`/api/usage?${query}`);
    const { error } = (await answer.json()) as { error: { param: string } };
    assert.deepEqual([answer.status, error.param], [400, param], query);
  }
});

test('upstreams show their circuits and load, and no key', async () => {
  await using router = await bootRouter(['a'], { breaker: { failures: 1 } });
  router.upstreams[0]?.always({ kind: 'status', status: 500 });
  await router.post('/v1/chat/completions', chat('a/m'));
  const text = await (await router.get('/api/upstreams')).text();
  assert.doesNotMatch(text, /secret-of/);
  const [status] = (JSON.parse(text) as { upstreams: Record<string, unknown>[] }).upstreams;
  assert.deepEqual([status?.['name'], status?.['circuit'], status?.['failures']], ['a', 'closed', 1]);
  const [{ models: [model] = [] } = {}] = (status?.['keys'] ?? []) as {
    models?: Record<string, unknown>[];
  }[];
  assert.deepEqual(
    [model?.['model'], model?.['circuit'], model?.['openFor'], model?.['lastFailure']],
    ['m', 'open', 'one caller', 'http_500'],
  );
  const ready = (await (await router.get('/-/ready')).json()) as { plugins: Record<string, unknown> };
  assert.deepEqual(ready.plugins['router'], { ok: true, detail: { a: 'ok' } });
});

test('a batch that the store did not take is stored again as it was', async () => {
  const seen: { id: string; models: string[] }[] = [];
  let away = true;
  const store = async ({ id, pages }: UsageBatch): Promise<void> => {
    seen.push({ id, models: pages.flatMap((page) => page.entries().map(({ model }) => model)) });
    if (away) throw new Error('away');
  };
  const ledger = new UsageLedger(store, { warn() {}, error() {} } as unknown as Logger);
  ledger.record(callOf({ model: 'one' }));
  await assert.rejects(ledger.flush());
  ledger.record(callOf({ model: 'other' }));
  away = false;
  await ledger.close();
  assert.deepEqual(
    seen.map(({ models }) => models),
    [['one'], ['one'], ['other']],
  );
  assert.equal(seen[1]?.id, seen[0]?.id);
  assert.notEqual(seen[2]?.id, seen[0]?.id);
});

test('with the store away the oldest records are given up, and the log says how many', async () => {
  const given: number[] = [];
  const error = ({ count }: { count: number }): void => void given.push(count);
  let stored = 0;
  const store = async ({ size }: UsageBatch): Promise<void> => void (stored += size);
  const ledger = new UsageLedger(store, { warn() {}, error } as unknown as Logger);
  for (let at = 0; at < 104_500; at += 1) ledger.record(callOf());
  await ledger.close();
  assert.deepEqual(given, [2_000, 2_000]);
  assert.equal(stored, 100_500);
});
