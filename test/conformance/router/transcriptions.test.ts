/** Recordings written down, with the unmodified clients. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, beforeEach, test } from 'node:test';
import OpenAI, { AzureOpenAI, toFile } from 'openai';
import { bootRouter, type RouterServer } from '../../plugins/router/support/boot.js';

interface Seen {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly form: FormData;
}

/** Servers that listen: what they were sent, and what they answer next. */
class Listener {
  readonly seen: Seen[] = [];
  answer: (response: ServerResponse) => void = () => {};
  readonly #server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.end('{"data":[]}');
      return;
    }
    void (async () => {
      const bytes = await buffer(request);
      const type = request.headers['content-type'] ?? '';
      const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
      this.seen.push({ path: request.url ?? '', headers: request.headers, form });
      this.answer(response);
    })();
  });

  static async start(): Promise<Listener> {
    const listener = new Listener();
    listener.#server.listen(0, '127.0.0.1');
    await once(listener.#server, 'listening');
    return listener;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  says(value: object | string, type = 'application/json', status = 200): void {
    this.answer = (response) => {
      response.writeHead(status, { 'content-type': type });
      response.end(typeof value === 'string' ? value : JSON.stringify(value));
    };
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

let first: Listener;
let second: Listener;
let router: RouterServer;
let openai: OpenAI;
before(async () => {
  [first, second] = [await Listener.start(), await Listener.start()];
  router = await bootRouter([], {
    upstreams: [
      // By its address the vendor would be known, whose prices hold.
      { name: 'openai', dialect: 'azure', baseUrl: first.url, apiKey: 'secret-of-openai' },
      { name: 'other', baseUrl: second.url, apiKey: 'secret-of-other' },
      { name: 'claude', dialect: 'anthropic', baseUrl: second.url, apiKey: 'secret-of-claude' },
    ],
    routes: { hear: { targets: ['openai/whisper-1', 'other/whisper'] } },
    maxUploadBytes: 1_000_000,
  });
  openai = new OpenAI({ baseURL: `${router.url}/v1`, apiKey: router.key, maxRetries: 0 });
});
beforeEach(() => {
  first.seen.length = 0;
  second.seen.length = 0;
});
after(async () => {
  first.stop();
  second.stop();
  await router[Symbol.asyncDispose]();
});

const sound = Buffer.from(Uint8Array.from({ length: 200_000 }, (_, at) => (at * 7) % 256));
const recording = (): Promise<File> => toFile(sound, 'tea "house".mp3', { type: 'audio/mpeg' });

test('a recording reaches the upstream byte for byte, with all fields and the model there', async () => {
  first.says({ text: 'two cups', usage: { type: 'duration', seconds: 36 } });
  const { text } = await openai.audio.transcriptions.create({
    file: await recording(),
    model: 'openai/whisper-1',
    language: 'en',
    prompt: '찻집',
    timestamp_granularities: ['word', 'segment'],
  });
  assert.equal(text, 'two cups');
  const [{ path, headers, form } = assert.fail()] = first.seen;
  assert.deepEqual([path, headers['api-key']], ['/openai/v1/audio/transcriptions', 'secret-of-openai']);
  assert.equal(headers['transfer-encoding'], undefined);
  assert.deepEqual(
    [form.get('model'), form.get('language'), form.get('prompt')],
    ['whisper-1', 'en', '찻집'],
  );
  assert.deepEqual(form.getAll('timestamp_granularities[]'), ['word', 'segment']);
  const file = form.get('file') as File;
  assert.deepEqual([file.name, file.type], ['tea "house".mp3', 'audio/mpeg']);
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), sound);
});

test('tokens and seconds are counted, and priced as the vendor does', async () => {
  const before = (await router.usage(0)).total;
  const sum = async (calls: number) => (await router.usage(before.calls + calls)).total;
  const ask = async (model: string) => openai.audio.transcriptions.create({ file: await recording(), model });
  first.says({ text: 'x', usage: { type: 'duration', seconds: 36 } });
  await ask('openai/whisper-1');
  // 36 seconds of 0.36 dollars an hour.
  assert.ok(Math.abs((await sum(1)).cost - before.cost - 0.0036) < 1e-9);
  const counts = { input_tokens: 1_000, output_tokens: 100, input_token_details: { audio_tokens: 900 } };
  first.says({ text: 'x', usage: { type: 'tokens', ...counts } });
  await ask('openai/gpt-4o-transcribe');
  const total = await sum(2);
  assert.deepEqual([total.tokensIn - before.tokensIn, total.tokensOut - before.tokensOut], [1_000, 100]);
  const dollars = (100 * 2.5 + 900 * 6 + 100 * 10) / 1e6;
  assert.ok(Math.abs(total.cost - before.cost - 0.0036 - dollars) < 1e-9, `${total.cost - before.cost}`);
});

test('texts that are no JSON come back as they are, and are counted by an estimate', async () => {
  const before = (await router.usage(0)).total;
  const subtitles = '1\n00:00:00,000 --> 00:00:02,000\ntwo cups\n\n';
  first.says(subtitles, 'text/plain; charset=utf-8');
  const answer = await openai.audio.transcriptions.create({
    file: await recording(),
    model: 'openai/whisper-1',
    response_format: 'srt',
  });
  assert.equal(answer as unknown, subtitles);
  const { unmetered, estimatedOut, cost } = (await router.usage(before.calls + 1)).total;
  assert.equal(unmetered, before.unmetered + 1);
  assert.ok(estimatedOut > before.estimatedOut && cost > before.cost);
});

test('a transcript is streamed as it is heard', async () => {
  const before = (await router.usage(0)).total;
  const usage = { type: 'tokens', input_tokens: 14, output_tokens: 4, total_tokens: 18 };
  const events = [
    { type: 'transcript.text.delta', delta: 'two ' },
    { type: 'transcript.text.delta', delta: 'cups' },
    { type: 'transcript.text.done', text: 'two cups', usage },
  ];
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  first.says(text, 'text/event-stream');
  const read: string[] = [];
  for await (const event of await openai.audio.transcriptions.create({
    file: await recording(),
    model: 'openai/gpt-4o-transcribe',
    stream: true,
  }))
    read.push(event.type === 'transcript.text.delta' ? event.delta : event.type);
  assert.deepEqual(read, ['two ', 'cups', 'transcript.text.done']);
  assert.equal((await router.usage(before.calls + 1)).total.tokensOut - before.tokensOut, 4);
});

test('an upstream that answers a stream with the whole is one event, and one that breaks off is an error', async () => {
  first.says({ text: 'two cups' });
  const ask = async () =>
    openai.audio.transcriptions.create({ file: await recording(), model: 'openai/m', stream: true });
  const types: string[] = [];
  for await (const { type } of await ask()) types.push(type);
  assert.deepEqual(types, ['transcript.text.done']);
  first.says('data: {"type":"transcript.text.delta","delta":"two "}\n\n', 'text/event-stream');
  await assert.rejects(async () => {
    for await (const event of await ask()) assert.equal(event.type, 'transcript.text.delta');
  }, /no upstream for/);
});

test('another upstream is sent the same form when the first one fails, or answers no text', async () => {
  second.says({ text: 'two cups' });
  for (const refuse of [
    () => first.says({ error: { message: 'down' } }, 'application/json', 503),
    () => first.says({ nothing: true }),
    () => {
      first.answer = (response) => response.destroy();
    },
  ]) {
    refuse();
    second.seen.length = 0;
    const { text } = await openai.audio.transcriptions.create({ file: await recording(), model: 'hear' });
    assert.equal(text, 'two cups');
    const [{ form, headers } = assert.fail()] = second.seen;
    assert.deepEqual([form.get('model'), headers.authorization], ['whisper', 'Bearer secret-of-other']);
    assert.deepEqual(Buffer.from(await (form.get('file') as File).arrayBuffer()), sound);
  }
});

test("translations and Azure's deployments go to their paths", async () => {
  first.says({ text: 'two cups' });
  await openai.audio.translations.create({ file: await recording(), model: 'openai/whisper-1' });
  const azure = new AzureOpenAI({
    endpoint: router.url,
    apiKey: router.key,
    apiVersion: '2024-10-21',
    maxRetries: 0,
  });
  await azure.audio.transcriptions.create({ file: await recording(), model: 'openai/whisper-1' });
  assert.deepEqual(
    first.seen.map(({ path, form }) => [path, form.get('model')]),
    [
      ['/openai/v1/audio/translations', 'whisper-1'],
      ['/openai/v1/audio/transcriptions', 'whisper-1'],
    ],
  );
});

test('what is no recording, too large or not allowed is refused before anything is sent', async () => {
  const post = (body: string | FormData, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${router.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${router.key}`, ...headers },
      body,
    });
  const form = (entries: Record<string, string | Blob>): FormData => {
    const made = new FormData();
    for (const [name, value] of Object.entries(entries)) made.append(name, value);
    return made;
  };
  const file = new Blob([sound]);
  const typed = (boundary: string) => ({ 'content-type': `multipart/form-data${boundary}` });
  const two = form({ model: 'openai/m', file });
  two.append('file', file);
  const many = form({ model: 'openai/m', file });
  for (let at = 0; at < 200; at += 1) many.append('prompt', 'x');
  const cases: [name: string, answer: Promise<Response>, status: number, message: RegExp][] = [
    ['no model', post(form({ file })), 400, /model must be given/],
    ['no file', post(form({ model: 'openai/m' })), 400, /file must be given/],
    ['a text in place of the file', post(form({ model: 'openai/m', file: 'x' })), 400, /file must be given/],
    ['two files', post(two), 400, /one file/],
    ['many fields', post(many), 400, /100 fields/],
    ['empty parts alone', post('--b\r\n\r\n'.repeat(100_000), typed('; boundary=b')), 400, /110 parts/],
    ['a long field', post(form({ model: 'openai/m', file, prompt: 'x'.repeat(70_000) })), 400, /too long/],
    ['no boundary', post('x', typed('')), 400, /boundary/],
    [
      'cut off',
      post('--b\r\ncontent-disposition: form-data; name="file"', typed('; boundary=b')),
      400,
      /form|given/,
    ],
    ['empty', post('', typed('; boundary=b')), 400, /form/],
    ['JSON', post('{"model":"openai/m"}', { 'content-type': 'application/json' }), 400, /form/],
    ['an unknown model', post(form({ model: 'nobody/m', file })), 404, /no model "nobody\/m"/],
    ['an upstream without it', post(form({ model: 'claude/m', file })), 400, /no audio\/transcriptions/],
    [
      'too large',
      post(form({ model: 'openai/m', file: new Blob([Buffer.alloc(1_100_000)]) })),
      413,
      /1000000/,
    ],
  ];
  for (const [name, asked, status, message] of cases) {
    const answer = await asked;
    const { error } = (await answer.json()) as { error: { message: string } };
    assert.deepEqual([name, answer.status], [name, status], error.message);
    assert.match(error.message, message, name);
  }
  const chats = new OpenAI({
    baseURL: `${router.url}/v1`,
    apiKey: await router.server.key('chat'),
    maxRetries: 0,
  });
  await assert.rejects(
    chats.audio.transcriptions.create({ file: await recording(), model: 'openai/m' }),
    OpenAI.PermissionDeniedError,
  );
  assert.deepEqual([first.seen.length, second.seen.length], [0, 0]);
});

test('a form cannot smuggle a part of its own into what the upstream is sent', async () => {
  first.says({ text: 'x' });
  const name = 'a"\r\n\r\nx\r\n--plugboard\r\ncontent-disposition: form-data; name="model"\r\n\r\nother.mp3';
  await openai.audio.transcriptions.create({
    file: await toFile(Buffer.from(`--plugboard\r\n${name}`), name),
    model: 'openai/whisper-1',
  });
  assert.deepEqual(first.seen[0]?.form.getAll('model'), ['whisper-1']);
});
