/**
 * The keyword index: incremental BM25+ over the words of the entries. Every owner has a separate pool: posting lists,
 * document frequencies and average length. So one owner's words are never found by another, do not shift another's
 * scores, and a large pool does not slow down a small one.
 */
import { inTurns, type Clock } from 'plugboard/sdk';
import { analyze, analyzeQuery, isCommon, type Alternatives, type Analysis } from '../analyzer/analyze.js';
import { byRank, type EntryAttributes, type EntryFilter, type Hit, type Owner } from '../base/attributes.js';
import { fingerprint } from './fingerprint.js';
import type { KeptPool } from './kept-pool.js';
import { KeywordPool } from './pool.js';
import type { Scratch } from './scoring.js';

export interface KeywordSearch {
  readonly filter?: EntryFilter;
  /** Called for every entry found, including those beyond the limit. */
  readonly passes?: (id: string) => boolean;
  /** False: a query of stop words only finds nothing. */
  readonly common?: boolean;
  /** Maximum number of hits; Infinity: all. */
  readonly limit: number;
}

/** Document frequencies of a pool. */
export interface TermStatistics {
  readonly documents: number;
  /** Number of documents that contain the word in any form. */
  documentFrequency(word: string): number;
}

const NO_STATISTICS: TermStatistics = { documents: 0, documentFrequency: () => 0 };

export class KeywordIndex {
  readonly #clock: Clock;
  readonly #pools = new Map<Owner, KeywordPool>();
  readonly #places = new Map<string, { readonly owner: Owner; readonly document: number }>();
  readonly #scratch: Scratch = {
    scores: new Float64Array(0),
    matched: new Uint32Array(0),
    given: new Float64Array(0),
    word: new Uint32Array(0),
    touched: new Uint32Array(0),
  };

  #changes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Incremented by every change to the words. */
  get changes(): number {
    return this.#changes;
  }

  get size(): number {
    return this.#places.size;
  }

  /** Adds an entry or replaces the one with this id; `text` is everything searchable. */
  upsert(id: string, attributes: EntryAttributes, text: string, analysis: Analysis = analyze(text)): void {
    this.delete(id);
    this.#changes += 1;
    const { owner } = attributes;
    const pool = this.#pools.get(owner) ?? new KeywordPool();
    this.#pools.set(owner, pool);
    this.#places.set(id, { owner, document: pool.add(id, fingerprint(text), attributes, analysis) });
  }

  /** Whether the index has the words of this entry for this text. */
  has(id: string, text: string): boolean {
    const place = this.#places.get(id);
    return place !== undefined && this.#pools.get(place.owner)!.print(place.document) === fingerprint(text);
  }

  /** Replaces an entry's attributes. False: there is no such entry, or it changed owners. */
  setAttributes(id: string, attributes: EntryAttributes): boolean {
    const place = this.#places.get(id);
    if (place === undefined || place.owner !== attributes.owner) return false;
    this.#pools.get(place.owner)!.setAttributes(place.document, attributes);
    return true;
  }

  /** False: there was no such entry. */
  delete(id: string): boolean {
    const place = this.#places.get(id);
    if (place === undefined) return false;
    this.#changes += 1;
    const pool = this.#pools.get(place.owner)!;
    this.#places.delete(id);
    pool.remove(place.document);
    if (pool.size === 0) this.#pools.delete(place.owner);
    return true;
  }

  ids(): IterableIterator<string> {
    return this.#places.keys();
  }

  /** The pools in the form that `take` accepts, created one at a time. */
  *kept(): Generator<{ readonly owner: Owner; readonly pool: KeptPool }> {
    for (const [owner, pool] of this.#pools) yield { owner, pool: pool.kept() };
  }

  /**
   * Adds the kept pool of an owner; without effect if the owner has a pool already, and without entries that are in
   * another one: these were written since. Each entry requires `setAttributes` before a search.
   */
  async take(owner: Owner, kept: KeptPool): Promise<void> {
    const pool = await inTurns(KeywordPool.from(kept));
    if (this.#pools.has(owner)) return;
    kept.ids.forEach((id, document) => {
      if (this.#places.has(id)) pool.remove(document);
      else this.#places.set(id, { owner, document });
    });
    if (pool.size > 0) this.#pools.set(owner, pool);
  }

  /** The owner's entries that contain any word of the query and pass the filter, best first. */
  search(query: string, search: KeywordSearch & { readonly owner: Owner }): Hit[] {
    const pool = this.#pools.get(search.owner);
    return pool === undefined ? [] : this.#searchPool(pool, query, search);
  }

  /** Score of an average-length entry with every query word once; 0 for a query without words. */
  possible(query: string, owner: Owner): number {
    const pool = this.#pools.get(owner);
    return pool === undefined ? 0 : pool.possible(wordsFor(pool, query));
  }

  /** Like `search`, across all owners: for an administrator's list. Scores are relative to each pool. */
  searchEveryPool(query: string, search: KeywordSearch): Hit[] {
    const hits = [...this.#pools.values()].flatMap((pool) => this.#searchPool(pool, query, search));
    return hits.sort(byRank).slice(0, search.limit);
  }

  statistics(owner: Owner): TermStatistics {
    const pool = this.#pools.get(owner);
    if (pool === undefined) return NO_STATISTICS;
    const { size, languages } = pool;
    return {
      documents: size,
      documentFrequency: (word) =>
        Math.max(0, ...wordsFor(pool, word, languages).map((terms) => pool.frequency(terms))),
    };
  }

  /** Allocated postings. */
  get room(): number {
    return [...this.#pools.values()].reduce((sum, pool) => sum + pool.room, 0);
  }

  #searchPool(pool: KeywordPool, query: string, search: KeywordSearch): Hit[] {
    const words = wordsFor(pool, query);
    if (search.common === false && words.every(isCommon)) return [];
    return pool.search(words, search, this.#clock.now(), this.#scratch);
  }
}

function wordsFor(pool: KeywordPool, query: string, languages = pool.languages): Alternatives[] {
  return analyzeQuery(query, languages, (term) => pool.documentFrequency(term) > 0);
}
