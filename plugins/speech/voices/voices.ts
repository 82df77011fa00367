/** The 71 voices: what the list of voices says of them, and the parameters by which the embedded engine makes them. */
import table from './voices.json' with { type: 'json' };

export const DIALECTS = ['표준어', '경상도', '전라도', '평양'] as const;
export type Dialect = (typeof DIALECTS)[number];

export interface Voice {
  readonly id: string;
  readonly name: string;
  readonly dialect: Dialect;
  /** The band in which the voice lies. */
  readonly register: 'high' | 'low';
  /** Median fundamental frequency in Hz. */
  readonly pitch: number;
  /** Formant frequencies in percent of the engine's own: a shorter vocal tract has higher ones. */
  readonly tract: number;
  /** Speed relative to 160 words a minute. */
  readonly rate: number;
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

/**
 * How far two voices lie apart: one unit is a semitone of pitch, 2.5 % of the formants, or 4 % of the speed. The table
 * keeps voices of one dialect and register at least 1.5 units apart.
 */
export function distance(a: Voice, b: Voice): number {
  return Math.hypot(12 * Math.log2(a.pitch / b.pitch), (a.tract - b.tract) / 2.5, (a.rate - b.rate) / 0.04);
}
