/**
 * `words-320-v1`: the embedding that needs no configured model. What the words mean, by the table in `words`, and how
 * they are spelt, by hashing: the first finds "operated" for "surgery", the second what is misspelt or in no table.
 *
 * The stored vectors weigh words by how common they are in their language; how rare a word is in the owner's entries
 * weighs the query only. So a stored vector stays right while the entries around it come and go.
 */
import { inTurns } from 'plugboard/sdk';
import { segmentedInSteps, type Segment } from '../analyzer/analyze.js';
import type { Owner } from '../base/attributes.js';
import { inverseDocumentFrequency } from '../keyword/pool.js';
import type { TermStatistics } from '../keyword/index.js';
import type { Embedder } from './embedder.js';
import { addHashed, type WeightOf } from './hashing.js';
import { STRETCH, wordTable, type WordTable } from './words/word-table.js';
import { toUnit } from './unit.js';

/** Its name as a model. */
export const BUILT_IN = 'words-320-v1';

const MEANING = 64;
const SPELLING = 256;
/** The share of the spelling in a cosine. */
const SPELLING_SHARE = 0.2;

/** Words between two pauses. */
const STEP = 100;

export class BuiltInEmbedder implements Embedder {
  readonly source = 'static';
  readonly model = BUILT_IN;
  readonly dimensions = MEANING + SPELLING;
  readonly ownerDependent = true;
  readonly #statistics: (owner: Owner) => TermStatistics;

  /** `statistics`: how common words are among an owner's entries. */
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
    const pool = this.#statistics(owner);
    const weightOf = (term: string) => inverseDocumentFrequency(pool.documents, pool.documentFrequency(term));
    return inTurns(embed(table, text, weightOf));
  }
}

/** Pauses every few words. */
function* embed(table: WordTable, text: string, weightOf: WeightOf): Generator<undefined, Float32Array> {
  const meaning = new Float32Array(MEANING);
  const spelling = new Float32Array(SPELLING);
  const { segments } = yield* segmentedInSteps(text);
  for (const [at, { segment, count }] of counted(segments).entries()) {
    if (at % STEP === 0) yield;
    yield* addHashed(spelling, segment, (term) => count * weightOf(term));
    yield* addMeaning(table, meaning, segment.text, count * weightOf(segment.text));
  }
  const vector = new Float32Array(MEANING + SPELLING);
  vector.set(scaled(toUnit(meaning), Math.sqrt(1 - SPELLING_SHARE)));
  vector.set(scaled(toUnit(spelling), Math.sqrt(SPELLING_SHARE)), MEANING);
  return toUnit(vector);
}

/** Each word once, with how often it occurs: a long text repeats most of its words. */
function counted(segments: readonly Segment[]): { segment: Segment; count: number }[] {
  const words = new Map<string, { segment: Segment; count: number }>();
  for (const segment of segments) {
    const word = words.get(segment.text);
    if (word === undefined) words.set(segment.text, { segment, count: 1 });
    else word.count += 1;
  }
  return [...words.values()];
}

/** The parts of a word together count as much as one word. */
function* addMeaning(
  table: WordTable,
  sum: Float32Array,
  word: string,
  weight: number,
): Generator<undefined, void> {
  const rows = table.rowsOf(word.slice(0, STRETCH));
  for (let at = STRETCH; at < word.length; at += STRETCH) {
    yield;
    for (const row of table.rowsOf(word.slice(at, at + STRETCH))) rows.push(row);
  }
  for (const row of rows) table.add(sum, row, weight / Math.sqrt(rows.length));
}

function scaled(vector: Float32Array, by: number): Float32Array {
  return vector.map((value) => value * by);
}
