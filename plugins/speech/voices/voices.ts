/** The 71 voices: their entries in the list of voices, and their parameters for the embedded engine. */
import timbres from './timbres.json' with { type: 'json' };
import table from './voices.json' with { type: 'json' };

export const DIALECTS = ['표준어', '경상도', '전라도', '평양'] as const;
export type Dialect = (typeof DIALECTS)[number];

export type Age = 'child' | 'young' | 'adult' | 'old';
export type Timbre = keyof typeof timbres;

/** For each timbre, pairs of frequency and gain, as in a voice variant of eSpeak NG. */
export const TIMBRES: Readonly<Record<Timbre, string>> = timbres;

export interface Voice {
  readonly id: string;
  readonly name: string;
  readonly dialect: Dialect;
  /** The band of the voice. */
  readonly register: 'high' | 'low';
  /** How old the voice sounds: no table of ids says so, but some names and all listeners do. */
  readonly age: Age;
  /** Median fundamental frequency in Hz. */
  readonly pitch: number;
  /** Formant frequencies in percent of the engine's own: a shorter vocal tract has higher ones. */
  readonly tract: number;
  /** Speed relative to 160 words a minute. */
  readonly rate: number;
  /** Spectral tilt: each step is 2 to 3 dB between the bands below and above 1 kHz. */
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

/** Level below 1 kHz relative to 1 to 5 kHz in dB, measured at 110 Hz. */
const TILT: Readonly<Record<Timbre, number>> = { dark: 10.5, soft: 7.9, plain: 5.3, bright: 2, sharp: -1.1 };

/**
 * The distance of two voices by their table: one unit is 1.5 semitones of pitch, 6 % of the formants, 10 % of speed, or
 * 3 dB of the tilt. `test/plugins/speech/sound` measures the same on the sound.
 */
export function distance(a: Voice, b: Voice): number {
  return Math.hypot(
    (12 * Math.log2(a.pitch / b.pitch)) / 1.5,
    (100 * Math.log(a.tract / b.tract)) / 6,
    (100 * Math.log(a.rate / b.rate)) / 10,
    (TILT[a.timbre] - TILT[b.timbre]) / 3,
  );
}
