import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definePlugin, Type, type Routes } from 'plugboard/sdk';
import { bootTest, type TestServer } from 'plugboard/testing';

const APP = 'https://app.example';

const notes = definePlugin({
  name: 'notes',
  api: 1,
  exposedHeaders: ['x-notes'],
  config: Type.Object({}, { additionalProperties: false }),
  setup: () => ({
    routes: (app: Routes) => {
      app.get('/notes', () => []);
      app.delete('/notes', () => ({}));
      app.options('/notes', () => ({ describes: 'notes' }));
    },
  }),
});

function serverFor(...origins: string[]): Promise<TestServer> {
  return bootTest({ plugins: [{ plugin: notes }], server: { cors: { origins } } });
}

test('browsers of the configured origins may call, others get no CORS headers', async () => {
  await using server = await serverFor(APP);
  const allowed = async (origin: string) =>
    (await server.inject({ url: '/notes', headers: { origin } })).headers['access-control-allow-origin'];
  assert.equal(await allowed(APP), APP);
  assert.equal(await allowed('https://evil.example'), undefined);
});

test('a preflight grants every method that routes have, and the headers that were asked for', async () => {
  await using server = await serverFor(APP);
  const granted = await server.inject({
    method: 'OPTIONS',
    url: '/notes',
    headers: {
      origin: APP,
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'authorization,content-type',
    },
  });
  assert.equal(granted.statusCode, 204);
  assert.equal(granted.headers['access-control-allow-methods'], 'GET, HEAD, POST, PUT, PATCH, DELETE');
  assert.equal(granted.headers['access-control-allow-headers'], 'authorization,content-type');
});

test('without CORS a preflight is refused with the name of the setting', async () => {
  await using server = await serverFor();
  const headers = { origin: APP, 'access-control-request-method': 'POST' };
  const refused = await server.inject({ method: 'OPTIONS', url: '/notes', headers });
  const { code, message } = refused.json<{ code: string; message: string }>();
  assert.deepEqual([refused.statusCode, code], [403, 'cross_origin']);
  assert.match(message, /server\.cors\.origins/);
});

test('an OPTIONS that is not a preflight is answered by its route, or as a wrong method', async () => {
  await using server = await serverFor(APP);
  const own = await server.inject({ method: 'OPTIONS', url: '/notes' });
  assert.deepEqual(own.json(), { describes: 'notes' });
  const none = await server.inject({ method: 'OPTIONS', url: '/-/live' });
  assert.deepEqual([none.statusCode, none.json<{ code: string }>().code], [405, 'method_not_allowed']);
});

test('with CORS a path without a route is still a 404, which the page of another origin may read', async () => {
  await using server = await serverFor('*');
  const answer = await server.inject({ url: '/nowhere', headers: { origin: APP } });
  assert.deepEqual([answer.statusCode, answer.json<{ code: string }>().code], [404, 'not_found']);
  assert.equal(answer.headers['access-control-allow-origin'], '*');
  assert.equal(answer.headers['access-control-allow-credentials'], undefined);
});

test('browsers may read the headers that plugins declare', async () => {
  await using server = await serverFor(APP);
  const answer = await server.inject({ url: '/notes', headers: { origin: APP } });
  assert.match(String(answer.headers['access-control-expose-headers']), /\betag\b.*\bx-notes\b/);
});
