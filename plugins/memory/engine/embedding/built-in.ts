/**
 * `words-320-v1`: the embedding that requires no configured model. Combines word meaning, from the table in `words`,
 * with spelling, by hashing: meaning finds "operated" for "surgery", hashing finds misspelt and unknown words. Stored
 * vectors weigh words by their frequency in the language; only the query is weighed by their rarity in the owner's
 * entries. So a stored vector stays valid while other entries come and go.
 */
import { inTurns } from 'plugboard/sdk';
import { segmentedInSteps } from '../analyzer/analyze.js';
import type { Owner } from '../base/attributes.js';
import type { TermStatistics } from '../keyword/index.js';
import type { Embedder } from './embedder.js';
import { addHashed, type WeightOf } from './hashing.js';
import { addMeaning, counted, MEANING_DIMENSIONS, rarityIn } from './meaning.js';
import { toUnit } from './unit.js';
import { wordTable, type WordTable } from './words/word-table.js';

/** Its model name. */
export const BUILT_IN = 'words-320-v1';

const SPELLING = 256;
/** Share of the spelling in the cosine. */
const SPELLING_SHARE = 0.2;

/** Words between two pauses. */
const STEP = 100;

export class BuiltInEmbedder implements Embedder {
  readonly source = 'static';
  readonly model = BUILT_IN;
  readonly dimensions = MEANING_DIMENSIONS + SPELLING;
  readonly ownerDependent = true;
  readonly #statistics: (owner: Owner) => TermStatistics;

  /** `statistics`: how frequent words are in an owner's entries. */
  constructor(statistics: (owner: Owner) => TermStatistics) {
    this.#statistics = statistics;
  }

  async embedDocuments(texts: readonly string[]): Promise<Float32Array[]> {
    const table = await wordTable();
    const vectors: Float32Array[] = [];
    for (const text of texts) vectors.push(await inTurns(embed(table, text, () => 1)));
    return vectors;
  }

  async embedQuery(text: string, owner: Owner): Promise<Float32Array> {
    const table = await wordTable();
    return inTurns(embed(table, text, rarityIn(this.#statistics(owner))));
  }
}

/** Pauses every few words. */
function* embed(table: WordTable, text: string, weightOf: WeightOf): Generator<undefined, Float32Array> {
  const meaning = new Float32Array(MEANING_DIMENSIONS);
  const spelling = new Float32Array(SPELLING);
  const { segments } = yield* segmentedInSteps(text);
  for (const [at, { segment, count }] of counted(segments).entries()) {
    if (at % STEP === 0) yield;
    yield* addHashed(spelling, segment, (term) => count * weightOf(term));
    yield* addMeaning(table, meaning, segment.text, count * weightOf(segment.text));
  }
  const vector = new Float32Array(MEANING_DIMENSIONS + SPELLING);
  vector.set(scaled(toUnit(meaning), Math.sqrt(1 - SPELLING_SHARE)));
  vector.set(scaled(toUnit(spelling), Math.sqrt(SPELLING_SHARE)), MEANING_DIMENSIONS);
  return toUnit(vector);
}

function scaled(vector: Float32Array, by: number): Float32Array {
  return vector.map((value) => value * by);
}
