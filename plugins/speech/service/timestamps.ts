/** When each sentence and each word is heard, and its place in the input. */
import type { Reading } from '../reading/reading.js';
import type { Granularity } from '../schema.js';
import type { SpokenSound } from './sentences.js';

/** In seconds of the whole; `from` and `to` are indexes into the input. */
export interface Timestamp {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

export interface Timestamps {
  readonly segments?: readonly (Timestamp & { readonly text: string })[];
  readonly words?: readonly (Timestamp & { readonly word: string })[];
}

/** How much longer a syllable is with a final consonant. */
const CODA = 0.45;

/** Called with the sentences of a reading in order. */
export class Timeline {
  readonly #reading: Reading;
  readonly #granularities: readonly Granularity[];
  /** The index after the last word found in the normalised text. */
  #cursor = 0;

  constructor(reading: Reading, granularities: readonly Granularity[]) {
    this.#reading = reading;
    this.#granularities = granularities;
  }

  /** `start`, in milliseconds, is where the sentence begins. */
  of(sound: SpokenSound, start: number): Timestamps {
    const words = this.#words(sound, start);
    const [first] = words;
    const last = words.at(-1);
    const has = (granularity: Granularity): boolean => this.#granularities.includes(granularity);
    return {
      ...(has('segment') &&
        first !== undefined &&
        last !== undefined && {
          segments: [
            { text: sound.sentence.text, start: first.start, end: last.end, from: first.from, to: last.to },
          ],
        }),
      ...(has('word') && { words }),
    };
  }

  #words(sound: SpokenSound, start: number): (Timestamp & { word: string })[] {
    const { clauses } = sound.sentence;
    const written = clauses.flatMap(({ words }) => words.map((word) => word.written));
    const times = timesOf(sound);
    return written.map((word, at) => ({
      word,
      start: seconds(start + (times[at]?.start ?? 0)),
      end: seconds(start + (times[at]?.end ?? 0)),
      ...this.#placeOf(word),
    }));
  }

  /** Everything between two words is silent, so the next occurrence is the word. */
  #placeOf(word: string): { from: number; to: number } {
    const { normalised, places } = this.#reading;
    const at = normalised.indexOf(word, this.#cursor);
    if (at < 0) return { from: 0, to: 0 };
    this.#cursor = at + word.length;
    return { from: places[at]?.from ?? 0, to: places[this.#cursor - 1]?.to ?? 0 };
  }
}

/** By the engine's times, else by the lengths of the words. */
function timesOf({
  sentence: { clauses },
  words: starts,
  spans,
}: SpokenSound): { start: number; end: number }[] {
  const isByClause = spans.length === clauses.length;
  const groups = isByClause ? clauses.map(({ words }) => words) : [clauses.flatMap(({ words }) => words)];
  const count = groups.reduce((sum, words) => sum + words.length, 0);
  let before = 0;
  return groups.flatMap((words, group) => {
    const span = spans[group] ?? { start: 0, end: 0 };
    const sizes = words.map(({ spoken }) => sizeOf(spoken));
    const scale = (span.end - span.start) / sizes.reduce((sum, size) => sum + size, 0);
    let at = span.start;
    const begins = words.map((_, index) => {
      const begin = starts.length === count ? (starts[before + index] ?? at) : at;
      at += (sizes[index] ?? 0) * scale;
      return Math.max(span.start, Math.min(begin, span.end));
    });
    before += words.length;
    return begins.map((begin, index) => ({ start: begin, end: begins[index + 1] ?? span.end }));
  });
}

/** In syllables. */
function sizeOf(spoken: string): number {
  let size = 0;
  for (const character of spoken) size += (character.charCodeAt(0) - 0xac00) % 28 === 0 ? 1 : 1 + CODA;
  return size;
}

function seconds(ms: number): number {
  return Math.round(ms) / 1_000;
}
