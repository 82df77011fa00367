import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import OpenAI from 'openai';
import { eventually } from '../../support/eventually.js';
import { NO_PAUSES, speechServer, type SpeechServer } from './support.js';
import { speechUpstream, tone } from './upstream-server.js';

const SENTENCES = ['하나.', '둘.', '셋.', '넷.'];
const INPUT = SENTENCES.join(' ');

interface SpeechEvent {
  readonly type?: string;
  readonly audio?: string;
  readonly seconds?: number;
  readonly error?: { readonly code: string };
  readonly words?: readonly { word: string; start: number; end: number; from: number; to: number }[];
  readonly segments?: readonly { text: string; start: number; end: number; from: number; to: number }[];
}

async function costOf(server: SpeechServer, response: Response): Promise<number | undefined> {
  const id = response.headers.get('x-request-id') ?? '';
  const answer = await fetch(`${server.url}/api/v1/usage/calls/${id}`, {
    headers: { 'x-api-key': server.apiKey },
  });
  return answer.ok ? ((await answer.json()) as { seconds: number }).seconds : undefined;
}

function clientOf(server: SpeechServer): OpenAI {
  return new OpenAI({ apiKey: server.apiKey, baseURL: `${server.url}/api/v1`, maxRetries: 0 });
}

describe('streams of the embedded engine', () => {
  let server: SpeechServer;
  before(async () => {
    server = await speechServer();
  });
  after(() => server.stop());

  test('a stream costs as much as it holds, and no header says it', async () => {
    const ask = { input: INPUT, response_format: 'pcm' };
    const stream = await server.speak({ ...ask, stream_format: 'audio' });
    assert.equal(stream.headers.get('x-audio-duration-seconds'), null);
    assert.equal(stream.headers.get('content-type'), 'audio/pcm');
    const { byteLength } = await stream.arrayBuffer();
    const seconds = (byteLength / 2 / 24_000).toFixed(3);
    assert.equal((await costOf(server, stream))?.toFixed(3), seconds);
    assert.equal((await server.usage()).used_seconds.toFixed(3), seconds);
  });

  for (const format of ['mp3', 'wav', 'opus', 'flac'])
    test(`${format} is streamed in its own form`, async () => {
      const response = await server.speak({ input: INPUT, response_format: format, stream: true });
      const file = Buffer.from(await response.arrayBuffer());
      const start = { mp3: '\xff\xf3', wav: 'RIFF', opus: 'OggS', flac: 'fLaC' }[format] ?? '';
      assert.equal(file.toString('latin1', 0, start.length), start);
      assert.ok(((await costOf(server, response)) ?? 0) > 2);
    });

  test('events bring the sound, when each word is heard, and at the end the amount', async () => {
    const input = '사과 3개를 샀다. 그리고 Python을 배운다.';
    const events = await clientOf(server).post<AsyncIterable<SpeechEvent>>('/audio/speech', {
      body: {
        voice: 'sera',
        input,
        response_format: 'pcm',
        stream_format: 'sse',
        timestamp_granularities: ['word', 'segment'],
      },
      stream: true,
    });
    const all: SpeechEvent[] = [];
    for await (const event of events) all.push(event);
    const sound = Buffer.concat(all.map(({ audio = '' }) => Buffer.from(audio, 'base64')));
    const done = all.at(-1);
    assert.equal(done?.type, 'speech.audio.done');
    assert.equal((sound.length / 2 / 24_000).toFixed(3), done.seconds?.toFixed(3));
    const words = all.flatMap((event) => event.words ?? []);
    assert.deepEqual(
      words.map(({ word, from, to }) => [word, input.slice(from, to)]),
      [
        ['사과', '사과'],
        ['세', '3개를'],
        ['개를', '3개를'],
        ['샀다', '샀다'],
        ['그리고', '그리고'],
        ['파이썬을', 'Python을'],
        ['배운다', '배운다'],
      ],
    );
    for (const [at, { start, end }] of words.entries())
      assert.ok(start < end && end <= (words[at + 1]?.start ?? done.seconds ?? 0), JSON.stringify(words));
    const segments = all.flatMap((event) => event.segments ?? []);
    assert.deepEqual(
      segments.map(({ text, from, to }) => [text, input.slice(from, to)]),
      [
        ['사과 세 개를 샀다.', '사과 3개를 샀다'],
        ['그리고 파이썬을 배운다.', '그리고 Python을 배운다'],
      ],
    );
  });

  test('timestamps without events, and shapes that do not exist, are refused', async () => {
    const statusOf = async (body: object): Promise<[number, unknown]> => {
      const response = await server.speak({ input: '가', ...body });
      const { error } = (await response.json()) as { error: { code: string } };
      return [response.status, error.code];
    };
    const refusal = [422, 'timestamps_need_events'];
    assert.deepEqual(await statusOf({ timestamp_granularities: ['word'] }), refusal);
    assert.deepEqual(await statusOf({ timestamp_granularities: ['word'], stream: true }), refusal);
    assert.deepEqual(await statusOf({ stream_format: 'json' }), [422, 'invalid_request']);
    assert.deepEqual(await statusOf({ stream: 'yes' }), [422, 'invalid_request']);
    assert.deepEqual(await statusOf({ stream: true, voice: 'nobody' }), [400, 'voice_not_found']);
  });

  test('null is no stream, and another key does not see what a stream cost', async () => {
    const plain = await server.speak({ input: INPUT, stream: null, stream_format: null });
    await plain.arrayBuffer();
    assert.ok(Number(plain.headers.get('x-audio-duration-seconds')) > 1);
    const stream = await server.speak({ input: INPUT, stream: true });
    await stream.arrayBuffer();
    const id = stream.headers.get('x-request-id') ?? '';
    const headers = { 'x-api-key': await server.key('speech') };
    assert.equal((await fetch(`${server.url}/api/v1/usage/calls/${id}`, { headers })).status, 404);
  });
});

