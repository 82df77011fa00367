/**
 * One owner's keyword index: BM25+ over posting lists.
 *
 * score(d, q) = sqrt(m) * sum over words t of idf(t) * ((k1 + 1) * tf / (tf + k1 * (1 - b + b * |d| / avg)) + delta)
 * with idf(t) = ln(1 + (N - df + 0.5) / (df + 0.5)), and m the number of query words in d. If a word has several terms
 * (stems in several languages, compounds), the one with the highest score for d counts.
 * BM25+: Lv and Zhai, "Lower-Bounding Term Frequency Normalization", CIKM 2011. The factor sqrt(m) (coordination) and b
 * below its usual 0.75 suit entries of one or two sentences.
 */
import { isCommon, type Alternatives, type Analysis } from '../analyzer/analyze.js';
import type { Language } from '../analyzer/language.js';
import type { EntryAttributes, EntryFilter, Hit } from '../base/attributes.js';
import { TopK } from '../base/top-k.js';
import { Compounds } from './compounds.js';
import { Documents } from './documents.js';
import type { KeptPool } from './kept-pool.js';
import { FREQUENCY_BITS, MAX_FREQUENCY, Postings } from './postings.js';
import {
  accumulate,
  DELTA,
  inverseDocumentFrequency,
  type Corpus,
  type Scratch,
  type WorthyList,
} from './scoring.js';
import { Sweep } from './sweep.js';

/** Weight of a compound for a query for its part, and of the part for a query for the compound. */
const COMPOUND_WORTH = 0.6;

/** Limit per search: terms examined for compounds. */
const MOST_LOOKED_AT = 50_000;

/** `KeywordSearch`, for one pool. */
interface PoolSearch {
  readonly filter?: EntryFilter;
  readonly passes?: (id: string) => boolean;
  readonly limit: number;
}

export class KeywordPool {
  readonly #postings = new Postings();
  readonly #lists = new Map<string, number>();
  /** By list number; undefined: the list was dropped. */
  readonly #terms: (string | undefined)[] = [];
  /** Document frequency of live documents, by list number. */
  readonly #frequencies: number[] = [];
  readonly #documents = new Documents();
  readonly #compounds = new Compounds();
  /** Dead documents that no sweep covers yet. */
  #dead: number[] = [];
  #sweep: Sweep | undefined;

  get size(): number {
    return this.#documents.size;
  }

  /** Adds a document and returns its number. `print` is the fingerprint of the analysed text. */
  add(id: string, print: number, attributes: EntryAttributes, { terms, common, language }: Analysis): number {
    const document = this.#documents.next();
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    const lists = new Uint32Array(counts.size + common.length);
    let at = 0;
    for (const [term, count] of counts) {
      if (Compounds.in(language)) this.#compounds.add(term);
      lists[at++] = this.#append(term, document, count);
    }
    // Stop words do not count towards the length: articles do not make a text longer.
    for (const term of common) lists[at++] = this.#append(term, document, 1);
    this.#documents.add({ id, print, length: terms.length, language, lists });
    this.#documents.attributes.set(document, attributes);
    return document;
  }

