import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { eventually } from '../../support/eventually.js';
import { bootRouter, chat } from './support/boot.js';

test('a chat completion is the answer of the upstream that the model names', async () => {
  await using router = await bootRouter(['a', 'b']);
  const answer = await router.post('/v1/chat/completions', chat('b/m', { temperature: 0.5, custom: [1] }));
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('x-plugboard-upstream'), 'b');
  const body = (await answer.json()) as { choices: { message: { content: string } }[] };
  assert.equal(body.choices[0]?.message.content, 'b b');
  const [seen] = router.upstreams[1]?.requests ?? [];
  assert.equal(seen?.path, '/v1/chat/completions');
  assert.equal(seen?.headers.authorization, 'Bearer secret-of-b');
  assert.deepEqual(seen?.body, chat('m', { temperature: 0.5, custom: [1] }));
});

test('both prefixes serve the same', async () => {
  await using router = await bootRouter();
  for (const prefix of ['/v1', '/api/v1']) {
    assert.equal((await router.post(`${prefix}/chat/completions`, chat('a/m'))).status, 200);
    assert.equal((await router.get(`${prefix}/models`)).status, 200);
  }
});

test('a stream is passed on event by event and ends with [DONE]; counts that were not asked for are kept back', async () => {
  await using router = await bootRouter();
  const answer = await router.post('/v1/chat/completions', chat('a/m', { stream: true }));
  assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/);
  assert.equal(answer.headers.get('x-plugboard-upstream'), 'a');
  const text = await answer.text();
  assert.match(text, /data: \[DONE\]\n\n$/);
  assert.doesNotMatch(text, /prompt_tokens/);
  assert.deepEqual(router.upstreams[0]?.requests[0]?.body.stream_options, { include_usage: true });
  const { total } = await router.usage(1);
  assert.deepEqual(
    { in: total.tokensIn, out: total.tokensOut, cached: total.tokensCached, unmetered: total.unmetered },
    { in: 7, out: 2, cached: 3, unmetered: 0 },
  );
});

test('counts in a stream that were asked for arrive', async () => {
  await using router = await bootRouter();
  const body = chat('a/m', { stream: true, stream_options: { include_usage: true } });
  assert.match(await (await router.post('/v1/chat/completions', body)).text(), /"prompt_tokens":7/);
});

test('an unknown model is 404 and names the models there are', async () => {
  await using router = await bootRouter(['a'], ([a]) => ({
    upstreams: [{ name: 'a', baseUrl: a?.url, models: ['m', 'embed-m'] }],
    routes: { fast: { targets: ['a/m'] } },
  }));
  const answer = await router.post('/v1/chat/completions', chat('a/other'));
  assert.equal(answer.status, 404);
  const { error } = (await answer.json()) as { error: { code: string; message: string; param: string } };
  assert.equal(error.code, 'model_not_found');
  assert.equal(error.param, 'model');
  assert.match(error.message, /fast, a\/m, a\/embed-m$/);
});

test('without an upstream the answer says what to configure', async () => {
  await using router = await bootRouter([]);
  const answer = await router.post('/v1/chat/completions', chat('openai/gpt-5-mini'));
  assert.equal(answer.status, 404);
  const { error } = (await answer.json()) as { error: { code: string; message: string } };
  assert.equal(error.code, 'model_not_found');
  assert.match(error.message, /add one to plugins\.router\.upstreams/);
});

test('a body without messages, or with an empty model, is 400 and names the member', async () => {
  await using router = await bootRouter();
  for (const [body, param] of [
    [{ model: 'a/m' }, 'messages'],
    [chat(''), 'model'],
    [{ model: 'a/m', messages: [] }, 'messages'],
  ] as const) {
    const answer = await router.post('/v1/chat/completions', body);
    assert.equal(answer.status, 400);
    const { error } = (await answer.json()) as { error: { code: string; param: string } };
    assert.deepEqual([error.code, error.param], ['invalid_request', param]);
  }
});

test('a call without a key is 401', async () => {
  await using router = await bootRouter();
  const answer = await router.post('/v1/chat/completions', chat('a/m'), { key: 'wrong' });
  assert.equal(answer.status, 401);
});

for (const stream of [false, true]) {
  test(`a client that goes away ends the call to the upstream at once (stream: ${stream})`, async () => {
    await using router = await bootRouter();
    const [upstream] = router.upstreams;
    upstream?.always({ kind: 'hang', where: stream ? 'mid stream' : 'before headers' });
    const leaving = new AbortController();
    const closed = once(upstream!, 'close');
    const answer = router.post('/v1/chat/completions', chat('a/m', { stream }), { signal: leaving.signal });
    await (stream ? answer : once(upstream!, 'request'));
    const given = answer.then((response) => response.text()).catch(() => 'gone');
    leaving.abort();
    await closed;
    assert.equal(await given, 'gone');
    const { total } = await router.usage(1);
    assert.equal(total.calls, 1);
    assert.equal(total.errors, 1);
    assert.equal(total.unmetered, 1, 'nothing is invented for a call that was cut short');
  });
}

test('a client that does not read holds the upstream back', async () => {
  await using router = await bootRouter();
  const [upstream] = router.upstreams;
  upstream?.always({ kind: 'flood' });
  const leaving = new AbortController();
  const answer = await router.post('/v1/chat/completions', chat('a/m', { stream: true }), {
    signal: leaving.signal,
  });
  assert.equal(answer.status, 200);
  let before = -1;
  // It stops once the buffers between the two sockets are full.
  await eventually(async () => {
    before = upstream?.written ?? 0;
    await new Promise((resolve) => setTimeout(resolve, 200));
    return upstream?.written === before;
  }, 'the upstream is held back');
  assert.ok(before < 32_000_000, `${before} bytes were taken for a client that reads nothing`);
  leaving.abort();
});
