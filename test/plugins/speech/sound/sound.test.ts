import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { joinParts } from '../../../../plugins/speech/audio/pauses.js';
import { EmbeddedEngine } from '../../../../plugins/speech/engines/embedded/embedded.js';
import type { PhonemeTime } from '../../../../plugins/speech/engines/engine.js';
import { read } from '../../../../plugins/speech/reading/reading.js';
import { VOICES, type Dialect, type Voice } from '../../../../plugins/speech/voices/voices.js';
import { root } from '../../../support/fixtures.js';
import {
  envelopeOf,
  formantShift,
  loudnessOf,
  pitchOf,
  slopeOf,
  type Envelope,
  type Loudness,
  type Pitch,
} from './analysis.js';
import sentences from './sentences.json' with { type: 'json' };

interface Spoken {
  readonly pcm: Int16Array;
  readonly sampleRate: number;
  readonly timing: readonly PhonemeTime[];
  readonly syllables: number;
}

interface Measured extends Loudness, Pitch {
  readonly timing: readonly PhonemeTime[];
  readonly envelope: Envelope;
  /** dB. */
  readonly slope: number;
}

const SENTENCE = '우리는 바람이 부는 강가에서 노래를 부릅니다.';

describe('the sound of the embedded engine', () => {
  const engine = new EmbeddedEngine(join(root, 'engines/espeak-ng/main.js'), 1, {
    base: 60_000,
    perSyllable: 0,
  });
  const measured = new Map<string, Measured>();

  const speak = async (voice: Voice, text: string): Promise<Spoken> => {
    const reading = await read(text);
    const [sentence] = reading.sentences;
    assert.ok(sentence);
    const { parts, sampleRate } = await engine.speak(
      { sentence, voice, speed: 1 },
      new AbortController().signal,
    );
    const { pcm, timing } = await joinParts(parts, sampleRate, 140);
    return { pcm, sampleRate, timing, syllables: reading.syllables };
  };
  const measure = async (voice: Voice): Promise<Measured> => {
    const { pcm, sampleRate, timing } = await speak(voice, SENTENCE);
    const envelope = envelopeOf(pcm, sampleRate);
    const slope = slopeOf(pcm, sampleRate);
    return { ...loudnessOf(pcm, sampleRate), ...pitchOf(pcm, sampleRate), envelope, slope, timing };
  };
  const of = (voice: Voice): Measured => {
    const found = measured.get(voice.id);
    assert.ok(found);
    return found;
  };

  before(async () => {
    await Promise.all(VOICES.map(async (voice) => measured.set(voice.id, await measure(voice))));
  });
  after(() => engine.close());

  test('all 71 voices have the pitch of the table, speech level, and little silence', () => {
    for (const voice of VOICES) {
      const { medianPitch, level: db, peak, silence, lead, tail, pitchRange } = of(voice);
      const semitones = 12 * Math.log2(medianPitch / voice.pitch);
      assert.ok(Math.abs(semitones) < 1.5, `${voice.id}: ${medianPitch} Hz instead of ${voice.pitch}`);
      assert.ok(db > -24 && db < -19, `${voice.id}: ${db} dB`);
      assert.ok(peak > 0.2 && peak <= 0.96, `${voice.id}: peak ${peak}`);
      assert.ok(silence < 0.3, `${voice.id}: silence ${silence}`);
      assert.ok(lead < 0.15 && tail < 0.15, `${voice.id}: ${lead} s before, ${tail} s after`);
      assert.ok(pitchRange > 1.5 && pitchRange < 12, `${voice.id}: range ${pitchRange}`);
    }
  });

  test('50 sentences, each in another voice, sound for as long as their syllables take', async () => {
    assert.equal(sentences.length, 50);
    await Promise.all(
      sentences.map(async (text, at) => {
        const voice = VOICES[(at * 7) % VOICES.length];
        assert.ok(voice);
        const { pcm, sampleRate, syllables } = await speak(voice, text);
        const { duration, silence, level: db } = loudnessOf(pcm, sampleRate);
        const perSyllable = duration / syllables;
        assert.ok(
          perSyllable > 0.11 && perSyllable < 0.32,
          `${text} ${voice.id}: ${perSyllable} s a syllable`,
        );
        assert.ok(silence < 0.4 && db > -26 && db < -19, `${text} ${voice.id}: ${silence} ${db}`);
      }),
    );
  });

  test('voices of one dialect differ in what is heard', () => {
    let closest = { units: Infinity, pair: '' };
    for (const [at, one] of VOICES.entries())
      for (const other of VOICES.slice(at + 1)) {
        if (one.dialect !== other.dialect) continue;
        const [a, b] = [of(one), of(other)];
        // The units of the table: 1.5 semitones, 10 % of the speed, 6 % of the formants, 3 dB of the slope.
        const units = Math.hypot(
          (12 * Math.log2(a.medianPitch / b.medianPitch)) / 1.5,
          (100 * Math.log(a.duration / b.duration)) / 10,
          (100 * formantShift(a.envelope, b.envelope) * Math.LN2) / 6,
          (a.slope - b.slope) / 3,
        );
        if (units < closest.units) closest = { units, pair: `${one.id} ${other.id}` };
      }
    assert.ok(closest.units >= 1, `${closest.pair}: ${closest.units}`);
  });

  test('the contours of the four dialects differ by what their presets say', (t) => {
    const mean = (dialect: Dialect, value: (spoken: Measured) => number): number => {
      const own = VOICES.filter((voice) => voice.dialect === dialect).map((voice) => value(of(voice)));
      return own.reduce((sum, one) => sum + one, 0) / own.length;
    };
    const table = (['표준어', '경상도', '전라도', '평양'] as const).map((dialect) => ({
      dialect,
      range: mean(dialect, ({ pitchRange }) => pitchRange),
      fall: mean(dialect, finalFall),
      end: mean(dialect, lastSyllable),
    }));
    const [standard, gyeongsang, jeolla, pyongyang] = table;
    assert.ok(standard && gyeongsang && jeolla && pyongyang);
    const shown = JSON.stringify(table);
    t.diagnostic(shown);
    // 평양 moves most, 경상도 holds its pitch until the end and falls late, 전라도 draws the last syllable out.
    assert.ok(pyongyang.range > standard.range + 1, shown);
    assert.ok(gyeongsang.fall > standard.fall + 0.03, shown);
    assert.ok(jeolla.end > 1.3 * standard.end, shown);
  });
});

/** Where in the voiced part the pitch leaves its upper half for the last time. */
function finalFall({ pitch, medianPitch }: Measured): number {
  const voiced = pitch.filter((hz) => hz > 0);
  const lowest = [...voiced].sort((a, b) => a - b)[Math.floor(0.03 * voiced.length)] ?? 0;
  const middle = Math.sqrt(medianPitch * lowest);
  return voiced.findLastIndex((hz) => hz > middle) / voiced.length;
}

/** Seconds of the last syllable, 다, relative to the mean phoneme. */
function lastSyllable({ timing, duration }: Measured): number {
  const start = timing.findLast(({ phoneme }) => phoneme === 'd')?.at ?? 0;
  return ((duration - start / 1_000) * timing.length) / duration;
}
