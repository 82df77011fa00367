import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import {
  defineErrors,
  definePlugin,
  StorageError,
  Type,
  type Dialect,
  type DialectName,
  type Routes,
} from 'plugboard/sdk';
import { bootTest, LogLines, type AnyPlugin } from 'plugboard/testing';
import { eventually } from '../../support/eventually.js';

const closed = { additionalProperties: false } as const;

function plugin(routes: (app: Routes) => void, dialect: DialectName = 'svc'): AnyPlugin {
  const made = definePlugin({
    name: `p-${dialect}`,
    api: 1,
    dialect,
    config: Type.Object({}, closed),
    setup: () => ({ routes }),
  });
  return made;
}

const echo = plugin((app) => {
  app.post('/echo', { config: { jsonForms: true } }, (request) => ({ body: request.body ?? null }));
  app.get('/query', (request) => request.query as object);
  app.get('/unavailable', () => {
    throw new StorageError('unavailable', 'mongodb://user:password@host is down');
  });
});

test('each dialect has its own shape for the same failure', async () => {
  const shapes = {
    openai: { error: ['code', 'message', 'param', 'type'] },
    v2: { error: ['code', 'message'] },
    github: ['documentation_url', 'message'],
    svc: ['code', 'details', 'hint', 'message'],
  } as const;
  for (const dialect of ['openai', 'v2', 'github', 'svc'] as const) {
    const server = await bootTest({
      plugins: [{ plugin: plugin((app) => void app.get('/there', () => ({})), dialect) }],
    });
    const body = (await server.inject('/there/not')).json<Record<string, object>>();
    const expected = shapes[dialect];
    const seen =
      'error' in expected
        ? { error: Object.keys(body['error'] ?? {}).toSorted() }
        : Object.keys(body).toSorted();
    assert.deepEqual(seen, expected, dialect);
    await server.stop();
  }
});

test('a route that keeps the text of its bodies has what the client wrote, digit by digit; others keep none', async () => {
  const kept = plugin((app) => {
    app.post('/kept', { config: { keepBodyText: true } }, ({ bodyText }) => ({ text: bodyText ?? null }));
    app.post('/plain', { config: { takesBody: true } }, ({ bodyText }) => ({ text: bodyText ?? null }));
  });
  const server = await bootTest({ plugins: [{ plugin: kept }] });
  const post = async (url: string, payload: string) =>
    (
      await server.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json' } })
    ).json<{ text: string | null }>().text;
  assert.equal(await post('/kept', '{ "n": 9007199254740993 }'), '{ "n": 9007199254740993 }');
  assert.equal(await post('/kept', ''), '');
  assert.equal(await post('/plain', '{"n":1}'), null);
  await server.stop();
});

test('an empty JSON body is an empty body, and a form that holds JSON is JSON where the route says so', async () => {
  const server = await bootTest({ plugins: [{ plugin: echo }] });
  const post = async (payload: string, type: string) =>
    (await server.inject({ method: 'POST', url: '/echo', payload, headers: { 'content-type': type } })).json<{
      body: unknown;
    }>().body;
  assert.equal(await post('', 'application/json'), null);
  assert.deepEqual(await post('{"a":1}', 'application/json; charset=utf-8'), { a: 1 });
  assert.deepEqual(await post('{"a":1}', 'application/vnd.api+json'), { a: 1 });
  assert.deepEqual(await post('{"a":1}', 'application/x-www-form-urlencoded'), { a: 1 });
  assert.deepEqual(await post('a=1&b[]=2&b[]=3', 'application/x-www-form-urlencoded'), {
    a: '1',
    b: ['2', '3'],
  });
  await server.stop();
});

test('a body that is needed and not sent is said to be missing', async () => {
  const taking = plugin((app) => {
    app.post('/taking', { schema: { body: Type.Object({ a: Type.String() }) } }, () => ({}));
  });
  const server = await bootTest({ plugins: [{ plugin: taking }] });
  for (const [payload, expected] of [
    ['', /the body must be given/],
    ['[]', /the body must be of type object/],
  ] as const) {
    const headers = { 'content-type': 'application/json' };
    const refused = await server.inject({ method: 'POST', url: '/taking', payload, headers });
    assert.equal(refused.statusCode, 400);
    assert.match(refused.body, expected);
  }
  await server.stop();
});

