/** Upstreams that close, wrap and mix what others do not. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { bootRouter, chat } from './support/boot.js';

const PATH = '/v1/chat/completions';
const COMPLETION = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

/** Answers the first request of each connection, and resets the connection when a second one comes. */
async function forgetfulServer(answers: number) {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    let answered = 0;
    let held = '';
    socket
      .on('error', () => {})
      .on('data', (bytes) => {
        held += bytes.toString('latin1');
        if (!held.endsWith('}')) return;
        held = '';
        requests += 1;
        if (answered === answers) {
          socket.resetAndDestroy();
          return;
        }
        answered += 1;
        socket.write(
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${COMPLETION.length}\r\n\r\n${COMPLETION}`,
        );
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

test('a kept connection that is reset as the next request sets out: it goes out again on a fresh one', async () => {
  await using upstream = await forgetfulServer(1);
  await using router = await bootRouter([], {
    upstreams: [{ name: 'a', baseUrl: upstream.url, models: ['m'] }],
  });
  for (let call = 0; call < 20; call += 1) assert.equal((await router.post(PATH, chat('a/m'))).status, 200);
  const { total } = await router.usage(20);
  assert.deepEqual([total.calls, total.errors], [20, 0], 'each is one call');
});

test('a fresh connection that is reset is a failure, and is not tried again', async () => {
  await using upstream = await forgetfulServer(0);
  await using router = await bootRouter([], {
    upstreams: [{ name: 'a', baseUrl: upstream.url, models: ['m'] }],
  });
  assert.equal((await router.post(PATH, chat('a/m'))).status, 502);
  assert.equal(upstream.requests(), 1);
});

test("Google's list of one error keeps its words and its wait", async () => {
  await using router = await bootRouter();
  const [a] = router.upstreams;
  const error = (code: number, message: string, details: object[] = []): object[] => [
    { error: { code, message, status: 'INVALID_ARGUMENT', details } },
  ];
  a?.next({ kind: 'status', status: 400, body: error(400, 'Invalid value at generation_config') });
  const refused = await router.post(PATH, chat('a/m'));
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /Invalid value at generation_config/);
  const wait = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '41.5s' }];
  a?.next({ kind: 'status', status: 429, body: error(429, 'quota', wait) });
  const limited = await router.post(PATH, chat('a/m'));
  assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '42']);
});

test('the trace context of the caller goes on to the upstream, with JSON and with streams', async () => {
  await using router = await bootRouter();
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  for (const [path, body] of [
    [PATH, chat('a/m')],
    [PATH, chat('a/m', { stream: true })],
    ['/v1/embeddings', { model: 'a/m', input: 'x' }],
  ] as const) {
    const answer = await fetch(router.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${router.key}`,
        'content-type': 'application/json',
        traceparent,
        tracestate: 'vendor=1',
        cookie: 'mine=1',
      },
      body: JSON.stringify(body),
    });
    await answer.text();
    const { headers } = router.upstreams[0]?.requests.at(-1) ?? {};
    assert.deepEqual([headers?.['traceparent'], headers?.['tracestate']], [traceparent, 'vendor=1']);
    assert.equal(headers?.cookie, undefined, 'nothing else of the caller does');
  }
});

test('JSON in answer to a stream is one event, and is counted', async () => {
  await using router = await bootRouter();
  router.upstreams[0]?.always({ kind: 'nonsense', text: COMPLETION });
  const answer = await router.post(PATH, chat('a/m', { stream: true }));
  const text = await answer.text();
  const [data = '', done] = Array.from(text.matchAll(/^data: (.*)$/gm), ([, line]) => line);
  const chunk = JSON.parse(data) as { object: string; choices: { delta: object; finish_reason: string }[] };
  assert.deepEqual(
    [chunk.object, chunk.choices[0]?.delta, chunk.choices[0]?.finish_reason, done],
    ['chat.completion.chunk', { role: 'assistant', content: 'hi' }, 'stop', '[DONE]'],
  );
  const { total } = await router.usage(1);
  assert.deepEqual([total.calls, total.errors, total.tokensIn], [1, 0, 1]);
});

test('the largest body is set by the config, and one beyond it is a 413 that arrives', async () => {
  await using router = await bootRouter(['a'], { maxBodyBytes: 2_000_000 });
  const ask = (length: number) =>
    router.post(PATH, { model: 'a/m', messages: [{ role: 'user', content: 'x'.repeat(length) }] });
  assert.equal((await ask(1_900_000)).status, 200);
  for (let time = 0; time < 8; time += 1)
    assert.equal(await statusOfSlowBody(router.url, router.key, 30_000_000), 413);
});

/** A client that writes its whole body before it reads: the status, or what broke. */
async function statusOfSlowBody(url: string, key: string, length: number): Promise<number | string> {
  const { hostname, port } = new URL(url);
  const { connect } = await import('node:net');
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (bytes) => (answer += bytes.toString('latin1')));
  const broken = new Promise<string>((resolve) => socket.on('error', ({ message }) => resolve(message)));
  const head = `POST ${PATH} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
  const written = new Promise<void>((resolve) => socket.write(head + 'x'.repeat(length), () => resolve()));
  const ended = await Promise.race([written, broken]);
  if (ended === undefined && answer === '') await once(socket, 'data');
  socket.destroy();
  return ended ?? Number(answer.split(' ')[1]);
}
