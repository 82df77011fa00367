/** Answers of megabytes: passed on as they come, byte for byte, metered, and broken off where the upstream's are. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AnswerEdges } from '../../../plugins/router/call/answer-edges.js';
import { PassedAnswer } from '../../../plugins/router/call/passed-answer.js';
import { Watchdog } from '../../../plugins/router/call/watchdog.js';
import { UpstreamAnswer } from '../../../plugins/router/upstream/answer.js';
import { eventually } from '../../support/eventually.js';
import { bootRouter, chat, type RouterServer } from './support/boot.js';
import { SHORT } from './support/patiently.js';

const MB = 1024 * 1024;
const USAGE = { prompt_tokens: 5, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 2 } };

/** Answers each request as the test says. */
let answer: (response: ServerResponse) => void = () => {};
const upstream = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' });
    answer(response);
  });
});
let router: RouterServer;
let baseUrl = '';

before(async () => {
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
  router = await bootRouter(['b'], (others) => ({
    upstreams: [
      { name: 'a', baseUrl, apiKey: 'secret-of-a' },
      ...others.map(({ name, url }) => ({ name, baseUrl: url, apiKey: `secret-of-${name}` })),
    ],
    routes: { both: { targets: ['a/m', 'b/m'] } },
    maxAnswerBytes: 64 * MB,
    breaker: { failures: 1_000 },
  }));
});
after(async () => {
  await router[Symbol.asyncDispose]();
  upstream.closeAllConnections();
  upstream.close();
});

interface Recorded {
  readonly status: number;
  readonly errorCode: string | null;
  readonly servedModel: string | null;
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  readonly tokensCached: number | null;
}

/** The usage record of the only call of this model. */
async function recorded(model: string, by = router): Promise<Recorded> {
  let found: Recorded | undefined;
  await eventually(async () => {
    const page = await (await by.get(`/api/usage/calls?model=${encodeURIComponent(model)}`)).json();
    [found] = (page as { data: Recorded[] }).data;
    return found !== undefined;
  }, 'the usage record');
  return found!;
}

const completion = (content: string, more: object = { usage: USAGE }): string =>
  JSON.stringify({ id: 'x', model: 'm-1', choices: [{ index: 0, message: { content } }], ...more });

const CONTENT = 'grüß "dich" \\ 😀 "usage":{} ';

