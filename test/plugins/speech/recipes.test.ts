/** The configs of README.md for servers that people run, each with a server that accepts and answers what theirs does. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { readWave } from '../../../plugins/speech/engines/upstream/riff.js';
import { Mp3Encoders } from '../../../plugins/speech/audio/mp3.js';
import { root } from '../../support/fixtures.js';
import { NO_PAUSES, speechServer } from './support.js';
import { speechUpstream, tone } from './upstream-server.js';

interface Recipe {
  readonly engines: string[];
  readonly upstreams: readonly { readonly name: string; readonly apiKey?: string }[];
}

interface StandIn {
  readonly models?: readonly string[];
  readonly voices: readonly string[];
  readonly key?: boolean;
  /** Half a second, as it sends it. */
  readonly sound: () => Buffer | Promise<Buffer>;
  /** How it refuses a voice that it does not have. */
  readonly refusal: (voice: string) => unknown;
}

const openai = (message: string): unknown => ({
  error: { message, type: 'invalid_request_error', param: 'voice', code: null },
});

const SERVERS: Readonly<Record<string, StandIn>> = {
  supertonic: {
    voices: ['F1', 'F2', 'M1', 'alloy'],
    sound: () => tone(0.5, { rate: 44_100, size: 0xffffffff }),
    refusal: (voice) => ({ detail: `unknown voice ${voice}` }),
  },
  edge: {
    voices: ['ko-KR-SunHiNeural', 'ko-KR-InJoonNeural'],
    key: true,
    sound: mp3,
    refusal: (voice) => ({ error: `unknown voice ${voice}` }),
  },
  openai: {
    models: ['gpt-4o-mini-tts'],
    voices: ['alloy', 'nova'],
    key: true,
    sound: () => tone(0.5, { size: 0xffffffff }),
    refusal: (voice) => openai(`unknown voice ${voice}`),
  },
  speaches: {
    models: ['speaches-ai/Kokoro-82M-v1.0-ONNX'],
    voices: ['af_heart'],
    sound: () => tone(0.5),
    refusal: (voice) => ({ detail: [{ loc: ['body', 'voice'], msg: `unknown voice ${voice}` }] }),
  },
  kokoro: {
    models: ['kokoro', 'tts-1', 'tts-1-hd'],
    voices: ['af_bella'],
    sound: () => tone(0.5, { size: 0xffffffff }),
    refusal: (voice) => ({
      detail: {
        error: 'validation_error',
        message: `unknown voice ${voice}`,
        type: 'invalid_request_error',
      },
    }),
  },
};

const recipes = Array.from(
  readFileSync(join(root, 'plugins/speech/README.md'), 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```$/gm),
  ([, text = '']) => (parse(text) as { plugins: { speech: Recipe } }).plugins.speech,
).filter(({ upstreams }) => upstreams.length > 0);

test('each recipe has a server to be tried with', () => {
  assert.deepEqual(
    recipes.map(({ upstreams: [first] }) => first?.name).toSorted(),
    Object.keys(SERVERS).toSorted(),
  );
});

for (const { engines, upstreams } of recipes) {
  const [upstream] = upstreams;
  const standIn = SERVERS[upstream?.name ?? ''];
  if (upstream === undefined || standIn === undefined) continue;

  test(`the recipe for ${upstream.name} speaks, says why a voice is refused, and gives way to the built-in voices`, async () => {
    let isAway = false;
    await using theirs = await speechUpstream(async (response, { model, voice }, { headers }) => {
      const refuse = (status: number, body: unknown): unknown =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (isAway) return refuse(500, { detail: 'Internal Server Error' });
      if (standIn.key === true && headers.authorization !== 'Bearer k')
        return refuse(401, { error: 'Missing or invalid API key' });
      if (standIn.models !== undefined && !standIn.models.includes(String(model)))
        return refuse(400, openai(`unknown model ${String(model)}`));
      if (!standIn.voices.includes(String(voice))) return refuse(400, standIn.refusal(String(voice)));
      return response.end(await standIn.sound());
    });
    const config = (voices: object = {}) => ({
      engines,
      pauses: NO_PAUSES,
      upstreams: [
        { ...upstream, baseUrl: theirs.baseUrl, ...(upstream.apiKey && { apiKey: 'k' }), ...voices },
      ],
    });

    await using server = await speechServer(config());
    for (const voice of ['sera', 'hyunwoo']) {
      const spoken = await server.speak({ voice, input: '하나.', response_format: 'wav' });
      assert.equal(spoken.status, 200);
      const { pcm, sampleRate } = await readWave(Buffer.from(await spoken.arrayBuffer()));
      const seconds = pcm.length / sampleRate;
      assert.ok(seconds > 0.4 && seconds < 0.65, `${voice}: ${seconds} s`);
    }
    assert.equal(theirs.bodies.length, 2);
    isAway = true;
    const fallback = await server.speak({ input: '둘.', response_format: 'wav' });
    assert.equal(fallback.status, 200);
    await fallback.arrayBuffer();
    assert.equal(theirs.bodies.length, 3);

    isAway = false;
    await using alone = await speechServer({
      ...config({ voices: { '*': 'nobody' } }),
      engines: [upstream.name],
    });
    const refused = await alone.speak({ input: '셋.' });
    assert.equal(refused.status, 400);
    const { error } = (await refused.json()) as { error: { code: string; message: string } };
    assert.equal(error.code, 'engine_refused');
    assert.match(error.message, new RegExp(`${upstream.name} answered 400: unknown voice nobody`));
  });
}

async function mp3(): Promise<Buffer> {
  const { pcm, sampleRate } = await readWave(tone(0.5));
  const encoders = new Mp3Encoders();
  const encoder = await encoders.open(sampleRate, false);
  const file = Buffer.concat([await encoder.write(pcm), await encoder.finish()]);
  encoder.close();
  await encoders.close();
  return file;
}