test('JSON that is sent as a form, as curl does without a header, is refused with what to send', async () => {
  const takes = plugin(
    (app) => void app.post('/plain', { config: { takesBody: true } }, ({ body }) => ({ body })),
  );
  await using server = await bootTest({ plugins: [{ plugin: takes }] });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await server.inject({ method: 'POST', url: '/plain', payload: ' {"a":1}', headers });
  const { code, message } = answer.json<{ code: string; message: string }>();
  assert.deepEqual([answer.statusCode, code], [415, 'unsupported_media_type']);
  assert.match(message, /send content-type: application\/json/);
  const form = await server.inject({ method: 'POST', url: '/plain', payload: 'a=1', headers });
  assert.deepEqual(form.json(), { body: { a: '1' } });
});

test('indexed, bracketed and repeated query parameters are arrays', async () => {
  const server = await bootTest({ plugins: [{ plugin: echo }] });
  for (const query of [
    'include[0]=a&include[1]=b',
    'include[]=a&include[]=b',
    'include=a&include=b',
    'include%5B0%5D=a&include%5B1%5D=b',
  ]) {
    assert.deepEqual((await server.inject(`/query?${query}`)).json(), { include: ['a', 'b'] }, query);
  }
  await server.stop();
});

test('no query parameter is dropped, however many there are, and a form may have a thousand fields', async () => {
  await using server = await bootTest({ plugins: [{ plugin: echo }] });
  const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}=1`).join('&');
  const query = (await server.inject(`/query?${names(1500)}&list=1&list[]=2`)).json<
    Record<string, unknown>
  >();
  assert.equal(Object.keys(query).length, 1501);
  assert.deepEqual(query['list'], ['1', '2']);
  const form = (count: number) =>
    server.inject({
      method: 'POST',
      url: '/echo',
      payload: names(count),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  assert.equal((await form(1000)).statusCode, 200);
  const refused = await form(1001);
  assert.deepEqual([refused.statusCode, refused.json<{ code: string }>().code], [413, 'payload_too_large']);
});

test('a body that would change prototypes is refused, however deep it is', async () => {
  const server = await bootTest({ plugins: [{ plugin: echo }] });
  const payload = `${'{"a":'.repeat(5000)}{"__proto__":{"x":1}}${'}'.repeat(5000)}`;
  const answer = await server.inject({
    method: 'POST',
    url: '/echo',
    payload,
    headers: { 'content-type': 'application/json' },
  });
  assert.deepEqual([answer.statusCode, answer.json<{ code: string }>().code], [400, 'malformed_json']);
  await server.stop();
});

test('JSON nested deeper than 512 levels is refused, and brackets in strings are not counted', async () => {
  await using server = await bootTest({ plugins: [{ plugin: echo }] });
  const post = (payload: string) =>
    server.inject({ method: 'POST', url: '/echo', payload, headers: { 'content-type': 'application/json' } });
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  assert.equal((await post(nested(512))).statusCode, 200);
  assert.equal((await post(JSON.stringify({ text: `\\"${'['.repeat(2000)}` }))).statusCode, 200);
  for (const levels of [513, 400_000]) {
    const refused = await post(nested(levels));
    assert.equal(refused.statusCode, 400);
    assert.match(refused.json<{ message: string }>().message, /nested deeper than 512 levels/);
  }
});

test('a body over the limit is 413 and a lost storage is 503 with nothing of its inner text', async () => {
  const server = await bootTest({ plugins: [{ plugin: echo }], server: { bodyLimit: 10 } });
  const large = await server.inject({
    method: 'POST',
    url: '/echo',
    payload: { text: 'more than ten bytes' },
  });
  assert.equal(large.statusCode, 413);
  const lost = await server.inject('/unavailable');
  assert.equal(lost.statusCode, 503);
  assert.equal(lost.headers['retry-after'], '1');
  assert.doesNotMatch(lost.body, /password/);
  await server.stop();
});

test('a harmless request id of the client is kept, any other is replaced', async () => {
  const server = await bootTest({ plugins: [{ plugin: echo }] });
  const id = async (given: string) =>
    (await server.inject({ url: '/query', headers: { 'x-request-id': given } })).headers['x-request-id'];
  assert.equal(await id('trace-0123456789'), 'trace-0123456789');
  assert.notEqual(await id('<script>alert(1)</script>'), '<script>alert(1)</script>');
  await server.stop();
});

test('bytes that are not HTTP get an answer in the shape of the server and a closed connection', async () => {
  const server = await bootTest({ plugins: [{ plugin: echo }] });
  const { port } = new URL(await server.listen());
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('GARBAGE\r\n\r\n');
  const answer = await text(socket);
  assert.match(answer, /^HTTP\/1\.1 400 /);
  assert.deepEqual(Object.keys(JSON.parse(answer.split('\r\n\r\n')[1] ?? '') as object), [
    'code',
    'message',
    'details',
    'hint',
  ]);
  await server.stop();
});

