/**
 * Dialect presets: where the pitch of each word peaks, how far it moves, what is lengthened. They approximate the
 * prosody of a region by rules, without recordings.
 *
 * 경상도 has lexical pitch accent, most often on the penultimate syllable of the stem; 전라도 and 표준어 build accentual
 * phrases, 표준어 with a final rise (Jun 2005, Korean Intonational Phonology and Prosodic Transcription); 전라도
 * lengthens the end of a phrase; 평양 starts high and falls.
 */
import type { Dialect } from '../voices/voices.js';
import presets from './presets.json' with { type: 'json' };

type Place = 'initial' | 'second' | 'penultimate' | 'final';

export interface Preset {
  readonly accent: Place;
  /** The accent of the last word in a sentence. */
  readonly closing: Place;
  /** Ratio of the highest to the lowest pitch. */
  readonly span: number;
  /** The median relative to the middle between highest and lowest, measured over the voices. */
  readonly middle: number;
  readonly rate: number;
  /** Whether the last syllable before a pause is lengthened. */
  readonly lengthens: boolean;
}

export const PRESETS = presets as Readonly<Record<Dialect, Preset>>;

export interface WordContour {
  /** The syllable that carries the pitch accent, from 0. */
  readonly accent: number;
  /** The last syllable is long. */
  readonly isLong: boolean;
}

/** `length` and `stem` in syllables: particles are not accented. */
export function contourOf(
  preset: Preset,
  { length, stem, isLast, closes }: { length: number; stem: number; isLast: boolean; closes: boolean },
): WordContour {
  return {
    accent: syllableOf(isLast && closes ? preset.closing : preset.accent, length, stem),
    isLong: preset.lengthens && isLast,
  };
}

function syllableOf(place: Place, length: number, stem: number): number {
  switch (place) {
    case 'initial':
      return 0;
    case 'second':
      return Math.min(1, length - 1);
    case 'penultimate':
      return Math.max(0, stem - 2);
    case 'final':
      return length - 1;
  }
}
