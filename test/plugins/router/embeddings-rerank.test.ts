import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MODELS, type ChatRequest, type Principal } from 'plugboard/sdk';
import { bootRouter, chat } from './support/boot.js';

const CALLER: Principal = { kind: 'key', id: 'key-plugin', name: 'plugin', scopes: [] };
const CALL = { caller: CALLER, purpose: 'test' };

test('vectors come in the format that was asked for, also from a server that knows only the other one', async () => {
  await using router = await bootRouter();
  const [upstream] = router.upstreams;
  const numbers = { data: [{ object: 'embedding', index: 0, embedding: [1, -0.5] }], model: 'm' };
  upstream?.always({ kind: 'nonsense', text: JSON.stringify(numbers) });
  const ask = async (encoding_format: string) => {
    const answer = await router.post('/v1/embeddings', { model: 'a/m', input: 'x', encoding_format });
    return ((await answer.json()) as { data: { embedding: unknown }[] }).data[0]?.embedding;
  };
  assert.deepEqual(await ask('float'), [1, -0.5]);
  const base64 = await ask('base64');
  assert.equal(base64, Buffer.from(Float32Array.of(1, -0.5).buffer).toString('base64'));
  upstream?.always({ kind: 'nonsense', text: JSON.stringify({ data: [{ index: 0, embedding: base64 }] }) });
  assert.deepEqual(await ask('float'), [1, -0.5]);
});

test('an answer with fewer vectors than inputs goes to the next target', async () => {
  await using router = await bootRouter(['a', 'b'], { routes: { vectors: { targets: ['a/m', 'b/m'] } } });
  router.upstreams[0]?.always({ kind: 'nonsense', text: '{"data":[{"index":0,"embedding":[1]}]}' });
  const answer = await router.post('/v1/embeddings', { model: 'vectors', input: ['x', 'y'] });
  assert.equal(answer.headers.get('x-plugboard-upstream'), 'b');
});

test('a list of token numbers is one input', async () => {
  await using router = await bootRouter();
  router.upstreams[0]?.always({ kind: 'nonsense', text: '{"data":[{"index":0,"embedding":[1]}]}' });
  assert.equal((await router.post('/v1/embeddings', { model: 'a/m', input: [1, 2, 3] })).status, 200);
});

test('rerank is passed on, and an answer that names no document of ours is refused', async () => {
  await using router = await bootRouter();
  const body = { model: 'a/m', query: 'q', documents: ['long text', 'x'], top_n: 2 };
  const answer = (await (await router.post('/v1/rerank', body)).json()) as { results: { index: number }[] };
  assert.deepEqual(
    answer.results.map(({ index }) => index),
    [1, 0],
  );
  router.upstreams[0]?.always({ kind: 'nonsense', text: '{"results":[{"index":2,"relevance_score":1}]}' });
  assert.equal((await router.post('/v1/rerank', body)).status, 502);
});

test('other plugins embed, rerank, chat and list through MODELS, on the account of their caller', async () => {
  await using router = await bootRouter();
  const models = router.server.service(MODELS);
  const { vectors, tokens } = await models.embed('a/m', ['one', 'three'], CALL);
  assert.deepEqual([vectors.length, vectors[1]?.[0], tokens], [2, 5, 2]);
  const { results } = await models.rerank('a/m', 'q', ['long text', 'x'], CALL);
  assert.deepEqual(
    results.map(({ index }) => index),
    [1, 0],
  );
  const completion = await models.chat(chat('a/m', { stream: true }) as ChatRequest, CALL);
  assert.equal(completion.choices[0]?.message.content, 'a a');
  assert.deepEqual((await models.embed('a/m', [], CALL)).vectors, []);
  const { data } = await router.usage(3, 'key');
  assert.deepEqual(
    data.map(({ name, calls }) => [name, calls]),
    [['key-plugin', 3]],
  );
});

test('an interceptor changes what is sent, sees who calls, and is not asked where it is not wanted', async () => {
  await using router = await bootRouter();
  const models = router.server.service(MODELS);
  const seen: unknown[] = [];
  const remove = models.interceptChat(async (request, { caller, headers }) => {
    seen.push([caller.kind, headers['content-type']]);
    return { ...request, messages: [{ role: 'system', content: 'remembered' }, ...request.messages] };
  });
  await router.post('/v1/chat/completions', chat('a/m'));
  await router.post('/v1/chat/completions', chat('a/m', { stream: true })).then((answer) => answer.text());
  await models.chat(chat('a/m') as ChatRequest, { ...CALL, intercept: false });
  remove();
  await router.post('/v1/chat/completions', chat('a/m'));
  assert.deepEqual(seen, [
    ['key', 'application/json'],
    ['key', 'application/json'],
  ]);
  assert.deepEqual(
    router.upstreams[0]?.requests.map(({ body }) => body.messages.length),
    [2, 2, 1, 1],
  );
});
