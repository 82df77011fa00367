/** Meaning of a text: the mean of its words' vectors in the table of `words`. */
import { inTurns } from 'plugboard/sdk';
import { segmentedInSteps } from '../analyzer/analyze.js';
import type { Segment } from '../analyzer/split.js';
import type { TermStatistics } from '../keyword/index.js';
import { inverseDocumentFrequency } from '../keyword/scoring.js';
import type { WeightOf } from './hashing.js';
import { toUnit } from './unit.js';
import { STRETCH, wordTable, type WordTable } from './words/word-table.js';

export const MEANING_DIMENSIONS = 64;

/** Words between two pauses. */
const STEP = 100;

/** Unit vector; all-zero if the table has none of the words. Yields to the event loop. */
export async function meaningOf(text: string, weightOf: WeightOf = () => 1): Promise<Float32Array> {
  const table = await wordTable();
  return inTurns(meaningInSteps(table, text, weightOf));
}

/** Weight of a query word, by its rarity in the owner's entries. */
export function rarityIn(pool: TermStatistics): WeightOf {
  return (word) => inverseDocumentFrequency(pool.documents, pool.documentFrequency(word));
}

function* meaningInSteps(
  table: WordTable,
  text: string,
  weightOf: WeightOf,
): Generator<undefined, Float32Array> {
  const sum = new Float32Array(MEANING_DIMENSIONS);
  const { segments } = yield* segmentedInSteps(text);
  for (const [at, { segment, count }] of counted(segments).entries()) {
    if (at % STEP === 0) yield;
    yield* addMeaning(table, sum, segment.text, count * weightOf(segment.text));
  }
  return toUnit(sum);
}

/** Distinct words with their counts: long texts repeat most of their words. */
export function counted(segments: readonly Segment[]): { segment: Segment; count: number }[] {
  const words = new Map<string, { segment: Segment; count: number }>();
  for (const segment of segments) {
    const word = words.get(segment.text);
    if (word === undefined) words.set(segment.text, { segment, count: 1 });
    else word.count += 1;
  }
  return [...words.values()];
}

/** Adds a word to a sum. Its parts together weigh as much as one word. */
export function* addMeaning(
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
