import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { after, before, describe, test } from 'node:test';
import { AUTH, definePlugin, Type } from 'plugboard/sdk';
import { bootTest, type TestServer } from 'plugboard/testing';

/** `/echo` takes a body, `/none` takes none; both say what they were given. */
const plugin = definePlugin({
  name: 'echo',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  needs: { auth: AUTH },
  scopes: { echo: 'echo' },
  setup: ({ needs: { auth } }) => ({
    routes(app) {
      app.post('/echo', { schema: { body: Type.Unknown() } }, (request) => ({ body: request.body ?? null }));
      app.post('/large', { bodyLimit: 4_000_000 }, (request) => ({
        length: JSON.stringify(request.body).length,
      }));
      app.post('/none', (request) => ({ body: request.body ?? null }));
      app.get('/guarded', { onRequest: auth.guard('bearer', { scope: 'echo' }) }, () => ({}));
      app.get('/open', () => ({}));
      app.post(
        '/at',
        { schema: { body: Type.Object({ at: Type.String({ format: 'date-time' }) }) } },
        () => ({}),
      );
    },
  }),
});

const json = { 'content-type': 'application/json' };

describe('requests at the bounds', () => {
  let server: TestServer;
  before(async () => void (server = await bootTest({ plugins: [{ plugin }] })));
  after(() => server.stop());
  const post = (url: string, payload: string, headers: Record<string, string> = json) =>
    server.inject({ method: 'POST', url, headers, payload });

  test('a route that takes no body gets none, however broken it is', async () => {
    for (const payload of ['{"a":1}', '{"a":', '['.repeat(10_000)]) {
      const answer = await post('/none', payload);
      assert.deepEqual([answer.statusCode, answer.json()], [200, { body: null }]);
    }
  });

  test('a body that is not the UTF-8 that it should be is refused, and not stored with other characters', async () => {
    const latin1 = Buffer.from('{"a":"caf\xe9"}', 'latin1');
    for (const payload of [latin1, Buffer.concat([latin1, Buffer.alloc(100_000, ' ')])]) {
      const answer = await server.inject({ method: 'POST', url: '/echo', headers: json, payload });
      assert.deepEqual([answer.statusCode, answer.json<{ code: string }>().code], [400, 'malformed_json']);
      assert.match(answer.body, /is not UTF-8/);
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const payload = Buffer.from('a=caf\xe9', 'latin1');
    assert.equal(
      (await server.inject({ method: 'POST', url: '/echo', headers: form, payload })).statusCode,
      400,
    );
  });

  test('a compressed body is refused as such', async () => {
    const answer = await server.inject({
      method: 'POST',
      url: '/echo',
      headers: { ...json, 'content-encoding': 'gzip' },
      payload: gzipSync('{"a":1}'),
    });
    assert.deepEqual([answer.statusCode, answer.headers['accept-encoding']], [415, 'identity']);
    assert.match(answer.body, /content encoding ..gzip/);
    const plain = await post('/echo', '{"a":1}', { ...json, 'content-encoding': 'identity' });
    assert.equal(plain.statusCode, 200);
  });

  test('a body without a content type is told which one to send, and an empty one needs none', async () => {
    const send = (headers: Record<string, string>, payload: Buffer) =>
      server.inject({ method: 'POST', url: '/echo', headers, payload });
    assert.match((await send({}, Buffer.from('{}'))).body, /send content-type: application\/json/);
    assert.match((await send({ 'content-type': 'text/plain' }, Buffer.from('{}'))).body, /text\/plain/);
    const empty = await send({ 'content-type': 'text/plain', 'content-length': '0' }, Buffer.alloc(0));
    assert.deepEqual([empty.statusCode, empty.json()], [200, { body: null }]);
  });

  test('a URL that is too long is told so, and one of thousands of ids is not', async () => {
    const url = `${await server.listen()}/open?a=`;
    assert.equal((await fetch(`${url}${'x'.repeat(60_000)}`)).status, 200);
    const answer = await fetch(`${url}${'x'.repeat(70_000)}`);
    assert.equal(answer.status, 431);
    assert.match(await answer.text(), /the URL and the headers are larger than 64 KiB/);
  });

  test('the body of a route that does not exist is not parsed', async () => {
    assert.equal((await post('/nowhere', '{"a":')).statusCode, 404);
    assert.equal(
      (await server.inject({ method: 'PUT', url: '/echo', headers: json, payload: '{"a":' })).statusCode,
      405,
    );
  });

  test('a body is at most 1 MB, where its route does not say more', async () => {
    const text = (length: number): string => JSON.stringify('x'.repeat(length));
    assert.equal((await post('/echo', text(1_000_000))).statusCode, 200);
    const refused = await post('/echo', text(1_100_000));
    assert.equal(refused.statusCode, 413);
    assert.match(refused.json<{ message: string }>().message, /larger than 1048576 bytes/);
    assert.equal((await post('/large', text(3_000_000))).statusCode, 200);
    assert.match((await post('/large', text(4_000_000))).json<{ message: string }>().message, /4000000/);
  });

  test('JSON of too many values is refused before it is parsed, and many plain ones are taken', async () => {
    assert.equal((await post('/echo', `[${'{},'.repeat(60_000)}{}]`)).statusCode, 413);
    assert.equal((await post('/echo', `{${'"a":1,'.repeat(60_000)}"b":1}`)).statusCode, 413);
    assert.equal((await post('/large', `[${' '.repeat(3_000_000)}]`)).statusCode, 413);
    const names = (count: number): string =>
      JSON.stringify(Array.from({ length: count }, (_, at) => ({ [`name ${at}`]: 1 })));
    assert.equal((await post('/echo', names(11_000))).statusCode, 413);
    assert.equal((await post('/echo', names(9_000))).statusCode, 200);
    assert.equal((await post('/echo', `[${'1,'.repeat(300_000)}1]`)).statusCode, 200);
    assert.equal((await post('/echo', JSON.stringify(['{[,:"\\'.repeat(50_000)]))).statusCode, 200);
  });

  test('strings with quotes and backslashes are strings', async () => {
    for (const value of ['\\', '"', '\\"', '\\\\"', 'a\\\\', '"[{', '\\"[']) {
      const deep = [value, { [value]: value }];
      assert.deepEqual((await post('/echo', JSON.stringify(deep))).json(), { body: deep });
    }
    assert.equal((await post('/echo', '["\\"]')).statusCode, 400);
  });

  test('an instant that no clock shows is not a date-time', async () => {
    assert.equal((await post('/at', '{"at":"2030-12-31T23:59:60Z"}')).statusCode, 400);
    assert.equal((await post('/at', '{"at":"2030-12-31T23:59:59Z"}')).statusCode, 200);
  });

  test('a path out of the folder of the documentation is not found', async () => {
    for (const url of [
      '/-/docs/static/../x',
      '/-/docs/static/%2e%2e%2fx',
      '/-/docs/static/no.js',
      '/-/docs/static/%00',
    ])
      assert.equal((await server.inject(url)).statusCode, 404, url);
  });

  test('an error repeats the start of a long path alone', async () => {
    const { message } = (await server.inject(`/${'x/'.repeat(5_000)}`)).json<{ message: string }>();
    assert.ok(message.length < 300, `${message.length} characters`);
  });

  test('an answer that needs a key is kept by no cache', async () => {
    const headers = { authorization: `Bearer ${await server.key('echo')}` };
    assert.equal((await server.inject({ url: '/guarded', headers })).headers['cache-control'], 'no-store');
    assert.equal((await server.inject('/guarded')).headers['cache-control'], 'no-store');
    assert.equal((await server.inject('/open')).headers['cache-control'], undefined);
  });

  test('a page of another site may read what is open and may not write', async () => {
    const cases: [headers: Record<string, string>, status: number][] = [
      [{}, 200],
      [{ origin: 'http://localhost:80' }, 200],
      [{ origin: 'https://evil.example' }, 403],
      [{ origin: 'null' }, 403],
      [{ origin: 'http://localhost:3000' }, 403],
      [{ 'sec-fetch-site': 'cross-site' }, 403],
      [{ 'sec-fetch-site': 'same-site', origin: 'https://evil.example' }, 403],
      [{ 'sec-fetch-site': 'same-origin', origin: 'https://front.example' }, 200],
      [{ 'sec-fetch-site': 'none' }, 200],
      [{ origin: 'https://evil.example', authorization: 'Basic YTpi' }, 403],
      [{ origin: 'https://app.example', authorization: 'Bearer pb_x' }, 200],
    ];
    for (const [headers, status] of cases) {
      const bare = await server.inject({ method: 'POST', url: '/none', headers });
      assert.equal(bare.statusCode, status, JSON.stringify(headers));
      assert.equal((await server.inject({ url: '/open', headers })).statusCode, 200);
    }
  });

  test('a form of another site does not log in, whatever its content type adds', async () => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded; x=json',
      origin: 'https://evil.example',
    };
    const url = '/api/auth/login';
    assert.equal(
      (await server.inject({ method: 'POST', url, headers, payload: 'password=x' })).statusCode,
      403,
    );
  });
});

test('an origin that the config lists may write', async () => {
  const cors = { origins: ['https://front.example'] };
  await using server = await bootTest({ plugins: [{ plugin }], server: { cors } });
  const write = async (origin: string) =>
    (await server.inject({ method: 'POST', url: '/none', headers: { origin } })).statusCode;
  assert.equal(await write('https://front.example'), 200);
  assert.equal(await write('https://evil.example'), 403);
});
