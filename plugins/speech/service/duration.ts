/**
 * Estimates how long a text will sound. The seconds are fitted to the embedded engine over all voices, where a sentence
 * is within 13 % of its estimate.
 */
import type { Pauses } from '../audio/pauses.js';
import type { Engine } from '../engines/engine.js';
import { PRESETS } from '../dialects/contour.js';
import type { Reading } from '../reading/reading.js';
import type { Voice } from '../voices/voices.js';

/** Seconds at speed 1. */
const SYLLABLE = 0.141;
const CODA = 0.063;
const WORD = 0.056;
const CLAUSE = 0.11;

export interface Pace {
  readonly speed: number;
  readonly voice?: Voice;
  readonly pauses: Pauses;
}

/** Seconds. */
export function estimateSeconds({ sentences }: Reading, { speed, voice, pauses }: Pace): number {
  const rate = voice === undefined ? 1 : voice.rate * PRESETS[voice.dialect].rate;
  let sound = 0;
  let silence = pauses.release;
  for (const { syllables, codas, words, commas, break: after } of sentences) {
    sound += syllables * SYLLABLE + codas * CODA + words * WORD + (commas + 1) * CLAUSE;
    silence += commas * pauses.comma + pauses[after];
  }
  // After the last sentence there is only the release.
  silence -= pauses[sentences.at(-1)?.break ?? 'sentence'];
  return (sound / rate + silence / 1_000) / speed;
}

/** Milliseconds to hold for a call: the most that the engines which may speak it were measured to take. */
export function holdFor(estimate: number, engines: readonly Engine[]): number {
  const most = engines.map(({ margin }) => estimate * margin.factor + margin.seconds);
  return Math.ceil(Math.max(0, ...most) * 1_000);
}