describe('streams of an upstream that the test holds back', () => {
  const config = (baseUrl: string) => ({
    engines: ['a'],
    upstreams: [{ name: 'a', baseUrl, parallel: 1 }],
    pauses: NO_PAUSES,
  });

  test('the first sentence arrives before the second is made, through the official client', async () => {
    for (const response_format of ['mp3', 'pcm'] as const) {
      const held: (() => void)[] = [];
      await using upstream = await speechUpstream((response) => held.push(() => response.end(tone(1))));
      await using server = await speechServer(config(upstream.baseUrl));
      const asked = clientOf(server).audio.speech.create({
        model: 'tts-1',
        voice: 'sera',
        input: '하나. 둘.',
        response_format,
        stream_format: 'audio',
      });
      await eventually(() => held.length === 1, 'the first sentence is asked for');
      held[0]?.();
      const response = await asked;
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      assert.ok(((await reader.read()).value?.length ?? 0) > 1_000, response_format);
      await eventually(() => held.length === 2, 'the second sentence is asked for');
      held[1]?.();
      let rest = 0;
      for (let next = await reader.read(); !next.done; next = await reader.read()) rest += next.value.length;
      assert.ok(rest > 1_000, response_format);
      assert.equal(await costOf(server, response), 2);
    }
  });

  test('a client that leaves pays for the sentences that it was sent', async () => {
    const held: (() => void)[] = [];
    await using upstream = await speechUpstream((response) => held.push(() => response.end(tone(1))));
    await using server = await speechServer(config(upstream.baseUrl));
    const stop = new AbortController();
    const asked = server.speak({ input: INPUT, stream: true, response_format: 'pcm' }, {}, stop.signal);
    await eventually(() => held.length === 1, 'the first sentence is asked for');
    held[0]?.();
    const response = await asked;
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await eventually(() => held.length === 2, 'the second sentence is asked for');
    stop.abort();
    await eventually(async () => (await server.usage()).reserved_seconds === 0, 'the hold is settled');
    assert.equal((await server.usage()).used_seconds, 1);
    assert.equal(await costOf(server, response), 1);
  });

  test('an engine that fails in the middle ends events with its error, and is charged for what was sent', async () => {
    let asked = 0;
    await using upstream = await speechUpstream((response) => {
      asked += 1;
      if (asked > 1) response.writeHead(500);
      response.end(asked > 1 ? '{}' : tone(1));
    });
    await using server = await speechServer(config(upstream.baseUrl));
    const response = await server.speak({ input: INPUT, stream_format: 'sse' });
    const body = await response.text();
    const last = body.trim().split('\n\n').at(-1) ?? '';
    assert.match(last, /"code":"engine_failed"/);
    assert.equal((await server.usage()).used_seconds, 1);
    asked = 0;
    const cut = await server.speak({ input: INPUT, stream: true });
    await assert.rejects(cut.arrayBuffer());
    await eventually(async () => (await server.usage()).used_seconds === 2, 'the first sentence is charged');
  });

  test('an engine that fails before any sound gives way to the next, or is a plain error', async () => {
    await using broken = await speechUpstream((response) => response.writeHead(500).end('{}'));
    await using good = await speechUpstream((response) => response.end(tone(1)));
    const upstreams = [
      { name: 'a', baseUrl: broken.baseUrl },
      { name: 'b', baseUrl: good.baseUrl },
    ];
    await using both = await speechServer({ engines: ['a', 'b'], upstreams, pauses: NO_PAUSES });
    const served = await both.speak({ input: '하나.', stream: true });
    await served.arrayBuffer();
    assert.equal(await costOf(both, served), 1);
    await using one = await speechServer({ engines: ['a'], upstreams });
    const refused = await one.speak({ input: '하나.', stream: true });
    assert.equal(refused.status, 502);
    assert.equal((await one.usage()).reserved_seconds, 0);
  });
});
