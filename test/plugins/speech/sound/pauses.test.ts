import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { joinParts } from '../../../../plugins/speech/audio/pauses.js';
import { EmbeddedEngine } from '../../../../plugins/speech/engines/embedded/embedded.js';
import { read } from '../../../../plugins/speech/reading/reading.js';
import { speakSentences } from '../../../../plugins/speech/service/sentences.js';
import { VOICES, type Voice } from '../../../../plugins/speech/voices/voices.js';
import { root } from '../../../support/fixtures.js';
import { gapsOf } from './analysis.js';

const PAUSES = { sentence: 280, paragraph: 450, comma: 140, release: 60 };
/** Milliseconds: the edges that are kept around the sound, and how a vowel dies away. */
const TOLERANCE = 20;

describe('pauses, measured below -45 dB', () => {
  const program = join(root, 'engines/espeak-ng/main.js');
  const engine = new EmbeddedEngine(program, 2, { base: 60_000, perSyllable: 0 });
  after(() => engine.close());

  /** Of the whole text as one file. */
  const gaps = async (voice: Voice, text: string, speed = 1): Promise<number[]> => {
    const job = { reading: await read(text), voice, speed };
    const pieces: Int16Array[] = [];
    let rate = 0;
    for await (const { pcm, sampleRate } of speakSentences(
      engine,
      job,
      PAUSES,
      new AbortController().signal,
    )) {
      pieces.push(pcm);
      rate = sampleRate;
    }
    const whole = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return gapsOf(whole, rate);
  };
  /** The closure of a stop is silent too, so the pauses are the gaps that are longer than one. */
  const isLike = (found: readonly number[], wanted: readonly number[]): boolean =>
    found.length === wanted.length &&
    found.every((gap, at) => Math.abs(gap - (wanted[at] ?? 0)) <= TOLERANCE);

  test('each of the 71 voices pauses after every sentence, and its file ends in silence', async () => {
    const text = '안녕하세요. 오늘은 날씨가 맑습니다. 내일 만나요.';
    for (const voice of VOICES) {
      const found = await gaps(voice, text);
      const end = found.at(-1) ?? 0;
      assert.ok(Math.abs(end - PAUSES.release) <= TOLERANCE, `${voice.id} ends with ${end} ms`);
      const long = found.slice(0, -1).filter((gap) => gap > 200);
      assert.ok(isLike(long, [280, 280]), `${voice.id}: ${found.map(Math.round).join(' ')} ms`);
    }
  });

  test('a question, a call, a line and a comma have pauses of their own', async () => {
    const [voice] = VOICES;
    assert.ok(voice);
    const long = async (text: string, speed?: number): Promise<number[]> =>
      (await gaps(voice, text, speed)).slice(0, -1).filter((gap) => gap > 100);
    for (const [text, wanted] of [
      ['어디로 가나요? 우리 말이야! 나무 아래야.', [280, 280]],
      ['우리 나무야.\n너의 나무야.', [450]],
      ['우리 나무야\n\n너의 나무야', [450]],
      ['나와, 너와, 우리는 노네.', [140, 140]],
    ] as const) {
      const found = await long(text);
      assert.ok(isLike(found, wanted), `${text}: ${found.map(Math.round).join(' ')} ms`);
    }
    const fast = await gaps(voice, '우리 나무야. 너의 나무야.', 2);
    assert.ok(Math.abs((fast[0] ?? 0) - 140) <= TOLERANCE, `${fast.join(' ')} ms at twice the speed`);
  });

  test('silence that an engine brings is cut off, and a part of silence is none', async () => {
    const tone = Int16Array.from({ length: 4_000 }, (_, at) => Math.round(8_000 * Math.sin(at / 5)));
    const padded = new Int16Array(12_000);
    padded.set(tone, 3_000);
    const part = { pcm: padded, timing: [{ phoneme: 'a', at: 375 }], words: [375] };
    const silent = { pcm: new Int16Array(5_000), timing: [], words: [] };
    const { pcm, timing } = await joinParts([silent, part, silent, part], 8_000, 100);
    assert.ok(Math.abs(pcm.length - (2 * 4_000 + 800)) < 200, `${pcm.length} samples`);
    assert.deepEqual(gapsOf(pcm, 8_000).length, 1);
    assert.ok((timing[0]?.at ?? 99) < 10, JSON.stringify(timing));
    assert.ok(Math.abs((timing[1]?.at ?? 0) - 600) < 20, JSON.stringify(timing));
  });
});
