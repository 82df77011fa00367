/** Sums up the scores of one search over the matching documents, by the formula in pool.ts. */
import { Largest } from '../base/largest.js';
import { FREQUENCY_BITS, MAX_FREQUENCY, type Postings } from './postings.js';

export const K1 = 1.2;
export const B = 0.4;
export const DELTA = 0.5;

/** Limit per search: postings visited, about 10 ms. */
const MOST_POSTINGS = 2_000_000;

export interface WorthyList {
  readonly list: number;
  readonly worth: number;
}

/** The pool data that a search reads. */
export interface Corpus {
  readonly postings: Postings;
  /** Document frequency of live documents, by list number. */
  readonly frequencies: readonly number[];
  /** Lengths by document number. */
  readonly lengths: readonly number[];
  /** A lower bound on the document lengths. */
  readonly shortest: number;
  readonly documents: number;
  readonly totalLength: number;
}

/** Accumulators of one search, by document number; shared by all pools, since a search is synchronous. */
export interface Scratch {
  scores: Float64Array;
  matched: Uint32Array;
  /** Contribution of the current word, and the number of that word. */
  given: Float64Array;
  word: Uint32Array;
  /** Numbers of the documents with any of the words. */
  touched: Uint32Array;
}

interface Wanted {
  /** Number of best documents required; Infinity: all. */
  readonly limit: number;
  readonly admits: (document: number) => boolean;
}

interface Found {
  /** Numbers of the documents with any of the words; valid until the next search. */
  readonly touched: Uint32Array;
  /** Lower bound on the score of the last wanted document; -Infinity: unknown. */
  readonly least: number;
}

/**
 * Adds up the score of each document that has any of the words, given by their posting lists, and returns these
 * documents. Rarest word first. Once the remaining words cannot lift a new document above the current best, they are
 * only added to documents already found (Turtle and Flood, "Query Evaluation: Strategies and Optimizations", IPM 1995):
 * the best `limit` are the same.
 */
export function accumulate(
  words: readonly (readonly WorthyList[])[],
  corpus: Corpus,
  scratch: Scratch,
  wanted: Wanted,
): Found {
  fit(scratch, corpus.lengths.length);
  let touched = 0;
  const ordered = affordableWords(words, corpus)
    .map((lists) => ({
      lists,
      cost: costOf(lists, corpus),
      most: mostOf(lists, corpus),
      column: columnOf(lists, corpus),
    }))
    .sort((a, b) => b.most - a.most);
  let left = ordered.reduce((sum, { most }) => sum + most, 0);
  let known = false;
  let least = -Infinity;
  for (const [at, { lists, cost, most, column }] of ordered.entries()) {
    if (!known && touched >= wanted.limit && cost > touched) {
      const columns = ordered.slice(at).flatMap((word) => word.column ?? []);
      least = leastWanted(scratch.touched.subarray(0, touched), corpus, scratch, wanted, columns);
      known = left * Math.sqrt(ordered.length - at) < least;
    }
    if (known && column !== undefined && cost > touched) {
      addColumn(column, scratch.touched.subarray(0, touched), corpus, scratch);
      continue;
    }
    const place = lists.length === 1 ? undefined : at + 1;
    for (const list of lists) touched = addList(list, place, corpus, scratch, { touched, known });
    left -= most;
  }
  return { touched: scratch.touched.subarray(0, touched), least };
}

/** A frequent word with a single term: its contribution can be looked up by document. */
interface WordColumn {
  readonly frequencies: Uint8Array;
  readonly weight: number;
  /** Upper bound on its contribution. */
  readonly most: number;
  /** Its score for a single occurrence, by document length. */
  readonly once: Float64Array;
}

function columnOf(lists: readonly WorthyList[], corpus: Corpus): WordColumn | undefined {
  const [first] = lists;
  if (first === undefined || lists.length > 1) return undefined;
  const frequencies = corpus.postings.column(first.list, corpus.lengths.length);
  if (frequencies === undefined) return undefined;
  const weight = weightOf(first, corpus);
  return { frequencies, weight, most: mostOf(lists, corpus), once: onceByLength(weight, slopeOf(corpus)) };
}

/**
 * Lower bound on the score of the last wanted document, including the words in columns; -Infinity if there are fewer
 * documents.
 */
function leastWanted(
  touched: Uint32Array,
  corpus: Corpus,
  { scores, matched }: Scratch,
  wanted: Wanted,
  columns: readonly WordColumn[],
): number {
  const { lengths } = corpus;
  const slope = slopeOf(corpus);
  const best = new Largest(wanted.limit);
  let { least } = best;
  const most = columns.reduce((sum, column) => sum + column.most, 0);
  for (let at = 0; at < touched.length; at++) {
    const document = touched[at]!;
    let sum = scores[document]!;
    let words = matched[document]!;
    if ((sum + most) * Math.sqrt(words + columns.length) <= least) continue;
    for (let next = 0; next < columns.length; next++) {
      const column = columns[next]!;
      const frequency = column.frequencies[document]!;
      if (frequency === 0) continue;
      sum += givenBy(column, frequency, lengths[document]!, slope);
      words += 1;
    }
    const score = sum * Math.sqrt(words);
    if (score <= least || !wanted.admits(document)) continue;
    best.offer(score);
    least = best.least;
  }
  return least;
}

