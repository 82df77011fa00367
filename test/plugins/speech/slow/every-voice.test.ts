/** Every voice with every sentence: 3,550 clips, some three hours of sound. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { joinParts } from '../../../../plugins/speech/audio/pauses.js';
import { EmbeddedEngine } from '../../../../plugins/speech/engines/embedded/embedded.js';
import { read, type Reading } from '../../../../plugins/speech/reading/reading.js';
import { DIALECTS, VOICES, type Voice } from '../../../../plugins/speech/voices/voices.js';
import { root } from '../../../support/fixtures.js';
import { loudnessOf, pitchOf } from '../sound/analysis.js';
import texts from '../sound/sentences.json' with { type: 'json' };

const WORKERS = 2;

describe('71 voices speak 50 sentences each', () => {
  const engine = new EmbeddedEngine(join(root, 'engines/espeak-ng/main.js'), WORKERS, {
    base: 60_000,
    perSyllable: 0,
  });
  after(() => engine.close());

  const speak = async (voice: Voice, { sentences, syllables }: Reading) => {
    const [sentence] = sentences;
    assert.ok(sentence);
    const utterance = { sentence, voice, speed: 1 };
    const { parts, sampleRate } = await engine.speak(utterance, new AbortController().signal);
    const { pcm } = await joinParts(parts, sampleRate, 140);
    const measured = { ...loudnessOf(pcm, sampleRate), ...pitchOf(pcm, sampleRate) };
    return { ...measured, perSyllable: measured.duration / syllables };
  };

  for (const dialect of DIALECTS)
    test(`${dialect}: level, pitch, silence and tempo of each clip are those of speech`, async (t) => {
      const readings = await Promise.all(texts.map((text) => read(text)));
      for (const voice of VOICES.filter((one) => one.dialect === dialect)) {
        const clips = await Promise.all(readings.map((reading) => speak(voice, reading)));
        for (const [at, clip] of clips.entries()) {
          const { level: db, silence, perSyllable, medianPitch } = clip;
          const semitones = 12 * Math.log2(medianPitch / voice.pitch);
          const shown = `${voice.id}, ${texts[at]}: ${JSON.stringify({ db, silence, perSyllable, semitones })}`;
          assert.ok(db > -26 && db < -19, shown);
          assert.ok(silence < 0.4, shown);
          assert.ok(perSyllable > 0.1 && perSyllable < 0.35, shown);
          assert.ok(Math.abs(semitones) < 4, shown);
        }
        const median = (values: readonly number[]): number =>
          values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
        const off = 12 * Math.log2(median(clips.map(({ medianPitch }) => medianPitch)) / voice.pitch);
        assert.ok(Math.abs(off) < 1.5, `${voice.id}: ${off} semitones from its table`);
        t.diagnostic(
          `${voice.id}: ${off.toFixed(2)} semitones off, ${median(clips.map(({ level: db }) => db)).toFixed(1)} dB, ` +
            `${(100 * median(clips.map(({ silence }) => silence))).toFixed(0)} % silence, ` +
            `${(1_000 * median(clips.map(({ perSyllable }) => perSyllable))).toFixed(0)} ms a syllable`,
        );
      }
    });
});
