import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Mp3Encoders } from '../../../plugins/speech/audio/mp3.js';
import { xingFrame } from '../../../plugins/speech/audio/xing.js';

const encoders = new Mp3Encoders();

async function mp3(sampleRate: number, samples: number): Promise<Buffer> {
  const encoder = await encoders.open(sampleRate, false);
  const pcm = Int16Array.from(
    { length: samples },
    (_, at) => 8_000 * Math.sin(at / 9) * Math.sin(at / 3_000),
  );
  await encoder.write(pcm);
  const file = encoder.finish();
  encoder.close();
  return file;
}

/** After the header and the side information of a mono frame of MPEG-2; that of MPEG-1 is 8 bytes longer. */
function tagOf(file: Buffer, isMpeg1: boolean): Buffer {
  return file.subarray(isMpeg1 ? 21 : 13);
}

for (const [sampleRate, frame] of [
  [8_000, 576],
  [16_000, 576],
  [22_050, 576],
  [24_000, 576],
  [44_100, 1_152],
  [48_000, 1_152],
] as const)
  test(`an mp3 of ${sampleRate} samples a second says how many samples it holds, to the last one`, async () => {
    // In an encoder that another file has used, too.
    for (const samples of [1_000, 100_001]) {
      const file = await mp3(sampleRate, samples);
      const tag = tagOf(file, frame === 1_152);
      assert.equal(tag.toString('latin1', 0, 4), 'Xing');
      assert.equal(tag.readUInt32BE(12), file.length);
      const edges = tag.readUIntBE(137, 3);
      assert.equal(tag.readUInt32BE(8) * frame - (edges >> 12) - (edges & 0xfff), samples);
      const places = Array.from(tag.subarray(16, 116));
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      );
    }
  });

test('sound at a rate that mp3 does not have is resampled', async () => {
  const file = await mp3(22_000, 22_000);
  const tag = tagOf(file, false);
  const edges = tag.readUIntBE(137, 3);
  assert.equal(tag.readUInt32BE(8) * 576 - (edges >> 12) - (edges & 0xfff), 22_050);
});

test('what is not mp3 gets no frame', () => {
  assert.throws(() => xingFrame(Buffer.from('not a frame'), 1), /not a frame of MPEG layer III/);
});
