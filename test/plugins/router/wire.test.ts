/** Odd bytes from an upstream, over a raw socket, and what the `openai` package makes of our answer. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import OpenAI, { APIError } from 'openai';
import { eventually } from '../../support/eventually.js';
import { bootRouter, type RouterServer } from './support/boot.js';
import { END, RawUpstream, RESET, type Script } from './support/raw-upstream.js';

/** An answer's text; or the code of the error, for streams after the text that came before it. */
type Expected = { text: string } | { code: string; reason: string; text?: string; retryAfter?: RegExp };

const STREAM_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n';
const WORD = chunk({ content: 'word' });
const STOP = chunk({}, 'stop');
const DONE = 'data: [DONE]\n\n';
const EMOJI = Buffer.from(chunk({ content: 'w😀rd' }));
const IN_THE_EMOJI = EMOJI.indexOf('😀') + 2;

/** 64 MB of nothing in 62 kB. */
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024));

const STREAMS: readonly (readonly [name: string, script: Script, expected: Expected])[] = [
  ['line ends CRLF', chunked((WORD + STOP + DONE).replaceAll('\n', '\r\n')), { text: 'word' }],
  [
    'a character cut in two',
    chunked(EMOJI.subarray(0, IN_THE_EMOJI), EMOJI.subarray(IN_THE_EMOJI), STOP + DONE),
    { text: 'w😀rd' },
  ],
  [
    'comments and ids',
    chunked(': hello\n\n', `id: 1\nretry: 5\n${WORD}:\n\n${STOP}${DONE}`),
    { text: 'word' },
  ],
  ['events without data', chunked(`data:\n\n${WORD}data: \n\n${STOP}${DONE}`), { text: 'word' }],
  ['a space after [DONE]', chunked(`${WORD}${STOP}data: [DONE] \n\n`), { text: 'word' }],
  ['no blank line after [DONE]', chunked(`${WORD}${STOP}data: [DONE]`), { text: 'word' }],
  ['no [DONE], and the connection closes', [`${STREAM_HEAD}\r\n${WORD}${STOP}`, END], { text: 'word' }],
  ['an answer that does not end after [DONE]', chunked(WORD + STOP + DONE).slice(0, -1), { text: 'word' }],
  [
    'usage that is no usage',
    chunked(WORD + STOP + chunk({}, null, { choices: [], usage: 'lots' }) + DONE),
    { text: 'word' },
  ],
  [
    'counts in an event without choices',
    chunked(`${WORD}${STOP}data: {"usage":{"prompt_tokens":1}}\n\n${DONE}`),
    { text: 'word' },
  ],
  [
    'one of two choices unfinished',
    [`${STREAM_HEAD}\r\n${WORD}${chunk({}, null, { choices: [{ index: 1, delta: {} }] })}${STOP}`, END],
    { text: 'word', code: 'upstream_failed', reason: 'stream_broken_off' },
  ],
  [
    'a chunk and an error in one piece after the beginning',
    [...chunked(WORD).slice(0, -1), 20, ...chunked(`${WORD}data: {"error":{"message":"x"}}\n\n`).slice(1)],
    { text: 'wordword', code: 'upstream_failed', reason: 'error_in_stream' },
  ],
  [
    'a connection that is reset',
    [...chunked(WORD).slice(0, -1), 20, RESET],
    { text: 'word', code: 'upstream_failed', reason: 'connection_reset' },
  ],
  [
    'an error as its first event',
    chunked('event: error\ndata: {"error":{"message":"x"}}\n\n'),
    { code: 'upstream_failed', reason: 'error_in_stream' },
  ],
  [
    'an event that does not end, a byte at a time',
    [`${STREAM_HEAD}\r\n`, ...Array<string>(200).fill('x'), 'x'.repeat(2_000_000)],
    { code: 'upstream_invalid_response', reason: 'event_too_large' },
  ],
  [
    'comments alone, and then an end',
    [`${STREAM_HEAD}\r\n`, ...Array<string>(100).fill(':\n\n'), END],
    { code: 'upstream_invalid_response', reason: 'empty_stream' },
  ],
  [
    'ten thousand empty events',
    chunked(`${'data:\n\n'.repeat(10_000)}${WORD}${STOP}${DONE}`),
    { text: 'word' },
  ],
  ['[DONE] alone', chunked(DONE), { code: 'upstream_invalid_response', reason: 'empty_stream' }],
  [
    'JSON in place of events',
    [json({ choices: [] })],
    { code: 'upstream_invalid_response', reason: 'not_a_stream' },
  ],
];

