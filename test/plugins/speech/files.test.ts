import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import { speechServer } from './support.js';

const ffprobeMissing =
  spawnSync('ffprobe', ['-version']).status === 0 ? false : 'skipped: no ffprobe on the PATH';

describe('the files', { skip: ffprobeMissing }, () => {
  test('ffprobe finds the length of the header within 0.1 s in mp3 and wav, short and long, at any speed', async () => {
    await using server = await speechServer();
    const client = new OpenAI({ apiKey: server.apiKey, baseURL: `${server.url}/api/v1` });
    const folder = await mkdtemp(join(tmpdir(), 'plugboard-speech-'));
    for (const { input, speed } of [
      { input: '네.', speed: 1 },
      { input: '네. '.repeat(12), speed: 4 },
      { input: '오늘은 하늘이 맑고 바람이 시원합니다. '.repeat(6), speed: 1.3 },
    ]) {
      for (const format of ['mp3', 'wav'] as const) {
        const response = await client.audio.speech.create({
          model: 'tts-1',
          voice: 'sera',
          input,
          speed,
          response_format: format,
        });
        const file = join(folder, `clip.${format}`);
        await writeFile(file, Buffer.from(await response.arrayBuffer()));
        const found = JSON.parse(
          execFileSync('ffprobe', ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', file], {
            encoding: 'utf8',
          }),
        ) as { format: { duration: string; format_name: string }; streams: { channels: number }[] };
        const header = Number(response.headers.get('x-audio-duration-seconds'));
        assert.equal(found.format.format_name, format);
        assert.equal(found.streams[0]?.channels, 1);
        assert.ok(
          Math.abs(Number(found.format.duration) - header) < 0.1,
          `${format}: ${found.format.duration} ${header}`,
        );
        // Decoding reports nothing.
        assert.equal(
          spawnSync('ffmpeg', ['-v', 'error', '-i', file, '-f', 'null', '-']).stderr.toString(),
          '',
        );
      }
    }
    await rm(folder, { recursive: true });
  });
});