test('bytes that are not HTTP end an answer that has begun, and do not get into it', async () => {
  const stream = plugin((app) => {
    app.get('/stream', (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, { 'content-type': 'text/plain' });
      reply.raw.write('first');
    });
  });
  await using server = await bootTest({ plugins: [{ plugin: stream }], server: { drainTimeout: 0 } });
  const { port } = new URL(await server.listen());
  const socket = connect(Number(port), '127.0.0.1');
  const answer = text(socket);
  socket.write('GET /stream HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await once(socket, 'data');
  socket.write('GARBAGE\r\n\r\n');
  assert.equal((await answer).match(/HTTP\/1\.1/g)?.length, 1);
});

test('a request that does not arrive within its time is answered 408', async () => {
  await using server = await bootTest({ plugins: [{ plugin: echo }], server: { requestTimeout: 100 } });
  const { port } = new URL(await server.listen());
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n');
  socket.write('content-length: 100\r\n\r\n{"a":');
  assert.match(await text(socket), /^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
});

test('a client that leaves while it sends its body leaves no error in the log', async () => {
  const log = new LogLines();
  await using server = await bootTest({ plugins: [{ plugin: echo }], log });
  const { port } = new URL(await server.listen());
  const leave = async (body: string, way: 'resetAndDestroy' | 'destroy' | 'end'): Promise<void> => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    const gone = new Promise((resolve) => {
      server.app.server.once('connection', (peer) => peer.once('close', resolve));
    });
    socket.write('POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n');
    socket.write(body, () => socket[way]());
    await gone;
  };
  const bodies = [
    'content-length: 100\r\n\r\n{"a":',
    'content-length: 900000\r\n\r\n{"a":',
    'transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n',
    'transfer-encoding: chunked\r\n\r\n',
  ];
  for (const body of bodies)
    for (const way of ['resetAndDestroy', 'destroy', 'end'] as const) await leave(body, way);
  await server.inject('/query');
  assert.deepEqual(
    log.lines.filter((line) => line.includes('"level":50')),
    [],
  );
});

test('a percent-encoding that cannot be decoded is a 400 in the shape of the server', async () => {
  const server = await bootTest({ plugins: [{ plugin: echo }] });
  const answer = await server.inject('/%zz');
  assert.equal(answer.statusCode, 400);
  assert.equal(answer.json<{ code: string }>().code, 'malformed_url');
  await server.stop();
});

test('requests in flight at the stop are answered; readiness says 503 meanwhile; then nothing is accepted', async () => {
  let arrived = (): void => {};
  const inFlight = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const slow = plugin((app) => {
    app.get('/slow', async () => {
      arrived();
      await finished;
      return { done: true };
    });
  });
  const server = await bootTest({ plugins: [{ plugin: slow }] });
  const url = await server.listen();
  const answer = fetch(`${url}/slow`).then((response) => response.json());
  await inFlight;
  const stopped = server.stop();
  assert.equal((await server.inject('/-/ready')).statusCode, 503);
  finish();
  assert.deepEqual(await answer, { done: true });
  await stopped;
  await assert.rejects(fetch(`${url}/slow`));
});

test('a request that outlasts the drain is cut', async () => {
  let arrived = (): void => {};
  const inFlight = new Promise<void>((resolve) => (arrived = resolve));
  const endless = plugin((app) => {
    app.get('/endless', () => {
      arrived();
      return new Promise(() => {});
    });
  });
  const log = new LogLines();
  const server = await bootTest({ log, plugins: [{ plugin: endless }], server: { drainTimeout: 50 } });
  const url = await server.listen();
  const answer = fetch(`${url}/endless`).then(
    () => 'answered',
    () => 'cut',
  );
  await inFlight;
  await server.stop();
  assert.equal(await answer, 'cut');
  assert.ok(log.lines.some((line) => line.includes('(server.drainTimeout) and are cut off')));
});

test('a large schema that does not compile is logged, and its route alone fails', async () => {
  const log = new LogLines();
  const properties = {
    a: { $ref: '#/$defs/nothing' },
    b: { type: 'string', description: 'x'.repeat(8_000) },
  };
  const bad = plugin(
    (app) => void app.post('/bad', { schema: { body: { type: 'object', properties } } }, () => ({})),
  );
  await using server = await bootTest({ log, plugins: [{ plugin: bad }] });
  const url = await server.listen();
  await eventually(() => log.lines.some((line) => line.includes('does not compile')), 'it is logged');
  assert.equal((await fetch(`${url}/-/live`)).status, 200);
  const body = JSON.stringify({ a: 1 });
  assert.equal(
    (await fetch(`${url}/bad`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }))
      .status,
    500,
  );
});

