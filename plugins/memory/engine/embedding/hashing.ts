/** Signed feature hashing (Weinberger et al., ICML 2009) of words and of their character 3- to 5-grams. */
import { pushRun } from '../analyzer/analyze.js';
import type { Segment } from '../analyzer/split.js';

const SHORTEST_GRAM = 3;
const LONGEST_GRAM = 5;

/** Words, or characters of scripts without spaces, between two pauses. */
const STEP = 100;
/** Letters of a word between two pauses. */
const LONG = 1_000;

/** The weight of a word, shared by the word and its grams. */
export type WeightOf = (word: string) => number;

/** Adds a word, or a run of a script without spaces, to a vector whose length is a power of 2. */
export function* addHashed(
  vector: Float32Array,
  { text, spaced }: Segment,
  weightOf: WeightOf,
): Generator<undefined, void> {
  if (spaced) yield* addWord(vector, text, weightOf(text));
  else yield* addRun(vector, text, weightOf);
}

function* addWord(vector: Float32Array, word: string, weight: number): Generator<undefined, void> {
  add(vector, word, weight);
  // the markers distinguish grams at the ends of a word from those inside it
  const marked = `<${word}>`;
  for (let size = SHORTEST_GRAM; size <= LONGEST_GRAM; size++) {
    for (let at = 0; at + size <= marked.length; at++) {
      if (at % LONG === LONG - 1) yield;
      add(vector, `#${marked.slice(at, at + size)}`, weight);
    }
  }
}

/** Runs without spaces have only bigrams, which already are their words. */
function* addRun(vector: Float32Array, run: string, weightOf: WeightOf): Generator<undefined, void> {
  const terms: string[] = [];
  pushRun(run, terms);
  for (const [at, term] of terms.entries()) {
    if (at % STEP === 0) yield;
    add(vector, term, weightOf(term));
  }
}

/** FNV-1a over the UTF-16 units with a final mix; the top bit is the sign. */
function add(vector: Float32Array, feature: string, weight: number): void {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at++) hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash ^= hash >>> 13;
  vector[hash & (vector.length - 1)]! += hash < 0 ? -weight : weight;
}
