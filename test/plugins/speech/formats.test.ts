import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { OggOpusDecoder } from 'ogg-opus-decoder';
import { flacEncoder } from '../../../plugins/speech/audio/flac.js';
import { oggPage, readOgg } from '../../../plugins/speech/audio/ogg.js';
import { opusEncoder, readOpus } from '../../../plugins/speech/audio/opus.js';
import { resample } from '../../../plugins/speech/audio/resample.js';
import { speechServer, type SpeechServer } from './support.js';

/** Two tones, between them silence, at the end a click: what predictors like and what they do not. */
const SOUND = Int16Array.from({ length: 30_011 }, (_, at) => {
  if (at > 10_000 && at < 16_000) return 0;
  return at === 30_000 ? 32_767 : Math.round(9_000 * Math.sin(at / 9) + 4_000 * Math.sin(at / 2.1));
});

async function decodeFlac(file: Uint8Array): Promise<{ samples: Float32Array; sampleRate: number }> {
  const decoder = new FLACDecoder();
  await decoder.ready;
  const { channelData, sampleRate, errors } = await decoder.decodeFile(file);
  decoder.free();
  assert.deepEqual(errors, []);
  return { samples: channelData[0] ?? new Float32Array(0), sampleRate };
}

async function decodeOpus(file: Uint8Array): Promise<Float32Array> {
  const decoder = new OggOpusDecoder();
  await decoder.ready;
  const { channelData, errors } = await decoder.decodeFile(file);
  decoder.free();
  assert.deepEqual(errors, []);
  return channelData[0] ?? new Float32Array(0);
}

for (const streams of [false, true])
  test(`FLAC ${streams ? 'as a stream' : 'as a file'} gives every sample back`, async () => {
    const encoder = flacEncoder(22_050, streams);
    const parts = [
      await encoder.write(SOUND.subarray(0, 11_111)),
      await encoder.write(SOUND.subarray(11_111)),
      await encoder.finish(),
    ];
    assert.equal((parts[0]?.length ?? 0) > 0, streams);
    const file = Buffer.concat(parts);
    assert.ok(file.length < SOUND.byteLength * 0.8, `${file.length} of ${SOUND.byteLength} bytes`);
    const { samples, sampleRate } = await decodeFlac(file);
    assert.equal(sampleRate, 22_050);
    assert.equal(samples.length, SOUND.length);
    // The decoder answers fractions of full scale.
    for (const [at, value] of SOUND.entries())
      assert.ok(Math.abs((samples[at] ?? 0) * 32_768 - value) < 1.01, `sample ${at}`);
  });

test('Opus has the exact length, and is read as it was written', async () => {
  const encoder = await opusEncoder(24_000);
  const file = Buffer.concat([
    await encoder.write(SOUND.subarray(0, 11_111)),
    await encoder.write(SOUND.subarray(11_111)),
    await encoder.finish(),
  ]);
  encoder.close();
  assert.equal((await decodeOpus(file)).length, SOUND.length * 2);
  const { pcm } = await readOpus(file);
  assert.equal(pcm.length, SOUND.length);
  const energy = (sound: Int16Array): number => sound.reduce((sum, value) => sum + value * value, 0);
  assert.ok(Math.abs(energy(pcm) / energy(SOUND) - 1) < 0.1);
});

test('an Opus file that claims more sound than a sentence has is refused', async () => {
  const [head] = readOgg(await (await opusEncoder(24_000)).finish()).packets;
  // 60 ms of silence each.
  const silence = Array.from({ length: 250 }, () => Uint8Array.of(0x18));
  const pages = Array.from({ length: 50 }, (_, at) =>
    oggPage({ flags: 0, granule: 0, serial: 1, sequence: at + 2, packets: silence }),
  );
  const start = [head ?? Buffer.alloc(0), Buffer.from('OpusTags')].map((packet, at) =>
    oggPage({ flags: at === 0 ? 2 : 0, granule: 0, serial: 1, sequence: at, packets: [packet] }),
  );
  await assert.rejects(readOpus(Buffer.concat([...start, ...pages])), /more than 600 s/);
  await assert.rejects(readOpus(Buffer.from('OggS and nothing more of it, as it happens')), Error);
});

test('a tone keeps its pitch and its level at another rate', async () => {
  for (const [from, to] of [
    [22_050, 24_000],
    [44_100, 24_000],
    [16_000, 24_000],
  ] as const) {
    const tone = (rate: number): Int16Array =>
      Int16Array.from({ length: rate }, (_, at) =>
        Math.round(10_000 * Math.sin((2 * Math.PI * 440 * at) / rate)),
      );
    const made = await resample(tone(from), from, to);
    const wanted = tone(to);
    assert.equal(made.length, to);
    let worst = 0;
    for (let at = 200; at < to - 200; at += 1)
      worst = Math.max(worst, Math.abs((made[at] ?? 0) - (wanted[at] ?? 0)));
    assert.ok(worst < 30, `${from} to ${to}: ${worst}`);
  }
});

describe('formats over HTTP', () => {
  let server: SpeechServer;
  before(async () => {
    server = await speechServer();
  });
  after(() => server.stop());

  test('every format lasts as long as the header says', async () => {
    const input = '안녕하세요. 반갑습니다.';
    const lengthOf = {
      pcm: (file: Buffer) => file.length / 2 / 24_000,
      opus: async (file: Buffer) => (await decodeOpus(file)).length / 48_000,
      flac: async (file: Buffer) => {
        const { samples, sampleRate } = await decodeFlac(file);
        return samples.length / sampleRate;
      },
    };
    const types = { pcm: 'audio/pcm', opus: 'audio/ogg', flac: 'audio/flac' };
    for (const format of ['pcm', 'opus', 'flac'] as const) {
      const response = await server.speak({ input, response_format: format });
      assert.equal(response.headers.get('content-type'), types[format]);
      const length = await lengthOf[format](Buffer.from(await response.arrayBuffer()));
      assert.equal(length.toFixed(3), response.headers.get('x-audio-duration-seconds'), format);
    }
  });

  test('a format without an encoder is refused by name', async () => {
    const response = await server.speak({ input: '가', response_format: 'aac' });
    assert.equal(response.status, 422);
    assert.match(await response.text(), /response_format/);
  });
});