test('a connection that sends nothing does not hold the stop up', async () => {
  const log = new LogLines();
  const server = await bootTest({ log, server: { drainTimeout: 60_000 } });
  const socket = connect(Number(new URL(await server.listen()).port), '127.0.0.1');
  const closed = once(socket, 'close');
  await once(server.app.server, 'connection');
  await server.stop();
  await closed;
  assert.ok(!log.lines.some((line) => line.includes('cut off')));
});

test('metrics count requests by plugin and route, and unknown paths share one label', async () => {
  const server = await bootTest({ plugins: [{ plugin: echo }] });
  await server.inject('/query?a=1');
  await server.inject('/scan/one');
  await server.inject('/scan/two');
  const { body } = await server.inject('/-/metrics');
  assert.match(
    body,
    /plugboard_http_request_duration_seconds_count\{plugin="p-svc",method="GET",route="\/query",status="200"\} 1/,
  );
  assert.match(body, /route="\(unknown\)",status="404"\} 2/);
  await server.stop();
});

test('metrics count a stream that its client left', async () => {
  const endless = plugin((app) => {
    app.get('/endless', (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, { 'content-type': 'text/plain' });
      reply.raw.write('first');
    });
  });
  await using server = await bootTest({ plugins: [{ plugin: endless }], server: { drainTimeout: 0 } });
  const client = new AbortController();
  const answer = await fetch(`${await server.listen()}/endless`, { signal: client.signal });
  await answer.body?.getReader().read();
  client.abort();
  const counted = async (): Promise<boolean> =>
    /_count\{[^}]*route="\/endless",status="200"\} 1/.test((await server.inject('/-/metrics')).body);
  await eventually(counted, 'the answer is counted');
});

test('ids given to requests differ, and the log of a request is the log of the server', async () => {
  const logging = plugin((app) => {
    app.get('/logged', (request) => {
      request.log.info({ requestId: request.id }, 'a line of the route');
      return {};
    });
  });
  const log = new LogLines();
  await using server = await bootTest({ plugins: [{ plugin: logging }], log });
  const ids = [];
  for (let count = 0; count < 2; count += 1)
    ids.push(String((await server.inject('/logged')).headers['x-request-id']));
  assert.notEqual(ids[0], ids[1]);
  for (const id of ids)
    assert.ok(log.lines.some((line) => line.includes(id) && line.includes('a line of the route')));
});

test('an unexpected error is a 500 with the request id, and the log has the rest under it with the route', async () => {
  const broken = plugin((app) => {
    app.get('/broken/:secret', () => {
      throw new Error('the inner text');
    });
  });
  const log = new LogLines();
  const server = await bootTest({ plugins: [{ plugin: broken }], log });
  const answer = await server.inject('/broken/hunter2');
  const id = String(answer.headers['x-request-id']);
  assert.equal(answer.statusCode, 500);
  assert.ok(answer.json<{ message: string }>().message.includes(id));
  assert.doesNotMatch(answer.body, /inner text/);
  const [line = '{}', ...more] = log.lines.filter((one) => one.includes(id));
  assert.deepEqual(more, []);
  const { err, route } = JSON.parse(line) as { err?: { message: string }; route?: string };
  assert.deepEqual([err?.message, route], ['the inner text', 'GET /broken/:secret']);
  await server.stop();
});

test('a route whose schema is not JSON Schema ends the start, and the message says where it is', async () => {
  const wrong = plugin((app) => {
    app.post('/wrong', { schema: { body: { type: 'strng' } } }, () => ({}));
  });
  await assert.rejects(
    bootTest({ plugins: [{ plugin: wrong }] }),
    /^BootError: plugin "p-svc" failed in routes: the body schema of POST \/wrong is not JSON Schema: data\/type/,
  );
});

test('a plugin answers errors on some of its paths in another dialect, under any prefix', async () => {
  const mixed = definePlugin({
    name: 'mixed',
    api: 1,
    prefix: '/mixed',
    dialect: 'v2',
    dialectOf: (path) => (path.startsWith('/theirs') ? 'github' : undefined),
    config: Type.Object({}, closed),
    setup: () => ({
      routes: (app) => {
        for (const path of ['/ours', '/theirs'])
          app.post(path, { schema: { body: Type.Object({ a: Type.String() }) } }, () => ({}));
      },
    }),
  });
  await using server = await bootTest({ plugins: [{ plugin: mixed }] });
  const told = async (url: string): Promise<object> =>
    (await server.inject({ method: 'POST', url, body: { a: 1 } })).json();
  assert.deepEqual(Object.keys(await told('/mixed/ours')), ['error']);
  assert.deepEqual(Object.keys(await told('/mixed/theirs')), ['message', 'documentation_url']);
  assert.deepEqual(Object.keys(await told('/mixed/theirs/unknown')), ['message', 'documentation_url']);
});

