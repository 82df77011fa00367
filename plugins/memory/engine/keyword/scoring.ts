/** What one search adds up: the scores of the documents that have its words, by the formula in pool.ts. */
import { Largest } from '../base/largest.js';
import { FREQUENCY_BITS, MAX_FREQUENCY, type Postings } from './postings.js';

export const K1 = 1.2;
export const B = 0.4;
export const DELTA = 0.5;

/** Postings that one search looks at: about 10 ms. */
const MOST_POSTINGS = 2_000_000;

export interface WorthyList {
  readonly list: number;
  readonly worth: number;
}

/** A pool as a search sees it. */
export interface Corpus {
  readonly postings: Postings;
  /** Living documents that contain the term, by list number. */
  readonly frequencies: readonly number[];
  /** By document number. */
  readonly lengths: readonly number[];
  /** The shortest of the documents, or shorter. */
  readonly shortest: number;
  readonly documents: number;
  readonly totalLength: number;
}

/** Sums of one search, by document number; shared by every pool, because a search is synchronous. */
export interface Scratch {
  scores: Float64Array;
  matched: Uint32Array;
  /** What the word under way has given, and which word that is. */
  given: Float64Array;
  word: Uint32Array;
  /** The numbers of the documents that have any of the words. */
  touched: Uint32Array;
}

interface Wanted {
  /** How many of the best documents are asked for; Infinity: all. */
  readonly limit: number;
  readonly admits: (document: number) => boolean;
}

interface Found {
  /** The numbers of the documents that have any of the words; valid until the next search. */
  readonly touched: Uint32Array;
  /** The last of the wanted documents scores this, or more; -Infinity: not known. */
  readonly least: number;
}

/**
 * Adds up the score of each document that has any of the words, given by their posting lists, and returns these
 * documents. The rarest word comes first; from where on the words that are left could not lift a document above the best
 * ones found so far, they count for documents that have an earlier word too (Turtle and Flood, "Query Evaluation:
 * Strategies and Optimizations", IPM 1995): the best `limit` are the same.
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

/** A word that many documents have, which is one term: what it gives can be looked up for each of them. */
interface WordColumn {
  readonly frequencies: Uint8Array;
  readonly weight: number;
  /** What it gives at most. */
  readonly most: number;
  /** Its score for a single occurrence, by the document's length. */
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
 * The score that the last of the wanted documents has at least, with what the words in columns give it; -Infinity: there
 * are fewer.
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

/** Adds what a word gives the documents that have an earlier one. */
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
 * Adds what the postings of a list give, and returns how many documents are touched now. `place`: of the word, which has
 * other lists too and gives a document what the best of them does; undefined: it has this one. `known`: no document
 * that is new to the search.
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

/** Documents of fewer words than this have most of the postings. */
const SHORT = 64;

/** The score of a word with a single occurrence, by the document's length: most postings are such. */
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

/** As much as a word can give a document, or more. */
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

/** Where the lists are too long together, without the commonest words, which say least. */
function affordableWords<T extends readonly WorthyList[]>(words: readonly T[], corpus: Corpus): T[] {
  const kept = affordable(
    words.map((lists) => costOf(lists, corpus)),
    MOST_POSTINGS,
  );
  return words.filter((_, at) => kept.has(at));
}

/** The places of the cheapest, as many as cost no more than `most` together; one in any case. */
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

/** The weight of a term that `frequency` of `documents` contain; never negative. */
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
