/** Answers that are given again to the same request of the same tenant. */
import type { Principal, Secrets, Storage } from 'plugboard/sdk';
import { AnswerCache } from '../../../plugins/router/cache/answer-cache.js';
import { silentLog } from '../../support/silent-log.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../support/eventually.js';
import { bootRouter, chat, type RouterServer } from './support/boot.js';

test('the same request is answered again, whole and streamed, in any dialect, without an upstream and for nothing', async () => {
  await using router = await bootRouter(['a'], {
    cache: {},
    prices: { 'a/*': { input: 1, output: 1 } },
  });
  const calls: [string, object][] = [
    ['/v1/chat/completions', chat('a/m')],
    ['/v1/chat/completions', chat('a/m', { stream: true })],
    ['/v1/responses', { model: 'a/m', input: 'hello' }],
    [
      '/v1/messages',
      { model: 'a/m', max_tokens: 5, stream: true, messages: [{ role: 'user', content: 'hi' }] },
    ],
  ];
  for (const [path, body] of calls) {
    const first = await ask(router, path, body);
    assert.equal(first.cache, 'miss');
    await untilHit(router, path, body);
    const before = router.upstreams[0]!.requests.length;
    const again = await ask(router, path, body);
    assert.deepEqual([again.text, again.cache, again.upstream], [first.text, 'hit', 'a']);
    assert.equal(router.upstreams[0]!.requests.length, before);
  }
  const answer = await (await router.get('/api/usage/calls')).json();
  const { data } = answer as { data: { cached: boolean; cost: number; upstream: string | null }[] };
  const hits = data.filter(({ cached }) => cached);
  assert.equal(hits.length, 8);
  assert.ok(hits.every(({ cost, upstream }) => cost === 0 && upstream === null));
  assert.equal(
    data.filter(({ cached }) => !cached).every(({ cost }) => cost > 0),
    true,
  );
});

test('who asks makes no difference within a tenant, and all between two', async () => {
  await using router = await bootRouter(['a'], { cache: {} });
  const keyOf = async (name: string, owner?: string): Promise<string> => {
    const words = ['keys', 'create', name, '--json', '--scope', 'chat', ...(owner ? ['--owner', owner] : [])];
    return (JSON.parse((await router.server.command(words)).stdout) as { key: string }).key;
  };
  const [one, two, other] = await Promise.all([
    keyOf('one', 'shop'),
    keyOf('two', 'shop'),
    keyOf('other', 'web'),
  ]);
  await ask(router, PATH, chat('a/m', { user: 'ann' }), { key: one });
  await untilHit(router, PATH, { ...chat('a/m'), user: 'ben', metadata: { a: '1' } }, { key: two });
  assert.equal((await ask(router, PATH, chat('a/m'), { key: other })).cache, 'miss');
  assert.equal((await ask(router, PATH, chat('a/m'))).cache, 'miss');
});

test('any other request is another one', async () => {
  await using router = await bootRouter(['a', 'b'], { cache: {} });
  await ask(router, PATH, chat('a/m'));
  await untilHit(router, PATH, chat('a/m'));
  for (const body of [
    chat('b/m'),
    chat('a/m', { stream: true }),
    chat('a/m', { temperature: 0 }),
    chat('a/m', { tools: [] }),
    chat('a/m', { messages: [{ role: 'system', content: 'hello' }] }),
  ])
    assert.equal((await ask(router, PATH, body)).cache, 'miss', JSON.stringify(body));
});

test('a call says by its headers that it wants none of it', async () => {
  await using router = await bootRouter(['a'], { cache: {} });
  await ask(router, PATH, chat('a/m'));
  await untilHit(router, PATH, chat('a/m'));
  router.upstreams[0]!.always({ kind: 'ok', content: 'new' });
  assert.equal((await ask(router, PATH, chat('a/m'), { 'cache-control': 'no-store' })).cache, null);
  assert.doesNotMatch((await untilHit(router, PATH, chat('a/m'))).text, /new/);
  assert.equal((await ask(router, PATH, chat('a/m'), { 'cache-control': 'no-cache' })).cache, 'miss');
  await eventually(
    async () => (await ask(router, PATH, chat('a/m'))).text.includes('new'),
    'no-cache keeps the new answer',
  );
});

test('with "asked" only those calls are cached that ask for it', async () => {
  await using router = await bootRouter(['a'], { cache: { when: 'asked' } });
  assert.equal((await ask(router, PATH, chat('a/m'))).cache, null);
  const use = { 'x-plugboard-cache': 'use' };
  assert.equal((await ask(router, PATH, chat('a/m'), use)).cache, 'miss');
  await untilHit(router, PATH, chat('a/m'), use);
});

