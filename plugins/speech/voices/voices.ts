/** The 71 voices: what the list of voices says of them, and the parameters by which the embedded engine makes them. */
import timbres from './timbres.json' with { type: 'json' };
import table from './voices.json' with { type: 'json' };

export const DIALECTS = ['표준어', '경상도', '전라도', '평양'] as const;
export type Dialect = (typeof DIALECTS)[number];

export type Age = 'child' | 'young' | 'adult' | 'old';
export type Timbre = keyof typeof timbres;

/** For each timbre, pairs of a frequency and a gain, as a voice variant of eSpeak NG has them. */
export const TIMBRES: Readonly<Record<Timbre, string>> = timbres;

export interface Voice {
  readonly id: string;
  readonly name: string;
  readonly dialect: Dialect;
  /** The band in which the voice lies. */
  readonly register: 'high' | 'low';
  /** How old the voice sounds: no table of ids says so, but some names and all listeners do. */
  readonly age: Age;
  /** Median fundamental frequency in Hz. */
  readonly pitch: number;
  /** Formant frequencies in percent of the engine's own: a shorter vocal tract has higher ones. */
  readonly tract: number;
  /** Speed relative to 160 words a minute. */
  readonly rate: number;
  /** How the spectrum slopes: each step is 2 to 3 dB between what lies below 1 kHz and above. */
  readonly timbre: Timbre;
  /** 0 to 100. */
  readonly breath: number;
  /** 0 to 7. */
  readonly roughness: number;
}

export const VOICES = table as readonly Voice[];

const BY_ID = new Map(VOICES.map((voice) => [voice.id, voice]));

export function voiceById(id: string): Voice | undefined {
  return BY_ID.get(id);
}

/** dB below 1 kHz beside 1 to 5 kHz, measured at 110 Hz. */
const TILT: Readonly<Record<Timbre, number>> = { dark: 10.5, soft: 7.9, plain: 5.3, bright: 2, sharp: -1.1 };

/**
 * How far two voices lie apart by their table: one unit is 1.5 semitones of pitch, 6 % of the formants, 10 % of the
 * speed, or 3 dB of the slope. `test/plugins/speech/sound` measures the same on the sound.
 */
export function distance(a: Voice, b: Voice): number {
  return Math.hypot(
    (12 * Math.log2(a.pitch / b.pitch)) / 1.5,
    (100 * Math.log(a.tract / b.tract)) / 6,
    (100 * Math.log(a.rate / b.rate)) / 10,
    (TILT[a.timbre] - TILT[b.timbre]) / 3,
  );
}
