/**
 * One owner's keyword index: BM25+ over posting lists.
 *
 * score(d, q) = sqrt(m) * sum over words t of idf(t) * ((k1 + 1) * tf / (tf + k1 * (1 - b + b * |d| / avg)) + delta)
 * with idf(t) = ln(1 + (N - df + 0.5) / (df + 0.5)), and m the number of the query's words that d contains. Of the
 * terms that a word may be (its stems in several languages, its compounds) the one that gives d most counts.
 * BM25+: Lv and Zhai, "Lower-Bounding Term Frequency Normalization", CIKM 2011. The factor sqrt(m) (coordination)
 * and b below its usual 0.75 suit entries of one or two sentences.
 */
import { isCommon, type Alternatives, type Analysis } from '../analyzer/analyze.js';
import type { Language } from '../analyzer/language.js';
import { AttributeColumns } from '../base/attribute-columns.js';
import type { EntryAttributes, EntryFilter, Hit } from '../base/attributes.js';
import { TopK } from '../base/top-k.js';
import { Compounds } from './compounds.js';
import { Languages } from './languages.js';
import { MAX_DOCUMENTS, MAX_FREQUENCY, Postings } from './postings.js';
import {
  accumulate,
  DELTA,
  inverseDocumentFrequency,
  type Corpus,
  type Scratch,
  type WorthyList,
} from './scoring.js';
import { LIST_COST, SHARES, SWEEP_FROM, type Sweep } from './sweep.js';

/** What a compound is worth to a query for its part, and the part to a query for the compound. */
const COMPOUND_WORTH = 0.6;

/** Terms that one search looks at for compounds. */
const MOST_LOOKED_AT = 50_000;

