/** Long sound that several threads encode: it is the sound that one encoder would have made. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, describe, test } from 'node:test';
import { EncoderThreads } from '../../../plugins/speech/audio/encoder-threads.js';
import { framesOf, joinFrames } from '../../../plugins/speech/audio/mp3-frames.js';
import { Mp3Encoders } from '../../../plugins/speech/audio/mp3.js';
import { EngineError } from '../../../plugins/speech/engines/engine.js';

const ffmpegMissing =
  spawnSync('ffmpeg', ['-version']).status === 0 ? false : 'skipped: no ffmpeg on the PATH';

/** Syllables of a voice whose pitch moves, with pauses: what the frames' bits differ by. */
function voice(sampleRate: number, seconds: number): Int16Array {
  const pcm = new Int16Array(sampleRate * seconds);
  let phase = 0;
  for (let at = 0; at < pcm.length; at += 1) {
    const time = at / sampleRate;
    phase += (2 * Math.PI * (140 + 30 * Math.sin(time * 1.7))) / sampleRate;
    const loud = time % 2.3 > 2 ? 0 : Math.max(0, Math.sin(time * 21)) * 6_000;
    for (let tone = 1; tone <= 12; tone += 1)
      pcm[at] = (pcm[at] ?? 0) + (loud / tone) * Math.sin(phase * tone + tone);
  }
  return pcm;
}

describe('mp3 in blocks', () => {
  const encoders = new Mp3Encoders();
  after(() => encoders.close());

  async function encode(pcm: Int16Array, sampleRate: number, isLong: boolean): Promise<Buffer> {
    const encoder = await encoders.open(sampleRate, isLong);
    // In pieces, as sentences are.
    for (let at = 0; at < pcm.length; at += 50_001) await encoder.write(pcm.slice(at, at + 50_001));
    const file = await encoder.finish();
    encoder.close();
    return file;
  }

  for (const sampleRate of [22_050, 44_100]) {
    const pcm = voice(sampleRate, 14);

    test(`${sampleRate} samples a second: frames that are joined anew keep every bit of their sound`, async () => {
      const [, ...frames] = framesOf(await encode(pcm, sampleRate, false));
      const anew = framesOf(joinFrames(frames.slice(100)));
      assert.equal(anew.length, frames.length - 100);
      for (const [at, { side, main }] of anew.entries()) {
        const was = frames[at + 100];
        assert.ok(was !== undefined);
        assert.deepEqual(main, was.main);
        // The first bits say where the sound begins.
        assert.deepEqual(side.subarray(2), was.side.subarray(2));
      }
    });

    test(
      `${sampleRate} samples a second: the sound is as near to the original as that of one encoder, at the seams too`,
      { skip: ffmpegMissing },
      async () => {
        const [whole, blocks] = [await encode(pcm, sampleRate, false), await encode(pcm, sampleRate, true)];
        assert.equal(framesOf(blocks).length, framesOf(whole).length);
        const [a, b] = [decoded(whole), decoded(blocks)];
        assert.equal(b.length, a.length);
        const around = (second: number): [number, number] => [
          Math.round((second - 0.1) * sampleRate),
          Math.round((second + 0.1) * sampleRate),
        ];
        for (const [from, to] of [[0, pcm.length] as const, around(6), around(12)]) {
          const lost = noise(b, pcm, from, to) / noise(a, pcm, from, to);
          assert.ok(lost < 1.1, `${from} to ${to}: ${lost} times the noise`);
        }
      },
    );
  }

  test('sound that ends at the end of a block, or shortly before or after it, is whole', async () => {
    const perBlock = Math.ceil((6 * 22_050) / 576) * 576;
    for (const samples of [1, perBlock, perBlock + 4 * 576, perBlock + 4 * 576 + 1, 2 * perBlock]) {
      const [whole, blocks] = await Promise.all(
        [false, true].map((isLong) => encode(voice(22_050, 12).slice(0, samples), 22_050, isLong)),
      );
      assert.equal(framesOf(blocks!).length, framesOf(whole!).length, `${samples} samples`);
    }
  });
});

test('a thread that fails is an engine that failed, and the next block has a new one', async () => {
  const threads = new EncoderThreads(1);
  const { signal } = new AbortController();
  const pcm = (): Int16Array => voice(22_050, 1);
  await assert.rejects(threads.encode({ pcm: pcm(), sampleRate: 22_050n as never }, signal), EngineError);
  assert.ok((await threads.encode({ pcm: pcm(), sampleRate: 22_050 }, signal)).length > 1_000);
  // Long, so that its thread is not done before it is closed, on a busy machine either.
  const [under, waiting] = [voice(22_050, 120), pcm()].map((sound) =>
    threads.encode({ pcm: sound, sampleRate: 22_050 }, signal),
  );
  const both = Promise.all([assert.rejects(under!, EngineError), assert.rejects(waiting!, EngineError)]);
  await threads.close();
  await both;
});

test('blocks of a call that was given up are not encoded', async () => {
  const threads = new EncoderThreads(1);
  const stop = new AbortController();
  const first = threads.encode({ pcm: voice(22_050, 1), sampleRate: 22_050 }, stop.signal);
  const second = threads.encode({ pcm: voice(22_050, 1), sampleRate: 22_050 }, stop.signal);
  stop.abort(new Error('gone'));
  assert.ok((await first).length > 0);
  await assert.rejects(second, /gone/);
  await threads.close();
});

function decoded(file: Buffer): Int16Array {
  const { stdout, stderr } = spawnSync('ffmpeg', ['-v', 'error', '-i', '-', '-f', 's16le', '-'], {
    input: file,
    maxBuffer: 2 ** 28,
  });
  assert.equal(stderr.toString(), '');
  return new Int16Array(Uint8Array.from(stdout).buffer);
}

function noise(sound: Int16Array, original: Int16Array, from: number, to: number): number {
  let sum = 1;
  for (let at = from; at < to; at += 1) sum += ((sound[at] ?? 0) - (original[at] ?? 0)) ** 2;
  return sum;
}
