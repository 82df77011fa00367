/** Ollama's own API, byte for byte as its server speaks it; its client is tested in `test/model-clients`. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { bootRouter, type RouterServer } from '../../plugins/router/support/boot.js';
import { Vendor } from './vendor.js';

let vendor: Vendor;
let router: RouterServer;

before(async () => {
  vendor = await Vendor.start();
  const { url } = vendor;
  router = await bootRouter(['a'], ([a]) => ({
    upstreams: [
      { name: 'chat', baseUrl: `${url}/v1`, models: ['m'] },
      { name: 'anthropic', dialect: 'anthropic', baseUrl: url, models: ['m'] },
      { name: 'a', baseUrl: a?.url, models: ['m', { name: 'embedding-m', kind: 'embedding' }] },
    ],
    routes: { fast: { targets: ['chat/m'] } },
  }));
});
beforeEach(() => void (vendor.seen.length = 0));
after(async () => {
  await router[Symbol.asyncDispose]();
  await vendor[Symbol.asyncDispose]();
});

const MESSAGES = [{ role: 'user', content: 'hi' }];
const TOOLS = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }];

const lines = async (answer: Response): Promise<Record<string, unknown>[]> =>
  (await answer.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const untimed = (line: Record<string, unknown> | undefined): object => {
  assert.ok(!Number.isNaN(Date.parse(String(line?.['created_at']))));
  return { ...line, created_at: '' };
};

test('a chat is lines of JSON unless the client says otherwise', async () => {
  const answer = await router.post('/api/chat', { model: 'fast', messages: MESSAGES });
  assert.equal(answer.headers.get('content-type'), 'application/x-ndjson; charset=utf-8');
  const got = await lines(answer);
  const said = (content: string) => ({
    model: 'fast',
    created_at: '',
    message: { role: 'assistant', content },
    done: false,
  });
  assert.deepEqual(got.map(untimed), [
    said('grüß'),
    said(' dich 😀'),
    { ...said(''), done: true, done_reason: 'stop', prompt_eval_count: 20, eval_count: 5 },
  ]);
  const whole = await router.post('/api/chat', { model: 'fast', messages: MESSAGES, stream: false });
  assert.deepEqual(untimed((await whole.json()) as Record<string, unknown>), {
    ...said('grüß dich 😀'),
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 20,
    eval_count: 5,
  });
});

test('a prompt alone is answered with a response', async () => {
  const body = { model: 'anthropic/m', prompt: 'hi', system: 'be kind', stream: false };
  const answer = await router.post('/api/generate', body);
  const { response, done } = (await answer.json()) as Record<string, unknown>;
  assert.deepEqual([response, done], ['grüß dich 😀', true]);
  const [seen] = vendor.seen;
  assert.deepEqual(
    [seen?.body['system'], seen?.body['messages']],
    ['be kind', [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]],
  );
});

test('calls of tools come whole, and results without ids belong to them in their order', async () => {
  const got = await lines(
    await router.post('/api/chat', { model: 'anthropic/m', messages: MESSAGES, tools: TOOLS }),
  );
  const calls = got.flatMap(
    ({ message }) => (message as { tool_calls?: { function: object }[] }).tool_calls ?? [],
  );
  assert.deepEqual(
    calls.map(({ function: made }) => made),
    [
      { index: 0, name: 'weather', arguments: { city: 'Seoul' } },
      { index: 1, name: 'weather', arguments: { city: 'Jeju' } },
    ],
  );
  vendor.seen.length = 0;
  await router.post('/api/chat', {
    model: 'anthropic/m',
    stream: false,
    tools: TOOLS,
    messages: [
      ...MESSAGES,
      { role: 'assistant', content: '', tool_calls: calls.map(({ function: made }) => ({ function: made })) },
      { role: 'tool', tool_name: 'weather', content: 'sunny' },
      { role: 'tool', content: 'rainy' },
    ],
  });
  const messages = vendor.seen[0]?.body['messages'] as { content: Record<string, unknown>[] }[];
  const [asked, answered] = [messages[1]!.content, messages[2]!.content];
  assert.deepEqual(
    answered.map(({ tool_use_id: id, content }) => [id, content]),
    [
      [asked[0]!['id'], [{ type: 'text', text: 'sunny' }]],
      [asked[1]!['id'], [{ type: 'text', text: 'rainy' }]],
    ],
  );
});

test('how a model is held is left out and said; a setting that nobody else knows is refused by its name', async () => {
  const body = { model: 'fast', messages: MESSAGES, stream: false };
  const held = await router.post('/api/chat', {
    ...body,
    keep_alive: '5m',
    options: { num_ctx: 8_192, num_predict: 30, temperature: 0.5 },
  });
  assert.equal(held.headers.get('x-plugboard-omitted'), 'keep_alive, options.num_ctx');
  const [seen] = vendor.seen;
  assert.deepEqual([seen?.body['max_completion_tokens'], seen?.body['temperature']], [30, 0.5]);
  const refused = await router.post('/api/chat', { ...body, options: { min_p: 0.1 } });
  assert.equal(refused.status, 400);
  const { error } = (await refused.json()) as { error: string };
  assert.match(error, /"options\.min_p"/);
  assert.equal(vendor.seen.length, 1);
});

test('errors are one text, before and in a stream', async () => {
  const body = { model: 'nowhere/m', messages: MESSAGES };
  const missing = await router.post('/api/chat', body);
  assert.equal(missing.status, 404);
  assert.equal(typeof ((await missing.json()) as { error: unknown }).error, 'string');
  const unknown = await router.post('/api/chat', body, { key: 'pb_wrong' });
  assert.deepEqual(
    [unknown.status, typeof ((await unknown.json()) as { error: unknown }).error],
    [401, 'string'],
  );
  router.upstreams[0]?.always({ kind: 'truncate' });
  const cut = await lines(await router.post('/api/chat', { model: 'a/m', messages: MESSAGES }));
  assert.equal(typeof cut.at(-1)?.['error'], 'string');
});

test('texts become vectors, and models are listed and shown', async () => {
  router.upstreams[0]?.always({ kind: 'ok' });
  const embedded = await router.post('/api/embed', { model: 'a/embedding-m', input: ['one', 'two'] });
  const { embeddings, model } = (await embedded.json()) as { embeddings: number[][]; model: string };
  assert.deepEqual([embeddings.length, embeddings[0]?.length, model], [2, 4, 'a/embedding-m']);
  const { models } = (await (await router.get('/api/tags')).json()) as { models: { name: string }[] };
  assert.deepEqual(
    models.map(({ name }) => name),
    ['fast', 'chat/m', 'anthropic/m', 'a/m', 'a/embedding-m'],
  );
  const shown = await router.post('/api/show', { model: 'a/embedding-m' });
  assert.deepEqual(((await shown.json()) as { capabilities: string[] }).capabilities, ['embedding']);
  assert.equal((await router.post('/api/show', { model: 'nothing' })).status, 404);
  assert.match(
    ((await (await router.get('/api/version')).json()) as { version: string }).version,
    /^\d+\.\d+/,
  );
});
