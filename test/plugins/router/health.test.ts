/** Health belongs to (upstream, key, model): what of one model, key or caller fails touches no other. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Behaviour } from '../../support/peers/upstream.js';
import { bootRouter, chat, type RouterServer } from './support/boot.js';

const PATH = '/v1/chat/completions';

interface Refused {
  readonly error: { readonly message: string; readonly tried?: readonly { code: string; last?: string }[] };
}

const status = async (router: RouterServer, model: string, key?: string): Promise<number> =>
  (await router.post(PATH, chat(model), key === undefined ? {} : { key })).status;

test('429 of one model, however often: other models of the upstream are served', async () => {
  await using router = await bootRouter();
  const [upstream] = router.upstreams;
  upstream?.always({ kind: 'status', status: 429, headers: { 'retry-after': '60' } });
  assert.equal(await status(router, 'a/bad'), 429);
  await Promise.all(Array.from({ length: 6 }, () => status(router, 'a/bad')));
  upstream?.always({ kind: 'ok' });
  assert.equal(await status(router, 'a/good'), 200);
  assert.equal(await status(router, 'a/bad'), 429, 'the model itself gets no calls');
});

test('failures that one caller provokes close a model to that caller alone', async () => {
  await using router = await bootRouter();
  const [upstream] = router.upstreams;
  const other = await router.server.key('chat');
  upstream?.always({ kind: 'status', status: 500 });
  for (let time = 0; time < 5; time += 1) assert.equal(await status(router, 'a/m'), 502);
  upstream?.always({ kind: 'ok' });
  const refused = await router.post(PATH, chat('a/m'));
  assert.equal(refused.status, 503);
  const { error } = (await refused.json()) as Refused;
  assert.match(error.message, /circuit_open after http_500/);
  assert.deepEqual(
    error.tried?.map(({ code, last }) => [code, last]),
    [['circuit_open', 'http_500']],
  );
  assert.equal(await status(router, 'a/m', other), 200, 'another caller is served');
  assert.equal(await status(router, 'a/m'), 200, 'and its success opens the model to all');
});

test('a model that fails for several callers is closed to all', async () => {
  await using router = await bootRouter();
  const [upstream] = router.upstreams;
  const [second, third] = [await router.server.key('chat'), await router.server.key('chat')];
  upstream?.always({ kind: 'status', status: 500 });
  for (let time = 0; time < 5; time += 1) await status(router, 'a/m');
  for (let time = 0; time < 2; time += 1) await status(router, 'a/m', second);
  assert.equal(await status(router, 'a/m', third), 503);
  assert.equal(upstream?.requests.length, 7);
});

test('a probe that is slow does not hold up the calls that have no other target', async () => {
  let now = Date.now();
  await using router = await bootRouter(
    ['a'],
    { breaker: { failures: 1, reset: 10_000 } },
    { clock: { now: () => now } },
  );
  const [upstream] = router.upstreams;
  upstream?.next({ kind: 'status', status: 500 });
  assert.equal(await status(router, 'a/m'), 502);
  assert.equal(await status(router, 'a/m'), 503);
  now += 10_000;
  upstream?.next({ kind: 'slow', delay: 1_500 });
  const probe = status(router, 'a/m');
  await once(upstream!, 'request');
  assert.equal(await status(router, 'a/m'), 200);
  assert.equal(await probe, 200);
});

test('a body that is too long for one model goes to the next target, a wrong one does not', async () => {
  await using router = await bootRouter(['a', 'b'], { routes: { r: { targets: ['a/m', 'b/m'] } } });
  const [a, b] = router.upstreams;
  const refuse = (error: object): Behaviour => ({ kind: 'status', status: 400, body: { error } });
  a?.next(refuse({ message: 'too long', code: 'context_length_exceeded' }));
  assert.equal(await status(router, 'r'), 200);
  a?.next(refuse({ message: "Unsupported parameter: 'temperature'", code: null }));
  assert.equal(await status(router, 'r'), 200);
  a?.next(refuse({ message: 'messages must alternate', code: 'invalid_value' }));
  assert.equal(await status(router, 'r'), 400);
  assert.equal(b?.requests.length, 2);
  a?.always(refuse({ message: 'too long', code: 'context_length_exceeded' }));
  b?.always(refuse({ message: 'too long', code: 'context_length_exceeded' }));
  assert.equal(await status(router, 'r'), 400, 'what all refuse is the refusal');
});

test("an upstream's configured header values and keys are taken out of what it says", async () => {
  await using router = await bootRouter(['a'], ([a]) => ({
    upstreams: [{ name: 'a', baseUrl: a?.url, apiKey: 'secret-key', headers: { 'x-org': 'secret-org-7' } }],
  }));
  const error = { message: 'org secret-org-7 with secret-key is not known', code: 'secret-org-7' };
  router.upstreams[0]?.always({ kind: 'status', status: 400, body: { error } });
  const text = await (await router.post(PATH, chat('a/m'))).text();
  assert.match(text, /org \*\*\* with \*\*\*/);
  assert.doesNotMatch(text, /secret/);
});

