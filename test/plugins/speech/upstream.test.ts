import assert from 'node:assert/strict';
import { test } from 'node:test';
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

function pick({
  used_seconds,
  reserved_seconds,
}: {
  used_seconds: number;
  reserved_seconds: number;
}): number[] {
  return [used_seconds, reserved_seconds];
}
