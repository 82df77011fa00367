import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import OpenAI from 'openai';
import { bootTest, pluginContract } from 'plugboard/testing';
import speech from '../../../plugins/speech/index.js';
import { speechServer, type SpeechServer } from './support.js';

pluginContract(speech);

test('engines and time zones that do not exist are faults of the config', async () => {
  const boot = (config: object) => bootTest({ plugins: [{ plugin: speech, config }] });
  await assert.rejects(boot({ engines: ['azure'] }), /engines\[0\]: there is no engine "azure"/);
  await assert.rejects(boot({ timeZone: 'Nowhere/X' }), /timeZone: there is no time zone "Nowhere\/X"/);
});

describe('speech over HTTP', () => {
  let server: SpeechServer;

  before(async () => {
    server = await speechServer();
  });
  after(() => server.stop());

  const codeOf = async (response: Response): Promise<unknown> => {
    const { error } = (await response.json()) as { error: { code: string; param: string | null } };
    return [response.status, error.code, error.param];
  };

  test('the openai client writes wav and mp3 of the length that the header says', async () => {
    const client = new OpenAI({ apiKey: server.apiKey, baseURL: `${server.url}/api/v1` });
    const ask = { model: 'tts-1', voice: 'sera', input: '안녕하세요. 반갑습니다.' } as const;
    const wav = await client.audio.speech.create({ ...ask, response_format: 'wav' });
    const bytes = Buffer.from(await wav.arrayBuffer());
    const seconds = Number(wav.headers.get('x-audio-duration-seconds'));
    assert.equal(wav.headers.get('content-type'), 'audio/wav');
    assert.equal(bytes.toString('latin1', 0, 4), 'RIFF');
    assert.equal(bytes.readUInt32LE(4), bytes.length - 8);
    assert.equal(((bytes.length - 44) / 2 / bytes.readUInt32LE(24)).toFixed(3), seconds.toFixed(3));
    assert.ok(seconds > 1.5 && seconds < 4, `${seconds} s`);

    const mp3 = await client.audio.speech.create(ask);
    const file = Buffer.from(await mp3.arrayBuffer());
    assert.equal(mp3.headers.get('content-type'), 'audio/mpeg');
    assert.equal(mp3.headers.get('content-length'), String(file.length));
    // MPEG-2 layer III: after 13 bytes a tag that counts frames of 576 samples, and the samples to leave out.
    assert.equal(file.toString('latin1', 13, 17), 'Xing');
    const edges = file.readUIntBE(13 + 137, 3);
    const samples = file.readUInt32BE(13 + 8) * 576 - (edges >> 12) - (edges & 0xfff);
    assert.equal((samples / 22_050).toFixed(3), mp3.headers.get('x-audio-duration-seconds'));
  });

  test('the header is what is deducted', async () => {
    const before = await server.usage();
    const response = await server.speak({ input: '하나 둘 셋.' });
    await response.arrayBuffer();
    const spent = Number(response.headers.get('x-audio-duration-seconds'));
    const { used_seconds: used, reserved_seconds: reserved } = await server.usage();
    assert.equal((used - before.used_seconds).toFixed(3), spent.toFixed(3));
    assert.equal(reserved, 0);
  });

  test('the same call again comes from the cache at the same price', async () => {
    const [first, second] = [
      await server.speak({ input: '다시 한번.' }),
      await server.speak({ input: '다시 한번.' }),
    ];
    assert.deepEqual(await second.arrayBuffer(), await first.arrayBuffer());
    const header = 'x-audio-duration-seconds';
    assert.equal(second.headers.get(header), first.headers.get(header));
  });

  test('checks come in the documented order, each in the dialect of OpenAI', async () => {
    const speak = server.speak.bind(server);
    assert.equal((await speak({ input: '' }, { authorization: 'Bearer pb_wrong' })).status, 401);
    assert.deepEqual(await codeOf(await speak({ voice: 'nobody', input: '' })), [
      422,
      'invalid_request',
      'input',
    ]);
    assert.deepEqual(await codeOf(await speak({ voice: 'nobody' })), [422, 'invalid_request', 'input']);
    assert.deepEqual(await codeOf(await speak({ voice: 'nobody', input: '😀 ...' })), [
      422,
      'nothing_to_read',
      'input',
    ]);
    assert.deepEqual(await codeOf(await speak({ input: '가', response_format: 'aac' })), [
      422,
      'invalid_request',
      'response_format',
    ]);
    assert.deepEqual(await codeOf(await speak({ input: '가'.repeat(4_097) })), [
      422,
      'invalid_request',
      'input',
    ]);
    assert.deepEqual(await codeOf(await speak({ input: '가', speed: 5 })), [422, 'invalid_request', 'speed']);
    assert.deepEqual(await codeOf(await speak({ voice: 'nobody', input: '가' })), [
      400,
      'voice_not_found',
      'voice',
    ]);
  });

  test('a key without the scope is refused', async () => {
    const key = await server.key('manage');
    const response = await server.speak({ input: '가' }, { authorization: `Bearer ${key}` });
    assert.equal(response.status, 403);
  });

  test('the 71 voices are in four dialects', async () => {
    const response = await fetch(`${server.url}/api/v1/voices`, { headers: { 'x-api-key': server.apiKey } });
    const { voices } = (await response.json()) as { voices: { id: string; dialect: string }[] };
    const counts = new Map<string, number>();
    for (const { dialect } of voices) counts.set(dialect, (counts.get(dialect) ?? 0) + 1);
    assert.deepEqual(Object.fromEntries(counts), { 표준어: 49, 경상도: 10, 전라도: 3, 평양: 9 });
    assert.deepEqual(Object.keys(voices[0] ?? {}), ['id', 'name', 'languages', 'dialect']);
  });

  test('a dry run estimates and charges nothing', async () => {
    const before = await server.usage();
    const response = await fetch(`${server.url}/api/v1/audio/speech?dry_run=true`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ voice: 'sera', input: '안녕하세요. 반갑습니다.' }),
    });
    const estimate = (await response.json()) as { estimated_seconds: number; sentences: number };
    assert.equal(estimate.sentences, 2);
    const spoken = await server.speak({ input: '안녕하세요. 반갑습니다.' });
    await spoken.arrayBuffer();
    const seconds = Number(spoken.headers.get('x-audio-duration-seconds'));
    assert.ok(
      Math.abs(estimate.estimated_seconds - seconds) < seconds / 4,
      `${estimate.estimated_seconds} ${seconds}`,
    );
    assert.ok(before.used_seconds >= 0);
  });

  test('speed changes the length and nothing else', async () => {
    const lengthAt = async (speed: number): Promise<number> => {
      const response = await server.speak({ input: '나무 아래에서 만나요. 조금 이따가 봐요.', speed });
      await response.arrayBuffer();
      return Number(response.headers.get('x-audio-duration-seconds'));
    };
    const plain = await lengthAt(1);
    for (const speed of [0.25, 0.5, 1.5, 2, 4]) {
      const length = await lengthAt(speed);
      assert.ok(Math.abs((length * speed) / plain - 1) < 0.15, `${speed}: ${length} s instead of ${plain} s`);
    }
  });

  test('explain shows readings, articles, phonemes and timing', async () => {
    const response = await fetch(`${server.url}/api/v1/audio/speech/explain`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ voice: 'sera', input: '사과 3개를 먹을 수 있다.' }),
    });
    const explained = (await response.json()) as {
      normalised: string;
      changes: object[];
      sentences: { pronunciation: string; timing: { at: number }[] }[];
    };
    assert.equal(explained.normalised, '사과 세 개를 먹을 수 있다.');
    assert.deepEqual(explained.changes, [{ rule: 'counter', from: '3개를', to: '세 개를' }]);
    assert.equal(explained.sentences[0]?.pronunciation, '사과 세 개를 머글 쑤 읻따.');
    const times = explained.sentences[0]?.timing.map(({ at }) => at) ?? [];
    assert.ok(times.length > 15);
    assert.deepEqual(
      times,
      [...times].sort((a, b) => a - b),
    );
  });
});