  /** Leaves a tombstone: postings stay until they are swept, but the words no longer count. */
  remove(document: number): void {
    for (const list of this.#documents.remove(document)) this.#frequencies[list]!--;
    this.#dead.push(document);
    this.#sweepShare();
  }

  setAttributes(document: number, attributes: EntryAttributes): void {
    this.#documents.attributes.set(document, attributes);
  }

  /** The fingerprint of a document's text. */
  print(document: number): number {
    return this.#documents.print(document);
  }

  /** The input of `from`; without document attributes. */
  kept(): KeptPool {
    const living = this.#documents.living();
    const numbers = new Uint32Array((living.at(-1) ?? -1) + 1);
    living.forEach((document, at) => (numbers[document] = at));
    const terms = [...this.#lists].filter(([, list]) => this.#frequencies[list]! > 0);
    const counts = Uint32Array.from(terms, ([, list]) => this.#frequencies[list]!);
    const postings = new Uint32Array(counts.reduce((sum, count) => sum + count, 0));
    let size = 0;
    for (const [, list] of terms) {
      for (const posting of this.#postings.of(list)) {
        const document = posting >>> FREQUENCY_BITS;
        if (this.#documents.id(document) === undefined) continue;
        postings[size++] = ((numbers[document]! << FREQUENCY_BITS) | (posting & MAX_FREQUENCY)) >>> 0;
      }
    }
    return {
      ids: living.map((document) => this.#documents.id(document)!),
      prints: Float64Array.from(living, (document) => this.#documents.print(document)),
      lengths: Uint32Array.from(living, (document) => this.#documents.lengths[document]!),
      languages: living.map((document) => this.#documents.language(document)),
      terms: terms.map(([term]) => term),
      counts,
      postings,
    };
  }

  /**
   * Rebuilds a pool from `kept`, with its documents in the same order. Each requires its attributes before a search.
   */
  static *from(kept: KeptPool): Generator<undefined, KeywordPool> {
    const { ids, prints, lengths, languages, terms, counts, postings } = kept;
    const pool = new KeywordPool();
    const compounding = languages.map((language) => Compounds.in(language));
    const left = new Uint32Array(ids.length);
    for (const posting of postings) left[posting >>> FREQUENCY_BITS]!++;
    const lists = Array.from(left, (size) => new Uint32Array(size));
    let start = 0;
    for (const [at, term] of terms.entries()) {
      yield;
      const list = pool.#list(term);
      const isWord = !isCommon([term]);
      const own = postings.subarray(start, (start += counts[at]!));
      pool.#postings.fill(list, own);
      pool.#frequencies[list] = own.length;
      for (const posting of own) {
        const document = posting >>> FREQUENCY_BITS;
        lists[document]![--left[document]!] = list;
        if (isWord && compounding[document]) pool.#compounds.add(term);
      }
    }
    for (const [at, id] of ids.entries()) {
      yield;
      const [print, length, language] = [prints[at]!, lengths[at]!, languages[at]];
      pool.#documents.add({ id, print, length, language, lists: lists[at]! });
    }
    return pool;
  }

  /** Number of live documents that contain a term. */
  documentFrequency(term: string): number {
    const list = this.#lists.get(term);
    return list === undefined ? 0 : this.#frequencies[list]!;
  }

  /** Number of live documents that contain the most frequent of a word's terms. */
  frequency(terms: Alternatives): number {
    return Math.max(...terms.map((term) => this.documentFrequency(term)));
  }

  /** Languages of the documents, most frequent first. */
  get languages(): Language[] {
    return this.#documents.languages;
  }

  /** Score of an average-length document that contains each word once. */
  possible(words: readonly Alternatives[]): number {
    let sum = 0;
    for (const terms of words) {
      sum += (1 + DELTA) * inverseDocumentFrequency(this.size, this.frequency(terms));
    }
    return Math.sqrt(words.length) * sum;
  }

  search(
    words: readonly Alternatives[],
    { filter, passes, limit }: PoolSearch,
    now: number,
    scratch: Scratch,
  ): Hit[] {
    const admitted = this.#documents.attributes.admits(filter, now);
    const among = filter?.among;
    const admits = (document: number): boolean => {
      const id = this.#documents.id(document);
      return id !== undefined && admitted(document) && (among === undefined || among.has(id));
    };
    // A query of stop words requires all of them: "The Who" does not match every text with "the".
    const together = words.every(isCommon) ? words.length : 1;
    const wanted = { limit: passes === undefined && together === 1 ? limit : Infinity, admits };
    const { touched, least } = accumulate(this.#listsOfAll(words), this.#corpus, scratch, wanted);
    const best = new TopK(limit, (a, b) => this.#precedes(a, b));
    const { scores, matched, word } = scratch;
    let threshold = least;
    for (let at = 0; at < touched.length; at++) {
      const document = touched[at]!;
      const found = matched[document]!;
      const score = scores[document]! * Math.sqrt(found);
      scores[document] = 0;
      matched[document] = 0;
      word[document] = 0;
      if (found < together || (passes === undefined && score < threshold) || !admits(document)) continue;
      if (passes !== undefined && !passes(this.#documents.id(document)!)) continue;
      best.offer(document, score);
      threshold = Math.max(least, best.threshold);
    }
    return best.ranked().map(({ row, score }) => ({
      id: this.#documents.id(row)!,
      score,
      createdAt: this.#documents.attributes.createdAt(row),
    }));
  }

  /** Allocated postings. */
  get room(): number {
    return this.#postings.size;
  }

  #append(term: string, document: number, count: number): number {
    const list = this.#list(term);
    this.#postings.append(list, document, Math.min(count, MAX_FREQUENCY));
    this.#frequencies[list]!++;
    return list;
  }

  #list(term: string): number {
    const known = this.#lists.get(term);
    if (known !== undefined) return known;
    const list = this.#postings.create();
    this.#lists.set(term, list);
    this.#terms[list] = term;
    this.#frequencies[list] = 0;
    return list;
  }

  /** The posting lists of each word. */
  #listsOfAll(words: readonly Alternatives[]): WorthyList[][] {
    const looks = { left: MOST_LOOKED_AT };
    return words.map((terms) => this.#listsOf(terms, looks));
  }

  /** The posting lists of a word: those of its terms and of related compounds. */
  #listsOf(terms: Alternatives, looks: { left: number }): WorthyList[] {
    const found = new Map<number, number>();
    const add = (term: string, worth: number): void => {
      const list = this.#lists.get(term);
      if (list !== undefined && !found.has(list)) found.set(list, worth);
    };
    for (const term of terms) add(term, 1);
    for (const term of terms) {
      for (const related of this.#compounds.related(term, (part) => this.#lists.has(part), looks))
        add(related, COMPOUND_WORTH);
    }
    return Array.from(found, ([list, worth]) => ({ list, worth }));
  }

  get #corpus(): Corpus {
    return {
      postings: this.#postings,
      frequencies: this.#frequencies,
      lengths: this.#documents.lengths,
      shortest: this.#documents.shortest,
      documents: this.size,
      totalLength: this.#documents.totalLength,
    };
  }

  #precedes(document: number, other: number): boolean {
    const { attributes } = this.#documents;
    const difference = attributes.createdAt(document) - attributes.createdAt(other);
    return difference === 0 ? this.#documents.id(document)! < this.#documents.id(other)! : difference > 0;
  }

  /** Continues the current sweep, or starts one if enough documents are dead. */
  #sweepShare(): void {
    const all = this.size + this.#dead.length;
    if (this.#sweep === undefined && Sweep.isDue(this.#dead.length, all)) {
      this.#sweep = new Sweep(this.#dead, all, this.#postings);
      this.#dead = [];
    }
    if (this.#sweep?.advance((list) => this.#sweepList(list)) !== true) return;
    this.#documents.release(this.#sweep.dead);
    this.#sweep = undefined;
  }

  /** Removes dead documents from a list, and drops the list if it is empty. Returns the number of postings visited. */
  #sweepList(list: number): number {
    const term = this.#terms[list];
    const length = this.#postings.length(list);
    if (term === undefined || length === this.#frequencies[list]) return 0;
    this.#postings.retain(list, (document) => this.#documents.id(document) !== undefined);
    if (this.#frequencies[list] === 0) {
      this.#postings.drop(list);
      this.#lists.delete(term);
      this.#compounds.delete(term);
      this.#terms[list] = undefined;
    }
    return length;
  }
}
