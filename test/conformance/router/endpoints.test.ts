/** OpenAI's API besides conversations, called by unmodified clients. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import OpenAI, { AzureOpenAI } from 'openai';
import { bootRouter, type RouterServer } from '../../plugins/router/support/boot.js';
import { TestUpstream } from '../../support/peers/upstream.js';

let router: RouterServer;
let google: TestUpstream;
let openai: OpenAI;
let upstream: TestUpstream;
let other: TestUpstream;

before(async () => {
  google = await TestUpstream.start('google');
  router = await bootRouter(['a', 'b'], ([a, b]: readonly TestUpstream[]) => ({
    upstreams: [
      { name: 'a', baseUrl: a!.url, apiKey: 'secret-of-a' },
      { name: 'b', baseUrl: b!.url, apiKey: 'secret-of-b' },
      { name: 'google', dialect: 'gemini', baseUrl: google.url.replace('/v1', ''), apiKey: 'secret' },
      { name: 'claude', dialect: 'anthropic', baseUrl: google.url.replace('/v1', ''), apiKey: 'secret' },
    ],
    routes: {
      both: { targets: ['a/m', 'b/m'] },
      'omni-moderation-latest': { targets: ['a/omni'] },
    },
  }));
  [upstream, other] = router.upstreams as [TestUpstream, TestUpstream];
  openai = new OpenAI({ baseURL: `${router.url}/v1`, apiKey: router.key, maxRetries: 0 });
});
beforeEach(() => {
  for (const one of [upstream, other, google]) {
    one.always({ kind: 'ok' });
    one.forget();
  }
});
after(async () => {
  await router[Symbol.asyncDispose]();
  await google.stop();
});

const answers = (one: TestUpstream, value: object): TestUpstream =>
  one.always({ kind: 'nonsense', text: JSON.stringify(value) });

const COMPLETION = {
  id: 'cmpl-1',
  object: 'text_completion',
  created: 1,
  model: 'served',
  choices: [{ index: 0, text: 'return a + b', finish_reason: 'stop', logprobs: null }],
};
const USAGE = { prompt_tokens: 4, completion_tokens: 5, total_tokens: 9 };

test('a text is continued, whole', async () => {
  answers(upstream, { ...COMPLETION, usage: USAGE });
  const { choices, usage } = await openai.completions.create({
    model: 'a/m',
    prompt: 'def add(a, b):',
    suffix: '\n',
  });
  assert.deepEqual([choices[0]?.text, usage?.completion_tokens], ['return a + b', 5]);
  const [{ path, body } = assert.fail()] = upstream.requests;
  assert.deepEqual([path, body.model, body['suffix']], ['/v1/completions', 'm', '\n']);
});

test('a text is continued as a stream, and its tokens are counted though the client did not ask for them', async () => {
  const before = (await router.usage(0)).total;
  const events = ['return ', 'a + b'].map((text) => ({
    ...COMPLETION,
    choices: [{ index: 0, text, finish_reason: text === 'a + b' ? 'stop' : null, logprobs: null }],
  }));
  const stream = [...events, { ...COMPLETION, choices: [], usage: USAGE }];
  const text = `${stream.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`;
  upstream.always({ kind: 'nonsense', text });
  let said = '';
  for await (const chunk of await openai.completions.create({ model: 'a/m', prompt: 'x', stream: true })) {
    assert.equal(chunk.choices.length, 1, 'the event with the counts is kept back');
    said += chunk.choices[0]?.text ?? '';
  }
  assert.equal(said, 'return a + b');
  const { total } = await router.usage(before.calls + 1);
  assert.deepEqual([total.tokensIn - before.tokensIn, total.tokensOut - before.tokensOut], [4, 5]);
});

test('a continuation that is not streamed though it was asked for is one event', async () => {
  answers(upstream, COMPLETION);
  const read: string[] = [];
  for await (const { choices } of await openai.completions.create({
    model: 'a/m',
    prompt: 'x',
    stream: true,
  }))
    read.push(...choices.map(({ text }) => text));
  assert.deepEqual(read, ['return a + b']);
});

test('pictures come back whole, also those that are larger than what is parsed', async () => {
  const b64_json = Buffer.alloc(600_000, 'picture').toString('base64');
  const usage = {
    input_tokens: 9,
    output_tokens: 1_056,
    total_tokens: 1_065,
    input_tokens_details: { text_tokens: 9 },
  };
  const before = (await router.usage(0)).total;
  answers(upstream, { created: 1, data: [{ b64_json }], usage });
  const { data } = await openai.images.generate({ model: 'both', prompt: 'a tea house', size: '1024x1024' });
  assert.equal(data?.[0]?.b64_json, b64_json);
  const { total } = await router.usage(before.calls + 1);
  assert.deepEqual([total.tokensIn - before.tokensIn, total.tokensOut - before.tokensOut], [9, 1_056]);
});

test('an upstream that makes no picture is stood in for', async () => {
  answers(upstream, { created: 1, data: [] });
  answers(other, { created: 1, data: [{ url: 'https://pictures.example/1' }] });
  const { data } = await openai.images.generate({ model: 'both', prompt: 'a tea house' });
  assert.equal(data?.[0]?.url, 'https://pictures.example/1');
});

test('texts are judged, by a route of the name that clients ask for unasked', async () => {
  answers(upstream, {
    id: 'modr-1',
    model: 'omni',
    results: [{ flagged: true, categories: {}, category_scores: {} }],
  });
  const { results } = await openai.moderations.create({ input: 'a threat' });
  assert.equal(results[0]?.flagged, true);
  assert.equal(upstream.requests[0]?.body.model, 'omni');
});

test('Google makes embeddings for clients of OpenAI, as numbers and as base64', async () => {
  answers(google, { embeddings: [{ values: [0.5, -1] }, { values: [2, 0.25] }] });
  const ask = (encoding_format?: 'float') =>
    openai.embeddings.create({
      model: 'google/gemini-embedding-001',
      input: ['x', 'y'],
      dimensions: 2,
      ...(encoding_format && { encoding_format }),
    });
  // The client asks for base64 by itself, and decodes it.
  for (const { data } of [await ask(), await ask('float')])
    assert.deepEqual(
      data.map(({ embedding }) => Array.from(embedding)),
      [
        [0.5, -1],
        [2, 0.25],
      ],
    );
  const [{ path, body, headers } = assert.fail()] = google.requests;
  assert.equal(path, '/v1beta/models/gemini-embedding-001:batchEmbedContents');
  assert.equal(headers['x-goog-api-key'], 'secret');
  assert.deepEqual((body as unknown as { requests: object[] }).requests[0], {
    model: 'models/gemini-embedding-001',
    content: { parts: [{ text: 'x' }] },
    outputDimensionality: 2,
  });
});

test("Azure's client finds embeddings under its deployment", async () => {
  const azure = new AzureOpenAI({
    endpoint: router.url,
    apiKey: router.key,
    apiVersion: '2024-10-21',
    maxRetries: 0,
  });
  const { data } = await azure.embeddings.create({ model: 'a/m', input: 'x' });
  assert.equal(data.length, 1);
  assert.equal(upstream.requests[0]?.body.model, 'm');
});

test('both versions of rerank answer alike', async () => {
  for (const path of ['/v1/rerank', '/v2/rerank']) {
    const answer = await router.post(path, { model: 'a/m', query: 'q', documents: ['long text', 'x'] });
    const { results } = (await answer.json()) as { results: { index: number }[] };
    assert.deepEqual([answer.status, results[0]?.index], [200, 1]);
  }
});

test('what an upstream has no word for is refused by name, before anything is sent', async () => {
  const refused = (call: Promise<unknown>, message: RegExp): Promise<void> =>
    assert.rejects(call, (error: InstanceType<typeof OpenAI.APIError>) => {
      assert.equal(error.status, 400);
      assert.match(error.message, message);
      return true;
    });
  await refused(openai.images.generate({ model: 'claude/m', prompt: 'x' }), /no images\/generations/);
  await refused(openai.completions.create({ model: 'google/m', prompt: 'x' }), /no completions/);
  await refused(openai.embeddings.create({ model: 'google/m', input: [1, 2] }), /no token numbers/);
  assert.deepEqual([google.requests.length, upstream.requests.length], [0, 0]);
});

test('a key for chats makes no pictures', async () => {
  const key = await router.server.key('chat');
  const limited = new OpenAI({ baseURL: `${router.url}/v1`, apiKey: key, maxRetries: 0 });
  await assert.rejects(limited.images.generate({ model: 'a/m', prompt: 'x' }), { status: 403 });
  await assert.rejects(limited.moderations.create({ input: 'x' }), { status: 403 });
});
