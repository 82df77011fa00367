import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLOCK, definePlugin, defineErrors, token, Type } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';

interface Greeter {
  greet(name: string): string;
}
const GREETER = token<Greeter>('test.greeter@1');
const closed = { additionalProperties: false } as const;
const errors = defineErrors({
  no_such_name: { status: 404, message: 'nobody is called {name}', when: 'never' },
});

const greeter = definePlugin({
  name: 'greeter',
  api: 1,
  config: Type.Object({ word: Type.String({ default: 'hello' }) }, closed),
  provides: { greeter: GREETER },
  setup: ({ config }) => ({ provides: { greeter: { greet: (name) => `${config.word} ${name}` } } }),
});

const door = definePlugin({
  name: 'door',
  api: 1,
  dialect: 'openai',
  config: Type.Object({}, closed),
  needs: { greeter: GREETER, clock: CLOCK },
  setup: ({ needs }) => ({
    routes: (app) => {
      app.get(
        '/door/:name',
        { schema: { querystring: Type.Object({ times: Type.Integer({ default: 1, maximum: 3 }) }) } },
        (request) => {
          const { name } = request.params as { name: string };
          if (name === 'nobody') throw errors.no_such_name({ values: { name } });
          if (name === 'bug') throw new Error('secret inner text');
          return { text: needs.greeter.greet(name).repeat(request.query.times) };
        },
      );
      app.post(
        '/door',
        { schema: { body: Type.Object({ a: Type.Integer() }, closed) } },
        (request) => request.body,
      );
    },
  }),
});

test('a plugin gets what it needs and answers over HTTP', async () => {
  const server = await bootTest({
    plugins: [{ plugin: door }, { plugin: greeter, config: { word: 'good day' } }],
  });
  const answer = await server.inject('/door/ann?times=2');
  assert.deepEqual(answer.json(), { text: 'good day anngood day ann' });
  assert.match(String(answer.headers['x-request-id']), /^[\w-]{12}-\d+$/);
  await server.stop();
});

test('every failure is answered in the dialect of the plugin that it falls to', async () => {
  const server = await bootTest({ plugins: [{ plugin: door }, { plugin: greeter }] });
  const cases: [object, number, string][] = [
    [{ url: '/door/nobody' }, 404, 'no_such_name'],
    [{ url: '/door/bug' }, 500, 'internal'],
    [{ url: '/door/ann?times=9' }, 400, 'invalid_request'],
    [{ url: '/door/ann/too/deep' }, 404, 'not_found'],
    [{ url: '/door/ann', method: 'DELETE' }, 405, 'method_not_allowed'],
    [
      { url: '/door', method: 'POST', payload: '{"a":', headers: { 'content-type': 'application/json' } },
      400,
      'malformed_json',
    ],
    [
      { url: '/door', method: 'POST', payload: '', headers: { 'content-type': 'application/json' } },
      400,
      'invalid_request',
    ],
    [{ url: '/door', method: 'POST', payload: { a: '1' } }, 400, 'invalid_request'],
    [{ url: '/door', method: 'POST', payload: { a: 1, b: 2 } }, 400, 'invalid_request'],
    [
      { url: '/door', method: 'POST', payload: 'a', headers: { 'content-type': 'text/odd' } },
      415,
      'unsupported_media_type',
    ],
  ];
  for (const [request, status, code] of cases) {
    const answer = await server.inject(request);
    assert.equal(answer.statusCode, status, answer.body);
    const { error } = answer.json<{ error: { code: string; message: string; type: string } }>();
    assert.equal(error.code, code);
    assert.doesNotMatch(answer.body, /secret inner/);
  }
  assert.deepEqual(Object.keys((await server.inject('/elsewhere')).json<object>()), [
    'code',
    'message',
    'details',
    'hint',
  ]);
  await server.stop();
});
