/** What one search adds up: the scores of the documents that have its words, by the formula in pool.ts. */
import { TopK } from '../base/top-k.js';
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
}

interface Wanted {
  /** How many of the best documents are asked for; Infinity: all. */
  readonly limit: number;
  readonly admits: (document: number) => boolean;
}

/**
 * Adds up the score of each document that has any of the words, given by their posting lists, and returns the numbers
 * of these documents. The rarest word comes first; from where on the words that are left could not lift a document
 * above the best ones found so far, they count for documents that have an earlier word too (Turtle and Flood, "Query
 * Evaluation: Strategies and Optimizations", IPM 1995): the best `limit` are the same.
 */
export function accumulate(
  words: readonly (readonly WorthyList[])[],
  corpus: Corpus,
  scratch: Scratch,
  wanted: Wanted,
): number[] {
  fit(scratch, corpus.lengths.length);
  const touched: number[] = [];
  const ordered = affordableWords(words, corpus)
    .map((lists) => ({ lists, cost: costOf(lists, corpus), most: mostOf(lists, corpus) }))
    .sort((a, b) => b.most - a.most);
  let left = ordered.reduce((sum, { most }) => sum + most, 0);
  let known = false;
  for (const [at, { lists, cost, most }] of ordered.entries()) {
    if (!known && touched.length >= wanted.limit && cost > touched.length)
      known = left * Math.sqrt(ordered.length - at) < leastWanted(touched, scratch, wanted);
    addWord(lists, at + 1, corpus, scratch, known ? undefined : touched);
    left -= most;
  }
  return touched;
}

/** The score that the last of the wanted documents has already; -Infinity: there are fewer. */
function leastWanted(touched: readonly number[], { scores, matched }: Scratch, wanted: Wanted): number {
  const best = new TopK(wanted.limit, () => false);
  for (const document of touched) {
    const score = scores[document]! * Math.sqrt(matched[document]!);
    if (score > best.threshold && wanted.admits(document)) best.offer(document, score);
  }
  return best.threshold;
}

/** `touched` undefined: no document that is new to the search. */
function addWord(
  lists: readonly WorthyList[],
  place: number,
  { postings, frequencies, lengths, documents, totalLength }: Corpus,
  { scores, matched, given, word }: Scratch,
  touched: number[] | undefined,
): void {
  const base = K1 * (1 - B);
  const slope = (K1 * B * documents) / Math.max(1, totalLength);
  for (const { list, worth } of lists) {
    const weight = worth * inverseDocumentFrequency(documents, frequencies[list]!);
    const all = postings.of(list);
    for (let next = 0; next < all.length; next++) {
      const posting = all[next]!;
      const document = posting >>> FREQUENCY_BITS;
      if (touched === undefined && matched[document] === 0) continue;
      const frequency = posting & MAX_FREQUENCY;
      const score =
        weight * (((K1 + 1) * frequency) / (frequency + base + slope * lengths[document]!) + DELTA);
      if (word[document] !== place) {
        if (matched[document] === 0) touched?.push(document);
        matched[document]!++;
        word[document] = place;
        given[document] = score;
        scores[document]! += score;
      } else if (score > given[document]!) {
        scores[document]! += score - given[document]!;
        given[document] = score;
      }
    }
  }
}

/** More than a word can give a document. */
function mostOf(lists: readonly WorthyList[], { documents, frequencies }: Corpus): number {
  const weights = lists.map(
    ({ list, worth }) => worth * inverseDocumentFrequency(documents, frequencies[list]!),
  );
  return (K1 + 1 + DELTA) * Math.max(0, ...weights);
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
}
