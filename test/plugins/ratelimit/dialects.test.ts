import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STORAGE } from 'plugboard/sdk';
import { eventually } from '../../support/eventually.js';
import { limitedServer } from './support.js';

test('the openai dialect answers 429 with retry-after and the headers of OpenAI', async () => {
  const server = await limitedServer({ categories: { chat: { key: 1, tokens: 1000 } } });
  const headers = { authorization: `Bearer ${server.apiKey}` };
  const served = await server.inject({ url: '/openai', headers });
  assert.equal(served.statusCode, 200);
  assert.equal(served.headers['x-ratelimit-limit-requests'], '1');
  assert.equal(served.headers['x-ratelimit-remaining-requests'], '0');
  assert.equal(served.headers['x-ratelimit-reset-requests'], '1m0s');
  assert.equal(served.headers['x-ratelimit-limit-tokens'], '1000');
  assert.equal(served.headers['x-ratelimit-remaining-tokens'], '1000');
  server.clock.time += 18_000;
  const refused = await server.inject({ url: '/openai', headers });
  assert.equal(refused.statusCode, 429);
  assert.equal(refused.headers['retry-after'], '42');
  assert.equal(refused.headers['x-ratelimit-reset-requests'], '42s');
  assert.deepEqual(refused.json(), {
    error: {
      message: 'rate limit of "chat" reached: 1 requests in 60 s; try again in 42 s',
      type: 'requests',
      code: 'rate_limit_exceeded',
      param: null,
    },
  });
  await server.stop();
});

test('tokens that were spent refuse the next request, which is then not counted', async () => {
  const server = await limitedServer({ lease: 40, categories: { chat: { key: 10, tokens: 100 } } });
  const headers = { authorization: `Bearer ${server.apiKey}` };
  const first = await server.inject({ url: '/openai', headers });
  assert.equal(first.headers['x-ratelimit-remaining-tokens'], '100');
  const keys = await server.command(['keys', 'list', '--json']);
  const { keys: all } = JSON.parse(keys.stdout) as { keys: { id: string; name: string }[] };
  const { id, name } = all.find((key) => key.name === 'test') ?? { id: '', name: '' };
  server.chat().spend({ kind: 'key', id, name, scopes: [] }, 130);
  const refused = await server.inject({ url: '/openai', headers });
  assert.equal(refused.statusCode, 429);
  assert.equal(refused.headers['x-ratelimit-remaining-tokens'], '0');
  assert.match((refused.json() as { error: { message: string } }).error.message, /100 tokens in 60 s/);
  const windows = server.service(STORAGE, 'ratelimit').collection({ name: 'windows' });
  await eventually(
    async () => (await windows.countDocuments({ _id: `chat.tokens key:${id}` })) === 1,
    'stored',
  );
  server.clock.time += 61_000;
  const later = await server.inject({ url: '/openai', headers });
  assert.equal(later.statusCode, 200);
  assert.equal(later.headers['x-ratelimit-remaining-requests'], '9');
  await server.stop();
});

test('the other dialects answer 429 in their own shape', async () => {
  const server = await limitedServer({ categories: { data: { key: 0, window: 10 } } });
  const refused = await server.inject({ url: '/svc', headers: { authorization: `Bearer ${server.apiKey}` } });
  assert.equal(refused.statusCode, 429);
  assert.equal(refused.headers['retry-after'], '10');
  assert.equal(refused.headers['x-ratelimit-resource'], 'data');
  assert.deepEqual(refused.json(), {
    code: 'rate_limit_exceeded',
    message: 'rate limit of "data" reached: 0 requests in 10 s; try again in 10 s',
    details: null,
    hint: null,
  });
  await server.stop();
});

test('too many points in a minute, and too many requests at a time, are a secondary limit', async () => {
  const server = await limitedServer({ secondary: { points: 8, concurrent: 2 } });
  const call = (method: 'GET' | 'POST') => server.inject({ method, url: '/github' });
  assert.equal((await call('POST')).statusCode, 200);
  assert.equal((await call('GET')).statusCode, 200);
  const refused = await call('POST');
  assert.equal(refused.statusCode, 403);
  assert.equal(refused.headers['retry-after'], '60');
  assert.match((refused.json() as { message: string }).message, /\bsecondary rate\b/);
  server.clock.time += 60_000;
  assert.equal((await call('POST')).statusCode, 200);
  await server.stop();
});