/** Adds a word's contribution to documents already found. */
function addColumn(
  column: WordColumn,
  touched: Uint32Array,
  corpus: Corpus,
  { scores, matched }: Scratch,
): void {
  const { lengths } = corpus;
  const slope = slopeOf(corpus);
  for (let at = 0; at < touched.length; at++) {
    const document = touched[at]!;
    const frequency = column.frequencies[document]!;
    if (frequency === 0) continue;
    scores[document]! += givenBy(column, frequency, lengths[document]!, slope);
    matched[document]! += 1;
  }
}

function givenBy({ weight, once }: WordColumn, frequency: number, length: number, slope: number): number {
  return frequency === 1 && length < SHORT ? once[length]! : scoreOf(weight, frequency, slope * length);
}

/**
 * Adds a list's contributions and returns the number of touched documents. `place`: number of a word with several
 * lists, of which the best one counts; undefined: it has only this list. `known`: skips documents that are not touched
 * yet.
 */
function addList(
  word: WorthyList,
  place: number | undefined,
  corpus: Corpus,
  { scores, matched, given, word: words, touched: documents }: Scratch,
  { touched, known }: { touched: number; known: boolean },
): number {
  const { postings, lengths } = corpus;
  const weight = weightOf(word, corpus);
  const slope = slopeOf(corpus);
  const once = onceByLength(weight, slope);
  const all = postings.of(word.list);
  for (let next = 0; next < all.length; next++) {
    const posting = all[next]!;
    const document = posting >>> FREQUENCY_BITS;
    const before = matched[document]!;
    if (known && before === 0) continue;
    const frequency = posting & MAX_FREQUENCY;
    const length = lengths[document]!;
    const score =
      frequency === 1 && length < SHORT ? once[length]! : scoreOf(weight, frequency, slope * length);
    if (place !== undefined) {
      if (words[document] === place) {
        if (score <= given[document]!) continue;
        scores[document]! += score - given[document]!;
        given[document] = score;
        continue;
      }
      words[document] = place;
      given[document] = score;
    }
    if (before === 0) documents[touched++] = document;
    matched[document] = before + 1;
    scores[document]! += score;
  }
  return touched;
}

/** Most postings are of documents with fewer words than this. */
const SHORT = 64;

/** A word's score for a single occurrence, by document length; most postings have one. */
function onceByLength(weight: number, slope: number): Float64Array {
  const once = new Float64Array(SHORT);
  for (let length = 0; length < SHORT; length++) once[length] = scoreOf(weight, 1, slope * length);
  return once;
}

function weightOf({ list, worth }: WorthyList, { documents, frequencies }: Corpus): number {
  return worth * inverseDocumentFrequency(documents, frequencies[list]!);
}

function scoreOf(weight: number, frequency: number, sloped: number): number {
  return weight * (((K1 + 1) * frequency) / (frequency + K1 * (1 - B) + sloped) + DELTA);
}

function slopeOf({ documents, totalLength }: Corpus): number {
  return (K1 * B * documents) / Math.max(1, totalLength);
}

/** Upper bound on a word's contribution to a document. */
function mostOf(lists: readonly WorthyList[], corpus: Corpus): number {
  const { postings, shortest } = corpus;
  const sloped = slopeOf(corpus) * shortest;
  const scores = lists.map((word) =>
    scoreOf(weightOf(word, corpus), postings.mostFrequent(word.list), sloped),
  );
  return Math.max(0, ...scores);
}

function costOf(lists: readonly WorthyList[], { postings }: Corpus): number {
  return lists.reduce((sum, { list }) => sum + postings.length(list), 0);
}

/** If the lists are too long in total, leaves out the most frequent words, which are least informative. */
function affordableWords<T extends readonly WorthyList[]>(words: readonly T[], corpus: Corpus): T[] {
  const kept = affordable(
    words.map((lists) => costOf(lists, corpus)),
    MOST_POSTINGS,
  );
  return words.filter((_, at) => kept.has(at));
}

/** Indexes of the cheapest items whose total cost is at most `most`; always at least one. */
export function affordable(costs: readonly number[], most: number): ReadonlySet<number> {
  let left = most;
  const kept = new Set<number>();
  for (const { cost, at } of costs.map((cost, at) => ({ cost, at })).sort((a, b) => a.cost - b.cost)) {
    if (cost > left && kept.size > 0) break;
    left -= cost;
    kept.add(at);
  }
  return kept;
}

/** The weight of a term with document frequency `frequency` among `documents`; never negative. */
export function inverseDocumentFrequency(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

function fit(scratch: Scratch, documents: number): void {
  if (scratch.scores.length >= documents) return;
  const capacity = Math.ceil(documents * 1.5);
  scratch.scores = new Float64Array(capacity);
  scratch.matched = new Uint32Array(capacity);
  scratch.given = new Float64Array(capacity);
  scratch.word = new Uint32Array(capacity);
  scratch.touched = new Uint32Array(capacity);
}
