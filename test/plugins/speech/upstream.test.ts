import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opusEncoder } from '../../../plugins/speech/audio/opus.js';
import { Mp3Encoders } from '../../../plugins/speech/audio/mp3.js';
import { readWave } from '../../../plugins/speech/engines/upstream/riff.js';
import { eventually } from '../../support/eventually.js';
import { NO_PAUSES, speechServer } from './support.js';
import { speechUpstream, tone } from './upstream-server.js';

const config = (baseUrl: string, more: object = {}) => ({
  engines: ['studio'],
  pauses: NO_PAUSES,
  upstreams: [
    {
      name: 'studio',
      baseUrl,
      apiKey: 'sk-test',
      model: 'm',
      voices: { '*': 'alloy', bora: 'nova' },
      ...more,
    },
  ],
});

const secondsOf = (response: Response): number => Number(response.headers.get('x-audio-duration-seconds'));

test('an upstream gets each normalised sentence as wav, with its name of the voice and our key', async () => {
  const keys: unknown[] = [];
  await using upstream = await speechUpstream((response, _, request) => {
    keys.push(request.headers.authorization);
    response.end(tone(0.5));
  });
  await using server = await speechServer(config(upstream.baseUrl));
  const response = await server.speak({
    voice: 'bora',
    input: '사과 3개. 배 2개!',
    speed: 1.5,
    response_format: 'wav',
  });
  assert.equal(response.status, 200);
  assert.equal(secondsOf(response), 1);
  assert.equal((await response.arrayBuffer()).byteLength, 44 + 24_000 * 2);
  assert.deepEqual(
    upstream.bodies.map(({ input }) => input),
    ['사과 세 개.', '배 두 개!'],
  );
  const { input: _, ...body } = upstream.bodies[0] ?? {};
  assert.deepEqual(body, { model: 'm', voice: 'nova', response_format: 'wav', speed: 1.5 });
  assert.deepEqual(keys, ['Bearer sk-test', 'Bearer sk-test']);
});

test('sentences come out in order though later ones are made first', async () => {
  await using upstream = await speechUpstream((response, { input }) =>
    setTimeout(
      () => response.end(tone(String(input).startsWith('첫') ? 0.2 : 0.4)),
      String(input).startsWith('첫') ? 150 : 0,
    ),
  );
  await using server = await speechServer(config(upstream.baseUrl, { parallel: 3 }));
  const response = await server.speak({ input: '첫째. 둘째. 셋째.', response_format: 'wav' });
  assert.equal(secondsOf(response), 1);
});

test('unknown sizes, a LIST chunk and two channels are read', async () => {
  const plain = await readWave(tone(0.1));
  assert.equal(plain.pcm.length, 2_400);
  assert.deepEqual(await readWave(tone(0.1, { size: 0xffffffff })), plain);
  assert.deepEqual(await readWave(tone(0.1, { size: 0 })), plain);
  assert.deepEqual(await readWave(tone(0.1, { channels: 2 })), plain);
  const file = tone(0.1);
  const list = Buffer.from('LIST\x05\0\0\0INFOx\0', 'latin1');
  assert.deepEqual(await readWave(Buffer.concat([file.subarray(0, 36), list, file.subarray(36)])), plain);
});

test('files that are no WAV, or of a kind that nobody sends, are refused with a reason', async () => {
  const broken = tone(0.1);
  broken.writeUInt16LE(7, 20);
  await assert.rejects(readWave(broken), /format 7/);
  await assert.rejects(readWave(Buffer.from('ID3')), /not a WAV/);
  await assert.rejects(readWave(tone(0.1).subarray(0, 36)), /without data/);
});

for (const [failure, answer] of Object.entries({
  'an error': (response) => response.writeHead(500).end('{}'),
  'no audio': (response) => response.end('<html>'),
  'an empty file': (response) => response.end(tone(0)),
  'a redirect': (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
  'a broken connection': (response) => response.destroy(),
} satisfies Record<string, Parameters<typeof speechUpstream>[0]>)) {
  test(`an upstream that answers ${failure} is a 502, and nothing is charged`, async () => {
    await using upstream = await speechUpstream(answer);
    await using server = await speechServer(config(upstream.baseUrl));
    const response = await server.speak({ input: '가.' });
    assert.equal(response.status, 502);
    assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'engine_failed');
    assert.deepEqual(pick(await server.usage()), [0, 0]);
  });
}

test('what an upstream refuses keeps its meaning, with its retry-after and its reason', async () => {
  const answers: [number, Record<string, string>, string][] = [
    [429, { 'retry-after': '7' }, '{"error":{"message":"slow down"}}'],
    [400, {}, '{"error":{"message":"no such voice: nova"}}'],
    [401, {}, '{"error":{"message":"wrong key sk-test"}}'],
  ];
  let next = 0;
  await using upstream = await speechUpstream((response) => {
    const [status, headers, body] = answers[next] ?? [500, {}, ''];
    next += 1;
    response.writeHead(status, headers).end(body);
  });
  await using server = await speechServer(config(upstream.baseUrl));
  const seen = [];
  for (const _ of answers) {
    const response = await server.speak({ input: '가.' });
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    seen.push([response.status, error.code, response.headers.get('retry-after')]);
    if (error.code === 'engine_refused')
      assert.match(error.message, /studio answered 400: no such voice: nova/);
    // What it says of our key is not for the client.
    assert.doesNotMatch(error.message, /sk-test/);
  }
  assert.deepEqual(seen, [
    [429, 'engine_busy', '7'],
    [400, 'engine_refused', null],
    [502, 'engine_unauthorized', null],
  ]);
  assert.deepEqual(pick(await server.usage()), [0, 0]);
});

