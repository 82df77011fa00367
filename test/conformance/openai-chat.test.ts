/** The `openai` package, unmodified, against the router over a real socket. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';
import { bootRouter, type RouterServer } from '../plugins/router/support/boot.js';

const MESSAGES = [{ role: 'user' as const, content: 'hello' }];

const client = (router: RouterServer, apiKey = router.key): OpenAI =>
  new OpenAI({ apiKey, baseURL: `${router.url}/v1`, maxRetries: 0 });

test('a chat completion', async () => {
  await using router = await bootRouter();
  const completion = await client(router).chat.completions.create({ model: 'a/m', messages: MESSAGES });
  assert.equal(completion.choices[0]?.message.content, 'a a');
  assert.equal(completion.usage?.total_tokens, 9);
});

test('a stream, with and without the token counts', async () => {
  await using router = await bootRouter();
  for (const include_usage of [true, false]) {
    const stream = await client(router).chat.completions.create({
      model: 'a/m',
      messages: MESSAGES,
      stream: true,
      stream_options: { include_usage },
    });
    let text = '';
    let total: number | undefined;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      total ??= chunk.usage?.total_tokens;
    }
    assert.equal(text, 'a a');
    assert.equal(total, include_usage ? 9 : undefined);
  }
});

test('the streaming runner puts a completion together', async () => {
  await using router = await bootRouter();
  const runner = client(router).chat.completions.stream({ model: 'a/m', messages: MESSAGES });
  assert.equal(await runner.finalContent(), 'a a');
});

test('a failure in mid stream is an APIError of the iteration', async () => {
  await using router = await bootRouter();
  router.upstreams[0]?.always({ kind: 'break', where: 'mid stream' });
  const stream = await client(router).chat.completions.create({
    model: 'a/m',
    messages: MESSAGES,
    stream: true,
  });
  let words = 0;
  await assert.rejects(
    async () => {
      for await (const _ of stream) words += 1;
    },
    (error) => error instanceof OpenAI.APIError && error.code === 'upstream_failed',
  );
  assert.equal(words, 2);
});

test('a stream that the client aborts ends the call to the upstream', async () => {
  await using router = await bootRouter();
  router.upstreams[0]?.always({ kind: 'flood' });
  const stream = await client(router).chat.completions.create({
    model: 'a/m',
    messages: MESSAGES,
    stream: true,
  });
  for await (const _ of stream) break;
  const { total } = await router.usage(1);
  assert.equal(total.calls, 1);
  assert.equal(router.upstreams[0]?.aborted, 1);
});

test('errors are the typed errors of the client', async () => {
  await using router = await bootRouter();
  const [upstream] = router.upstreams;
  const create = (model: string, key?: string) => () =>
    client(router, key).chat.completions.create({ model, messages: MESSAGES });
  await assert.rejects(create('a/m', 'wrong'), OpenAI.AuthenticationError);
  await assert.rejects(create('nowhere/m'), OpenAI.NotFoundError);
  upstream?.next({ kind: 'status', status: 400 });
  await assert.rejects(create('a/m'), OpenAI.BadRequestError);
  upstream?.next({ kind: 'status', status: 422 });
  await assert.rejects(create('a/m'), OpenAI.UnprocessableEntityError);
  upstream?.next({ kind: 'status', status: 500 });
  await assert.rejects(create('a/m'), OpenAI.InternalServerError);
  upstream?.next({ kind: 'status', status: 429, headers: { 'retry-after': '3' } });
  await assert.rejects(
    create('a/m'),
    (error) => error instanceof OpenAI.RateLimitError && error.headers.get('retry-after') === '3',
  );
});