test('a path that no plugin has is answered by the plugin that knows the client, or that is nearest', async () => {
  const refusals = defineErrors({
    elsewhere: { status: 404, message: '{method} {path} is not here', when: 'a path is unknown' },
  });
  const vendor = (name: string, header: string, prefix: string): AnyPlugin => {
    const made = definePlugin({
      name,
      api: 1,
      prefix,
      dialect: 'v2',
      config: Type.Object({}, closed),
      clients: {
        recognise: (headers) => header in headers,
        unknownRoute: ({ method, path }) =>
          refusals.elsewhere({ values: { method, path: `${name} ${path}` } }),
      },
      setup: () => ({ routes: (app) => void app.get('/known', () => ({})) }),
    });
    return made;
  };
  const plugins = [vendor('one', 'x-vendor', '/one'), vendor('two', 'x-vendor', '/two')];
  await using server = await bootTest({ plugins: [...plugins, echo].map((each) => ({ plugin: each })) });
  const told = async (url: string, headers = {}): Promise<unknown> =>
    (await server.inject({ url, headers })).json();
  const known = { 'x-vendor': '1' };
  assert.deepEqual(await told('/nowhere', known), {
    error: { code: 'elsewhere', message: 'GET one /nowhere is not here' },
  });
  assert.deepEqual(await told('/two/x', known), {
    error: { code: 'elsewhere', message: 'GET two /two/x is not here' },
  });
  assert.deepEqual(await told('/two/x'), {
    error: { code: 'not_found', message: 'there is no route /two/x' },
  });
  assert.equal(((await told('/nowhere')) as { code: string }).code, 'not_found');
  const malformed = (await told('/%zz', known)) as { error: { code: string } };
  assert.equal(malformed.error.code, 'malformed_url');
});

test('a dialect says the content type of its errors', async () => {
  const problem: Dialect = {
    name: 'problem',
    render: ({ status, message }) => ({
      status,
      headers: { 'content-type': 'application/problem+json' },
      body: { status, title: message },
    }),
  };
  const own = definePlugin({
    name: 'own',
    api: 1,
    dialect: problem,
    config: Type.Object({}, { additionalProperties: false }),
    setup: () => ({
      routes: (app) =>
        void app.post('/own', { schema: { body: Type.Object({ n: Type.Number() }) } }, () => ({})),
    }),
  });
  await using server = await bootTest({ plugins: [{ plugin: own }] });
  const answer = await server.inject({ method: 'POST', url: '/own', payload: {} });
  assert.equal(answer.statusCode, 400);
  assert.match(String(answer.headers['content-type']), /^application\/problem\+json/);
  assert.equal(answer.json<{ status: number }>().status, 400);
});

test('two headers "Host" are refused', async () => {
  await using server = await bootTest({ plugins: [{ plugin: echo }] });
  const { port } = new URL(await server.listen());
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('GET /query HTTP/1.1\r\nhost: localhost\r\nHost: 127.0.0.1\r\nconnection: close\r\n\r\n');
  assert.match(await text(socket), /^HTTP\/1\.1 400 [\s\S]*"malformed_http"[\s\S]*more than one/);
});

test('behind a trusted proxy a redirect has the prefix of the proxy, and no other one', async () => {
  const moved = plugin((app) => {
    app.get('/old', (_request, reply) => reply.redirect('/new'));
    app.get('/away', (_request, reply) => reply.redirect('https://example.com/new'));
  });
  const location = async (trustProxy: boolean, url: string, prefix: string): Promise<unknown> => {
    await using server = await bootTest({ plugins: [{ plugin: moved }], server: { trustProxy } });
    const headers = { 'x-forwarded-prefix': prefix, 'x-forwarded-for': '192.0.2.1' };
    return (await server.inject({ url, headers })).headers['location'];
  };
  assert.equal(await location(true, '/old', '/board/'), '/board/new');
  assert.equal(await location(true, '/old', '/'), '/new');
  assert.equal(await location(true, '/old', '//evil.example'), '/new');
  assert.equal(await location(true, '/away', '/board'), 'https://example.com/new');
  assert.equal(await location(false, '/old', '/board'), '/new');
});
