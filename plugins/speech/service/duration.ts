/** How long a text will sound before it is spoken: measured on the embedded engine over all voices. */
import { PRESETS } from '../dialects/contour.js';
import type { Reading } from '../reading/reading.js';
import type { Voice } from '../voices/voices.js';

/** Seconds at speed 1. */
const SYLLABLE = 0.162;
const CLAUSE = 0.2;
const SENTENCE = 0.25;
/** The factor between a call's hold and its likely cost: no sentence was measured to last longer. */
const MARGIN = { factor: 1.6, seconds: 1 };

export function estimateSeconds({ sentences, syllables }: Reading, speed: number, voice?: Voice): number {
  const clauses = sentences.reduce((sum, sentence) => sum + sentence.pauses, 0);
  const rate = voice === undefined ? 1 : voice.rate * PRESETS[voice.dialect].rate;
  return (syllables * SYLLABLE + clauses * CLAUSE + sentences.length * SENTENCE) / (speed * rate);
}

/** Milliseconds that are held for the call until its length is known. */
export function holdFor(estimate: number): number {
  return Math.ceil((estimate * MARGIN.factor + MARGIN.seconds) * 1_000);
}