test('a chat of 20 MB is the upstream’s, byte for byte, and is metered', async () => {
  const text = completion(CONTENT.repeat(600_000));
  const size = Buffer.byteLength(text);
  assert.ok(size > 20 * MB && size < 24 * MB, `${size} bytes`);
  answer = (response) => response.end(text);
  const got = await router.post('/v1/chat/completions', chat('a/whole'));
  assert.equal(got.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(got.headers.get('x-plugboard-upstream'), 'a');
  assert.equal((await got.text()) === text, true);
  const { status, servedModel, tokensIn, tokensOut, tokensCached } = await recorded('a/whole');
  assert.deepEqual(
    { status, servedModel, tokensIn, tokensOut, tokensCached },
    { status: 200, servedModel: 'm-1', tokensIn: 5, tokensOut: 7, tokensCached: 2 },
  );
});

test('usage in front of the choices is metered, too', async () => {
  answer = (response) =>
    response.end(JSON.stringify({ usage: USAGE, ...JSON.parse(completion(CONTENT.repeat(30_000), {})) }));
  await (await router.post('/v1/chat/completions', chat('a/front'))).text();
  assert.equal((await recorded('a/front')).tokensOut, 7);
});

test('the client has the beginning while the upstream still writes, and a cut when the upstream stops', async () => {
  answer = (response) => response.write(completion(CONTENT.repeat(40_000)).slice(0, MB));
  await using impatient = await bootRouter([], { upstreams: [{ name: 'a', baseUrl }], timeouts: SHORT });
  const got = await impatient.post('/v1/chat/completions', chat('a/stops'));
  assert.equal(got.status, 200);
  let read = 0;
  await assert.rejects(async () => {
    for await (const piece of got.body!) read += (piece as Uint8Array).length;
  });
  assert.ok(read > MB / 2, `${read} bytes came`);
  assert.equal((await recorded('a/stops', impatient)).errorCode, 'upstream_timeout');
});

test('an answer that ends before its last brace is cut for the client, and counts as failed', async () => {
  answer = (response) => response.end(completion('x'.repeat(2 * MB)).slice(0, MB));
  const got = await router.post('/v1/chat/completions', chat('a/short'));
  await assert.rejects(got.text());
  assert.equal((await recorded('a/short')).status, 502);
});

test('an answer beyond the limit is cut', async () => {
  const text = completion('x'.repeat(65 * MB));
  answer = (response) => response.end(text);
  const got = await router.post('/v1/chat/completions', chat('a/long'));
  await assert.rejects(got.text());
  assert.equal((await recorded('a/long')).errorCode, 'upstream_invalid_response');
});

test('a large answer that is an error, or no answer, is another target’s turn', async () => {
  const filler = CONTENT.repeat(40_000);
  for (const body of [
    JSON.stringify({ error: { message: filler } }),
    `{"error":"x",${completion(filler).slice(1)}`,
    filler,
  ]) {
    answer = (response) => response.end(body);
    const got = await router.post('/v1/chat/completions', chat('both'));
    assert.equal(got.headers.get('x-plugboard-upstream'), 'b', body.slice(0, 40));
    await got.text();
  }
});

test('large vectors are passed on in the format that was asked for, and converted from the other one', async () => {
  const vector = Array.from({ length: 1_536 }, (_, at) => at + 0.5);
  const data = Array.from({ length: 160 }, (_, index) => ({ object: 'embedding', index, embedding: vector }));
  const text = JSON.stringify({ object: 'list', model: 'v', data, usage: { prompt_tokens: 9 } });
  assert.ok(text.length > MB);
  answer = (response) => response.end(text);
  const ask = (format: object) =>
    router.post('/v1/embeddings', { model: 'a/vectors', input: data.map(() => 'x'), ...format });
  assert.equal((await (await ask({ encoding_format: 'float' })).text()) === text, true);
  assert.equal((await recorded('a/vectors')).tokensIn, 9);
  const converted = (await (await ask({ encoding_format: 'base64' })).json()) as {
    data: { embedding: string }[];
  };
  assert.equal(Buffer.from(converted.data[159]!.embedding, 'base64').readFloatLE(1_535 * 4), 1_535.5);
});

test('an upstream writes no faster than the client reads', async () => {
  let accepted = 0;
  answer = (response) => {
    const piece = 'x'.repeat(MB);
    const more = (): void => {
      accepted += 1;
      if (accepted < 60) response.write(piece, more);
      else response.end(`"}}],"usage":${JSON.stringify(USAGE)}}`);
    };
    response.write('{"choices":[{"message":{"content":"', more);
  };
  const asked = httpRequest(`${router.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${router.key}`, 'content-type': 'application/json' },
  });
  asked.end(JSON.stringify(chat('a/slow')));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  await sleep(300);
  // What the buffers of two connections hold.
  assert.ok(accepted < 45, `${accepted} MB were accepted for a client that reads nothing`);
  let read = 0;
  for await (const piece of response) read += (piece as Buffer).length;
  assert.ok(read > 58 * MB);
  assert.equal((await recorded('a/slow')).tokensOut, 7);
});

test('a client that leaves ends the exchange with the upstream', async () => {
  const closed = new Promise((resolve) => {
    answer = (response) => {
      response.on('close', resolve);
      response.write(completion(CONTENT.repeat(40_000)).slice(0, MB));
    };
  });
  const leaving = new AbortController();
  const got = await router.post('/v1/chat/completions', chat('a/left'), { signal: leaving.signal });
  await got.body!.getReader().read();
  leaving.abort();
  await closed;
  assert.equal((await recorded('a/left')).errorCode, 'client_closed_request');
});

test('an answer that breaks off before it is sent on is no uncaught error', async () => {
  const broken = new UpstreamAnswer();
  const head = '{"choices":[{';
  const passed = new PassedAnswer(
    broken,
    new Watchdog(60_000, undefined),
    { headers: 1, firstToken: 1, idle: 60_000, maxAnswerBytes: MB },
    { begun: Buffer.from(head), edges: new AnswerEdges(head) },
  );
  passed.fail(new Error('the connection broke'));
  // An uncaught error would fail this test's file.
  await sleep(10);
  assert.equal(passed.destroyed, true);
});
