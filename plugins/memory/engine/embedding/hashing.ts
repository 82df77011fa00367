/**
 * `hash-1024-v2`: the embedding that needs no model. Signed feature hashing (Weinberger et al., ICML 2009) of
 * the words and of their character 3- to 5-grams into 1,024 dimensions.
 *
 * The stored vectors weigh all features alike; how rare a word is in the owner's entries weighs the query only.
 * So a stored vector stays right while the entries around it come and go.
 */
import { inTurns } from 'plugboard/sdk';
import { pushRun, segmentedInSteps } from '../analyzer/analyze.js';
import type { Owner } from '../base/attributes.js';
import { inverseDocumentFrequency } from '../keyword/pool.js';
import type { TermStatistics } from '../keyword/index.js';
import type { Embedder } from './embedder.js';
import { toUnit } from './unit.js';

/** Its name as a model. */
export const HASHING = 'hash-1024-v2';

const DIMENSIONS = 1024;
const SHORTEST_GRAM = 3;
const LONGEST_GRAM = 5;

/** A word and its grams share the word's weight. */
type WeightOf = (word: string) => number;

export class HashingEmbedder implements Embedder {
  readonly source = 'static';
  readonly model = HASHING;
  readonly dimensions = DIMENSIONS;
  readonly ownerDependent = true;
  readonly #statistics: (owner: Owner) => TermStatistics;

  /** `statistics`: how common words are among an owner's entries. */
  constructor(statistics: (owner: Owner) => TermStatistics) {
    this.#statistics = statistics;
  }

  async embedDocuments(texts: readonly string[]): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const text of texts) vectors.push(await inTurns(embed(text, () => 1)));
    return vectors;
  }

  async embedQuery(text: string, owner: Owner): Promise<Float32Array> {
    const pool = this.#statistics(owner);
    const weightOf = (term: string) => inverseDocumentFrequency(pool.documents, pool.documentFrequency(term));
    return inTurns(embed(text, weightOf));
  }
}

/** Pauses every few words. */
function* embed(text: string, weightOf: WeightOf): Generator<undefined, Float32Array> {
  const vector = new Float32Array(DIMENSIONS);
  const { segments } = yield* segmentedInSteps(text);
  for (const [at, { text: run, spaced }] of segments.entries()) {
    if (at % STEP === 0) yield;
    if (spaced) yield* addWord(vector, run, weightOf);
    else yield* addRun(vector, run, weightOf);
  }
  return toUnit(vector);
}

/** Words, or characters of a script without spaces, between two pauses. */
const STEP = 100;
/** Letters of a word between two pauses. */
const LONG = 1_000;

function* addWord(vector: Float32Array, word: string, weightOf: WeightOf): Generator<undefined, void> {
  const weight = weightOf(word);
  add(vector, word, weight);
  // the marks keep the grams of beginnings and ends apart from those inside a word
  const marked = `<${word}>`;
  for (let size = SHORTEST_GRAM; size <= LONGEST_GRAM; size++) {
    for (let at = 0; at + size <= marked.length; at++) {
      if (at % LONG === LONG - 1) yield;
      add(vector, `#${marked.slice(at, at + size)}`, weight);
    }
  }
}

/** A script without spaces has only its bigrams: they are its words already. */
function* addRun(vector: Float32Array, run: string, weightOf: WeightOf): Generator<undefined, void> {
  const terms: string[] = [];
  pushRun(run, terms);
  for (const [at, term] of terms.entries()) {
    if (at % STEP === 0) yield;
    add(vector, term, weightOf(term));
  }
}

/** FNV-1a over the UTF-16 units, with a final mix; the top bit gives the sign. */
function add(vector: Float32Array, feature: string, weight: number): void {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at++) hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash ^= hash >>> 13;
  vector[hash & (DIMENSIONS - 1)]! += hash < 0 ? -weight : weight;
}