test('an upstream that answers mp3, opus or pcm is decoded, and gets the instructions', async () => {
  const mp3 = await encoded(tone(1));
  const encoder = await opusEncoder(24_000);
  const samples = new Int16Array(Uint8Array.from(tone(1).subarray(44)).buffer);
  const opus = Buffer.concat([await encoder.write(samples), await encoder.finish()]);
  encoder.close();
  await using upstream = await speechUpstream((response, { response_format: asked }) =>
    response.end({ pcm: tone(1).subarray(44), mp3, opus }[asked as 'pcm' | 'mp3' | 'opus']),
  );
  for (const format of ['mp3', 'opus', 'pcm']) {
    await using server = await speechServer(config(upstream.baseUrl, { format }));
    const response = await server.speak({ input: '가.', response_format: 'wav', instructions: '천천히' });
    assert.equal(response.status, 200);
    await response.arrayBuffer();
    const seconds = secondsOf(response);
    assert.ok(seconds > 0.9 && seconds < 1.1, `${format}: ${seconds} s`);
    assert.equal(upstream.bodies.at(-1)?.instructions, '천천히');
    assert.equal(upstream.bodies.at(-1)?.response_format, format);
  }
});

test('null for a member that may be left out is as if it were', async () => {
  await using upstream = await speechUpstream((response) => response.end(tone(0.2)));
  await using server = await speechServer(config(upstream.baseUrl));
  const response = await server.speak({
    input: '가.',
    language: null,
    response_format: null,
    instructions: null,
  });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'audio/mpeg');
});

test('an upstream that is too slow is a 502 of its own code', async () => {
  await using upstream = await speechUpstream(() => undefined);
  await using server = await speechServer(config(upstream.baseUrl, { timeout: 50 }));
  const response = await server.speak({ input: '가.' });
  assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'engine_timeout');
  assert.deepEqual(pick(await server.usage()), [0, 0]);
});

test('when one engine fails the next one speaks the whole text', async () => {
  await using broken = await speechUpstream((response) => response.writeHead(503).end());
  await using works = await speechUpstream((response) => response.end(tone(0.5)));
  await using server = await speechServer({
    engines: ['a', 'b'],
    pauses: NO_PAUSES,
    upstreams: [
      { name: 'a', baseUrl: broken.baseUrl },
      { name: 'b', baseUrl: works.baseUrl },
    ],
  });
  const response = await server.speak({ input: '하나. 둘.' });
  assert.equal(response.status, 200);
  assert.equal(secondsOf(response), 1);
  assert.equal(works.bodies.length, 2);
});

test('a client that leaves pays nothing, and its upstream calls end', async () => {
  await using upstream = await speechUpstream(() => undefined);
  await using server = await speechServer(config(upstream.baseUrl));
  const client = new AbortController();
  const call = fetch(`${server.url}/api/v1/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ voice: 'sera', input: '하나. 둘. 셋. 넷.' }),
    signal: client.signal,
  });
  await eventually(() => upstream.bodies.length === 2, 'both sentences asked for');
  client.abort();
  await assert.rejects(call);
  await eventually(() => upstream.left() === 2, 'both calls ended');
  await eventually(async () => (await server.usage()).reserved_seconds === 0, 'the hold given back');
  assert.deepEqual(pick(await server.usage()), [0, 0]);
  assert.equal(upstream.bodies.length, 2);
});

test('calls beyond the queue are answered 503 with retry-after', async () => {
  const waiting: (() => void)[] = [];
  await using upstream = await speechUpstream((response) => waiting.push(() => response.end(tone(0.1))));
  await using server = await speechServer({ ...config(upstream.baseUrl), active: 1, queue: 1 });
  const first = server.speak({ input: '하나.' });
  await eventually(() => waiting.length === 1, 'a sentence asked for');
  const second = server.speak({ input: '둘.' });
  await eventually(async () => (await server.usage()).reserved_seconds > 3, 'two holds');
  const third = await server.speak({ input: '셋.' });
  assert.equal(third.status, 503);
  assert.equal(third.headers.get('retry-after'), '2');
  waiting.shift()?.();
  assert.equal((await first).status, 200);
  await eventually(() => waiting.length === 1, 'a sentence asked for');
  waiting.shift()?.();
  assert.equal((await second).status, 200);
  assert.deepEqual(pick(await server.usage()), [0.2, 0]);
});

/** As MP3, by our encoder. */
async function encoded(file: Buffer): Promise<Buffer> {
  const { pcm, sampleRate } = await readWave(file);
  const encoders = new Mp3Encoders();
  const encoder = await encoders.open(sampleRate, false);
  await encoder.write(pcm);
  const mp3 = await encoder.finish();
  encoder.close();
  await encoders.close();
  return mp3;
}

function pick({
  used_seconds,
  reserved_seconds,
}: {
  used_seconds: number;
  reserved_seconds: number;
}): number[] {
  return [used_seconds, reserved_seconds];
}