test('what failed, broke off or is too large is not kept', async () => {
  await using router = await bootRouter(['a'], { cache: { maxEntryBytes: 1_024 } });
  const [upstream] = router.upstreams;
  upstream!.next({ kind: 'status', status: 400 });
  await ask(router, PATH, chat('a/m'));
  upstream!.next({ kind: 'truncate' });
  await ask(router, PATH, chat('a/m', { stream: true }));
  upstream!.next({ kind: 'ok', content: 'long '.repeat(1_000) });
  await ask(router, PATH, chat('a/m', { n: 1 }));
  upstream!.next({ kind: 'ok', content: 'long '.repeat(1_000) });
  await ask(router, PATH, chat('a/m', { n: 1, stream: true }));
  for (const body of [
    chat('a/m'),
    chat('a/m', { stream: true }),
    chat('a/m', { n: 1 }),
    chat('a/m', { n: 1, stream: true }),
  ])
    assert.equal((await ask(router, PATH, body)).cache, 'miss');
});

test('a hit is refused to a key that may not use the model, and so is a model that is gone', async () => {
  await using router = await bootRouter(['a'], {
    cache: {},
    allowances: { all: { tenant: 'web', models: ['none'] } },
  });
  const words = ['keys', 'create', 'web', '--json', '--scope', 'chat', '--owner', 'web'];
  const { key } = JSON.parse((await router.server.command(words)).stdout) as { key: string };
  await ask(router, PATH, chat('a/m'));
  await untilHit(router, PATH, chat('a/m'));
  assert.equal((await router.post(PATH, chat('a/m'), { key })).status, 403);
});

test('an answer grows old, and no more of them are kept than the config says', async () => {
  let now = Date.now();
  const clock = { now: () => now };
  await using router = await bootRouter(['a'], { cache: { ttl: 60, entries: 1 } }, { clock });
  await ask(router, PATH, chat('a/m'));
  await untilHit(router, PATH, chat('a/m'));
  await ask(router, PATH, chat('a/m', { temperature: 1 }));
  await untilHit(router, PATH, chat('a/m', { temperature: 1 }));
  assert.equal((await ask(router, PATH, chat('a/m'))).cache, 'miss');
  await untilHit(router, PATH, chat('a/m'));
  now += 61_000;
  assert.equal((await ask(router, PATH, chat('a/m'))).cache, 'miss');
});

const PATH = '/v1/chat/completions';

interface Asked {
  readonly text: string;
  readonly cache: string | null;
  readonly upstream: string | null;
}

async function ask(
  router: RouterServer,
  path: string,
  body: object,
  { key = router.key, ...headers }: Record<string, string> = {},
): Promise<Asked> {
  const answer = await fetch(router.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return {
    text: await answer.text(),
    cache: answer.headers.get('x-plugboard-cache'),
    upstream: answer.headers.get('x-plugboard-upstream'),
  };
}

/** An answer is written after the call. */
async function untilHit(
  router: RouterServer,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Asked> {
  let asked: Asked | undefined;
  await eventually(async () => {
    asked = await ask(router, path, body, headers);
    return asked.cache === 'hit';
  }, 'the answer is kept');
  return asked!;
}

test('an erasure waits for the answers that are being written', async () => {
  const calls: string[] = [];
  let stored = (): void => {};
  const entries = {
    replaceOne: () =>
      new Promise<void>((resolve) => (stored = resolve)).then(() => void calls.push('stored')),
    deleteMany: () => Promise.resolve(calls.push('deleted')),
  };
  const cache = new AnswerCache({ when: 'always', entries: 8, ttl: 60, maxEntryBytes: 1_000 } as never, {
    storage: { collection: () => entries } as unknown as Storage,
    secrets: { seal: (text: string) => text } as unknown as Secrets,
    clock: Date,
    log: silentLog,
    salt: '',
  });
  const asked = { client: { name: 'chat' }, model: 'm', stream: false, length: 1, fingerprint: 'f' };
  const caller: Principal = { kind: 'key', id: 'k', name: 'k', scopes: [] };
  cache.entryOf(asked, { caller, headers: {} })!.write({ body: '{}', upstream: 'up' });
  const forgotten = cache.forget(['k']);
  stored();
  await forgotten;
  assert.deepEqual(calls, ['stored', 'deleted']);
});