const ANSWERS: readonly (readonly [name: string, script: Script, expected: Expected])[] = [
  ['a byte order mark', [json(`\uFEFF${JSON.stringify(completion())}`)], { text: 'word' }],
  ['early hints', ['HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n', json(completion())], { text: 'word' }],
  ['usage that is a text', [json(completion('lots'))], { text: 'word' }],
  [
    'counts that are no counts',
    [json(completion({ prompt_tokens: -5, completion_tokens: '7', prompt_tokens_details: 'x' }))],
    { text: 'word' },
  ],
  [
    'a model of 100,000 characters',
    [json({ ...completion(), model: 'm'.repeat(100_000) })],
    { text: 'word' },
  ],
  [
    'a message that is null',
    [json({ choices: [{ message: null }] })],
    { code: 'upstream_invalid_response', reason: 'no_message' },
  ],
  [
    'deep nesting',
    [json('['.repeat(100_000))],
    { code: 'upstream_invalid_response', reason: 'nested_too_deep' },
  ],
  ['what is not HTTP', ['SSH-2.0-x\r\n'], { code: 'upstream_invalid_response', reason: 'not_http' }],
  [
    'an encoding that does not hold',
    ['HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n', 'not gzip', END],
    { code: 'upstream_invalid_response', reason: 'content_encoding' },
  ],
  [
    'a redirect',
    ['HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n'],
    { code: 'upstream_invalid_response', reason: 'http_307' },
  ],
  [
    'headers that do not end',
    ['HTTP/1.1 200 OK\r\n', 50, 'x-a: b\r\n'],
    { code: 'upstream_timeout', reason: 'headers_timeout' },
  ],
  [
    'fewer bytes than announced',
    ['HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"id"', 20, END],
    { code: 'upstream_failed', reason: 'connection_reset' },
  ],
  [
    'a flood of headers',
    [`HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(50_000)}\r\n`],
    { code: 'upstream_invalid_response', reason: 'headers_too_large' },
  ],
  [
    'early hints without end',
    [...Array<string>(20).fill('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(500))],
    { code: 'upstream_timeout', reason: 'headers_timeout' },
  ],
  [
    'a switch of protocols that nobody asked for',
    ['HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', json(completion())],
    { code: 'upstream_failed', reason: 'connection_reset' },
  ],
  [
    'a chunk whose length is no number',
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n'],
    { code: 'upstream_invalid_response', reason: 'not_http' },
  ],
  [
    'a chunk that is longer than it says',
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{"a":1}\r\n0\r\n\r\n'],
    { code: 'upstream_invalid_response', reason: 'not_http' },
  ],
  [
    'a length and chunks',
    ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
    { code: 'upstream_invalid_response', reason: 'not_http' },
  ],
  [
    'the content type of a picture',
    [json(completion()).replace('application/json', 'image/png')],
    { text: 'word' },
  ],
  [
    'another answer after it',
    [json(completion()) + json({ choices: [{ message: { role: 'assistant', content: 'other' } }] })],
    { text: 'word' },
  ],
  [
    'a megabyte that is a gigabyte',
    [packed(BOMB), BOMB],
    { code: 'upstream_invalid_response', reason: 'answer_too_large' },
  ],
  ['a connection that closes', [END], { code: 'upstream_failed', reason: 'connection_reset' }],
  [
    'Retry-After as a date',
    [tooMany(new Date(Date.now() + 50_000_000).toUTCString())],
    { code: 'rate_limit_exceeded', reason: 'http_429', retryAfter: /^(49\d{3}|50000)$/ },
  ],
  [
    'Retry-After beyond all measure',
    [tooMany('9'.repeat(30))],
    { code: 'rate_limit_exceeded', reason: 'http_429', retryAfter: /^86400$/ },
  ],
  [
    '429 whose body does not come',
    [tooMany('7').replace('length: 2', 'length: 200')],
    { code: 'rate_limit_exceeded', reason: 'http_429', retryAfter: /^7$/ },
  ],
];

let upstream: RawUpstream;
/** Has ordinary time limits; the other one does not wait for headers that never end. */
let router: RouterServer;
let impatient: RouterServer;
let client: OpenAI;

before(async () => {
  upstream = await RawUpstream.start();
  const config = {
    // One for each answer: a key that rests after a 429 affects no other.
    upstreams: ANSWERS.map((_, at) => ({ name: `raw-${at}`, baseUrl: upstream.url })),
    breaker: { failures: 1_000_000 },
    cooldown: { base: 1, max: 1 },
    maxAnswerBytes: 1_000_000,
  };
  router = await bootRouter([], config);
  impatient = await bootRouter([], { ...config, timeouts: { headers: 500 } });
  client = clientOf(router);
});
after(async () => {
  await Promise.all([router, impatient].map((one) => one[Symbol.asyncDispose]()));
  await upstream.stop();
});

function clientOf({ key, url }: RouterServer): OpenAI {
  return new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
}

for (const [name, script, expected] of STREAMS) {
  test(`a stream with ${name}: ${describe(expected)}`, async () => {
    upstream.answer(script);
    let text = '';
    await meets(expected, async () => {
      const stream = await client.chat.completions.create({ ...asked(0), stream: true });
      for await (const { choices } of stream) text += choices[0]?.delta?.content ?? '';
      return text;
    });
    assert.equal(text, expected.text ?? '');
  });
}

for (const [at, [name, script, expected]] of ANSWERS.entries()) {
  test(`an answer with ${name}: ${describe(expected)}`, async () => {
    upstream.answer(script);
    await meets(expected, async () => {
      const asking =
        'reason' in expected && expected.reason === 'headers_timeout' ? clientOf(impatient) : client;
      const { choices } = await asking.chat.completions.create(asked(at));
      return choices[0]?.message.content ?? '';
    });
  });
}

test('clients that leave at any moment leak nothing, and each call that was made is billed once', async () => {
  const pieces = chunked(WORD, WORD, WORD, STOP, DONE);
  upstream.answer(pieces.flatMap((piece) => [piece, 10]));
  const { calls: before } = (await router.usage(0)).total;
  const { requests } = upstream;
  const clients = Array.from({ length: 40 }, async (_, at) => {
    const stream = await client.chat.completions.create(
      { ...asked(0), stream: true },
      { signal: AbortSignal.timeout(2 * at) },
    );
    for await (const _chunk of stream);
  });
  await Promise.allSettled(clients);
  await eventually(async () => {
    const answer = await (await router.get('/api/upstreams')).json();
    const { upstreams } = answer as { upstreams: { inFlight: number }[] };
    return upstreams[0]?.inFlight === 0;
  }, 'no call is left in flight');
  // Some leave before their call is made, and some before it is sent.
  const { total } = await router.usage(before + upstream.requests - requests);
  assert.ok(total.calls - before <= clients.length, `${total.calls - before}`);
});

function asked(at: number) {
  return { model: `raw-${at}/m`, messages: [{ role: 'user' as const, content: 'x' }] };
}

async function meets(expected: Expected, ask: () => Promise<string>): Promise<void> {
  if (!('code' in expected)) {
    assert.equal(await ask(), expected.text);
    return;
  }
  await assert.rejects(ask, (error) => {
    assert.ok(error instanceof APIError, String(error));
    assert.equal(error.code, expected.code);
    assert.match(error.message, new RegExp(`\\(${expected.reason}\\)`));
    if (expected.retryAfter) assert.match(error.headers?.get('retry-after') ?? '', expected.retryAfter);
    return true;
  });
}

function describe(expected: Expected): string {
  return 'code' in expected ? `${expected.code} (${expected.reason})` : 'is read';
}

function chunk(delta: object, finish: string | null = null, more: object = {}): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more })}\n\n`;
}

function chunked(...pieces: readonly (string | Buffer)[]): (string | Buffer)[] {
  const frames = pieces.map((piece) =>
    Buffer.concat([
      Buffer.from(`${Buffer.byteLength(piece).toString(16)}\r\n`),
      Buffer.from(piece),
      Buffer.from('\r\n'),
    ]),
  );
  return [`${STREAM_HEAD}transfer-encoding: chunked\r\n\r\n`, ...frames, '0\r\n\r\n'];
}

function completion(usage: unknown = { prompt_tokens: 1, completion_tokens: 1 }): object {
  const message = { role: 'assistant', content: 'word' };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  return { id: 'x', object: 'chat.completion', created: 1, model: 'm', choices, usage };
}

function json(body: object | string): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const length = Buffer.byteLength(text);
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${text}`;
}

function packed(body: Buffer): string {
  return `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`;
}

function tooMany(retryAfter: string): string {
  return `HTTP/1.1 429 Too Many Requests\r\nretry-after: ${retryAfter}\r\ncontent-length: 2\r\n\r\n{}`;
}