test('calls are listed with model, upstream, status and tokens, a key sees its own', async () => {
  await using router = await bootRouter(['a', 'b']);
  const [, b] = router.upstreams;
  const other = await router.server.key('chat');
  b?.always({ kind: 'status', status: 500 });
  for (const model of ['a/x', 'a/y', 'b/x']) await status(router, model);
  await status(router, 'a/x', other);
  await router.usage(4);
  const list = async (query: string, key?: string) => {
    const answer = await router.get(`/api/usage/${query}`, key);
    return (await answer.json()) as {
      data: { model: string; upstream: string; status: number; tokensIn: number | null }[];
      next: string | null;
    };
  };
  const all = await list('calls');
  assert.equal(all.data.length, 4);
  assert.equal(all.next, null);
  const failed = await list('calls?upstream=b');
  assert.deepEqual(
    failed.data.map(({ model, upstream, status: code }) => [model, upstream, code]),
    [['b/x', 'b', 502]],
  );
  assert.equal((await list('calls?model=a/x')).data.length, 2);
  assert.equal((await list(`calls?day=${new Date().toISOString().slice(0, 10)}`)).data.length, 4);
  const own = await list('own', other);
  assert.deepEqual(
    own.data.map(({ model, tokensIn }) => [model, tokensIn]),
    [['a/x', 7]],
  );
  assert.deepEqual((await list('own?key=of-another', other)).data.length, 1);
  assert.equal((await router.get('/api/usage/calls', other)).status, 403);
  let [seen, after] = [0, ''];
  do {
    const page = await list(`calls?limit=1${after}`);
    seen += page.data.length;
    after = page.next === null ? '' : `&after=${page.next}`;
  } while (after !== '');
  assert.equal(seen, 4);
  assert.equal((await router.get('/api/usage/calls?after=x')).status, 400);
});

test('a client that leaves at finish_reason is metered', async (t) => {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ content: 'hi' }) + chunk({}, 'stop'));
    setTimeout(() => {
      response.write(
        `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 3 } })}\n\n`,
      );
      response.end('data: [DONE]\n\n');
    }, 300);
  }).listen(0, '127.0.0.1');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using router = await bootRouter(['unused'], { upstreams: [{ name: 'a', baseUrl }] });
  const leave = new AbortController();
  const answer = await router.post(PATH, chat('a/m', { stream: true }), { signal: leave.signal });
  let text = '';
  for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.includes('"stop"')) break;
  }
  leave.abort();
  const { total } = await router.usage(1);
  assert.deepEqual([total.tokensIn, total.tokensOut, total.errors], [11, 3, 0]);
});

test('a compressed answer is read, chunks without choices pass, and the query of the base goes along', async (t) => {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url);
    let asked = '';
    request.on('data', (piece: Buffer) => (asked += piece.toString()));
    request.on('end', () => {
      const isStream = asked.includes('"stream":true');
      const choices = [
        { index: 0, message: { role: 'assistant', content: 'zipped' }, finish_reason: 'stop' },
      ];
      const body = isStream
        ? `data: {"prompt_filter_results":[]}\n\ndata: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`
        : JSON.stringify({ choices });
      const type = isStream ? 'text/event-stream' : 'application/json';
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': type }).end(gzipSync(body));
    });
  }).listen(0, '127.0.0.1');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/?api-version=2024-10-21`;
  await using router = await bootRouter(['unused'], { upstreams: [{ name: 'a', baseUrl }] });
  const whole = (await (await router.post(PATH, chat('a/m'))).json()) as {
    choices: { message: { content: string } }[];
  };
  assert.equal(whole.choices[0]?.message.content, 'zipped');
  const stream = await (await router.post(PATH, chat('a/m', { stream: true }))).text();
  assert.match(stream, /prompt_filter_results[^]*"hi"[^]*\[DONE\]/);
  assert.deepEqual(
    new Set(seen.filter((url) => url?.includes('chat'))),
    new Set(['/base/chat/completions?api-version=2024-10-21']),
  );
});