/** What `KeywordSearch` asks of one pool. */
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
  /** Living documents that contain the term, by list number. */
  readonly #frequencies: number[] = [];
  /** By document number; undefined: the document is dead. */
  readonly #ids: (string | undefined)[] = [];
  readonly #lengths: number[] = [];
  /** Of all documents that there have been. */
  #shortest = Infinity;
  readonly #languageOf: (Language | undefined)[] = [];
  /** The list numbers of each document's terms: a deletion takes them out of the document frequencies. */
  readonly #forward: (Uint32Array | undefined)[] = [];
  readonly #attributes = new AttributeColumns();
  readonly #compounds = new Compounds();
  readonly #languages = new Languages();
  #living = 0;
  #totalLength = 0;
  /** Document numbers that no posting holds any more. */
  readonly #free: number[] = [];
  /** Dead documents that no sweep has taken on yet. */
  #dead: number[] = [];
  #sweep: Sweep | undefined;

  get size(): number {
    return this.#living;
  }

  /** Adds a document, and returns its number. */
  add(id: string, attributes: EntryAttributes, { terms, common, language }: Analysis): number {
    const document = this.#free.pop() ?? this.#ids.length;
    if (document >= MAX_DOCUMENTS)
      throw new RangeError(`one owner's pool holds at most ${MAX_DOCUMENTS} entries`);
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    const forward = new Uint32Array(counts.size + common.length);
    let at = 0;
    for (const [term, count] of counts) {
      const list = this.#list(term);
      if (Compounds.in(language)) this.#compounds.add(term);
      this.#postings.append(list, document, Math.min(count, MAX_FREQUENCY));
      this.#frequencies[list]!++;
      forward[at++] = list;
    }
    // They are no part of the length: a text is not longer for its articles.
    for (const term of common) {
      const list = this.#list(term);
      this.#postings.append(list, document, 1);
      this.#frequencies[list]!++;
      forward[at++] = list;
    }
    this.#ids[document] = id;
    this.#lengths[document] = terms.length;
    this.#shortest = Math.min(this.#shortest, terms.length);
    this.#languageOf[document] = language;
    this.#languages.count(language, 1);
    this.#forward[document] = forward;
    this.#attributes.set(document, attributes);
    this.#living++;
    this.#totalLength += terms.length;
    return document;
  }

  /** Leaves a tombstone: the document's postings stay until they are swept, its words no longer count. */
  remove(document: number): void {
    for (const list of this.#forward[document]!) this.#frequencies[list]!--;
    this.#totalLength -= this.#lengths[document]!;
    this.#languages.count(this.#languageOf[document], -1);
    this.#ids[document] = undefined;
    this.#forward[document] = undefined;
    this.#living--;
    this.#dead.push(document);
    this.#sweepShare();
  }

  setAttributes(document: number, attributes: EntryAttributes): void {
    this.#attributes.set(document, attributes);
  }

  /** The number of living documents that contain a term. */
  documentFrequency(term: string): number {
    const list = this.#lists.get(term);
    return list === undefined ? 0 : this.#frequencies[list]!;
  }

  /** The number of living documents that contain the commonest of a word's terms. */
  frequency(terms: Alternatives): number {
    return Math.max(...terms.map((term) => this.documentFrequency(term)));
  }

  /** The languages of the documents, the most frequent first. */
  get languages(): Language[] {
    return this.#languages.among(this.#living);
  }

  /** The score of a document of average length that contains each of the words once. */
  possible(words: readonly Alternatives[]): number {
    let sum = 0;
    for (const terms of words) {
      sum += (1 + DELTA) * inverseDocumentFrequency(this.#living, this.frequency(terms));
    }
    return Math.sqrt(words.length) * sum;
  }

  search(
    words: readonly Alternatives[],
    { filter, passes, limit }: PoolSearch,
    now: number,
    scratch: Scratch,
  ): Hit[] {
    const admitted = this.#attributes.admits(filter, now);
    const among = filter?.among;
    const admits = (document: number): boolean => {
      const id = this.#ids[document];
      return id !== undefined && admitted(document) && (among === undefined || among.has(id));
    };
    // Stop words say something together alone: "The Who" is not in whatever has "the".
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
      if (passes !== undefined && !passes(this.#ids[document]!)) continue;
      best.offer(document, score);
      threshold = Math.max(least, best.threshold);
    }
    return best.ranked().map(({ row, score }) => ({
      id: this.#ids[row]!,
      score,
      createdAt: this.#attributes.createdAt(row),
    }));
  }

  /** Bytes held, as counted from the structures: strings and map entries are estimates. */
  get bytes(): number {
    let bytes = this.#postings.bytes + this.#attributes.bytes + this.#frequencies.length * 16;
    for (const forward of this.#forward) bytes += 24 + (forward === undefined ? 0 : 80 + forward.byteLength);
    for (const term of this.#lists.keys()) bytes += 56 + term.length;
    return bytes + this.#compounds.bytes;
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

  /** The posting lists of a word: those of its terms, and of what is written as one with them. */
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
      lengths: this.#lengths,
      shortest: this.#shortest,
      documents: this.#living,
      totalLength: this.#totalLength,
    };
  }

  #precedes(document: number, other: number): boolean {
    const difference = this.#attributes.createdAt(document) - this.#attributes.createdAt(other);
    return difference === 0 ? this.#ids[document]! < this.#ids[other]! : difference > 0;
  }

  /** Goes on with the sweep under way, or begins one when enough documents are dead. */
  #sweepShare(): void {
    const sweep = (this.#sweep ??= this.#beginSweep());
    if (sweep === undefined) return;
    sweep.credit += sweep.share;
    while (sweep.credit > 0 && sweep.next < sweep.end) {
      sweep.credit -= LIST_COST + this.#sweepList(sweep.next++);
    }
    if (sweep.next < sweep.end) return;
    for (const document of sweep.dead) this.#free.push(document);
    this.#sweep = undefined;
  }

  #beginSweep(): Sweep | undefined {
    const dead = this.#dead;
    const all = this.#living + dead.length;
    if (dead.length < SWEEP_FROM || dead.length * 4 < all) return undefined;
    this.#dead = [];
    const { lists } = this.#postings;
    const share = Math.ceil((SHARES * (this.#postings.size + LIST_COST * lists)) / all);
    return { next: 0, end: lists, dead, share, credit: 0 };
  }

  /** Takes the dead documents out of a list, and drops one that no living document is in. Answers the postings looked at. */
  #sweepList(list: number): number {
    const term = this.#terms[list];
    const length = this.#postings.length(list);
    if (term === undefined || length === this.#frequencies[list]) return 0;
    const ids = this.#ids;
    this.#postings.retain(list, (document) => ids[document] !== undefined);
    if (this.#frequencies[list] === 0) {
      this.#postings.drop(list);
      this.#lists.delete(term);
      this.#compounds.delete(term);
      this.#terms[list] = undefined;
    }
    return length;
  }
}
