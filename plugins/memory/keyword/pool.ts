/**
 * One owner's keyword index: BM25+ over posting lists.
 *
 * score(d, q) = sqrt(m) * sum over terms t of idf(t) * ((k1 + 1) * tf / (tf + k1 * (1 - b + b * |d| / avg)) + delta)
 * with idf(t) = ln(1 + (N - df + 0.5) / (df + 0.5)), and m the number of the query's terms that d contains.
 * BM25+: Lv and Zhai, "Lower-Bounding Term Frequency Normalization", CIKM 2011. The factor sqrt(m) (coordination)
 * and b below its usual 0.75 suit entries of one or two sentences.
 */
import { AttributeColumns } from '../attribute-columns.js';
import type { EntryAttributes, EntryFilter, Hit } from '../attributes.js';
import { TopK } from '../top-k.js';
import { FREQUENCY_BITS, MAX_DOCUMENTS, MAX_FREQUENCY, Postings } from './postings.js';

export const K1 = 1.2;
export const B = 0.4;
export const DELTA = 0.5;

/** Dead documents are dropped from the posting lists when they are this many and a quarter of all. */
const COMPACT_FROM = 64;

/** Sums of one search, by document number; shared by every pool, because a search is synchronous. */
export interface Scratch {
  scores: Float64Array;
  matched: Uint32Array;
}

export class KeywordPool {
  #postings = new Postings();
  #lists = new Map<string, number>();
  /** Living documents that contain the term, by list number. */
  #frequencies: number[] = [];
  #ids: (string | undefined)[] = [];
  #lengths: number[] = [];
  /** The list numbers of each document's terms: a deletion takes them out of the document frequencies. */
  #forward: (Uint32Array | undefined)[] = [];
  #attributes = new AttributeColumns();
  #living = 0;
  #totalLength = 0;

  get size(): number {
    return this.#living;
  }

  /** Adds a document, and returns its number, which stays until `compact` gives out new ones. */
  add(id: string, attributes: EntryAttributes, terms: readonly string[]): number {
    const document = this.#ids.length;
    if (document >= MAX_DOCUMENTS)
      throw new RangeError(`one owner's pool holds at most ${MAX_DOCUMENTS} entries`);
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    const forward = new Uint32Array(counts.size);
    let at = 0;
    for (const [term, count] of counts) {
      const list = this.#list(term);
      this.#postings.append(list, document, Math.min(count, MAX_FREQUENCY));
      this.#frequencies[list]!++;
      forward[at++] = list;
    }
    this.#ids.push(id);
    this.#lengths.push(terms.length);
    this.#forward.push(forward);
    this.#attributes.set(document, attributes);
    this.#living++;
    this.#totalLength += terms.length;
    return document;
  }

  /** Leaves a tombstone: the document's postings stay until `compact`, its words no longer count. */
  remove(document: number): void {
    for (const list of this.#forward[document]!) this.#frequencies[list]!--;
    this.#totalLength -= this.#lengths[document]!;
    this.#ids[document] = undefined;
    this.#forward[document] = undefined;
    this.#living--;
  }

  setAttributes(document: number, attributes: EntryAttributes): void {
    this.#attributes.set(document, attributes);
  }

  /** The number of living documents that contain a term. */
  documentFrequency(term: string): number {
    const list = this.#lists.get(term);
    return list === undefined ? 0 : this.#frequencies[list]!;
  }

  search(
    terms: ReadonlySet<string>,
    filter: EntryFilter | undefined,
    limit: number,
    now: number,
    scratch: Scratch,
  ): Hit[] {
    const touched = this.#accumulate(terms, scratch);
    const admits = this.#attributes.admits(filter, now);
    const best = new TopK(limit, (a, b) => this.#precedes(a, b));
    for (const document of touched) {
      const score = scratch.scores[document]! * Math.sqrt(scratch.matched[document]!);
      scratch.scores[document] = 0;
      scratch.matched[document] = 0;
      if (score >= best.threshold && this.#ids[document] !== undefined && admits(document)) {
        best.offer(document, score);
      }
    }
    return best.ranked().map(({ row, score }) => ({
      id: this.#ids[row]!,
      score,
      createdAt: this.#attributes.createdAt(row),
    }));
  }

  get wantsCompaction(): boolean {
    const dead = this.#ids.length - this.#living;
    return dead >= COMPACT_FROM && dead * 4 >= this.#ids.length;
  }

  /** Drops the tombstones, and terms that no living document has. Calls back with each document's new number. */
  compact(moved: (id: string, document: number) => void): void {
    const numbers = this.#renumber(moved);
    const lists = new Map<string, number>();
    const frequencies: number[] = [];
    const postings = new Postings();
    const newList = new Uint32Array(this.#frequencies.length);
    for (const [term, list] of this.#lists) {
      if (this.#frequencies[list] === 0) continue;
      const compacted = postings.create(living(this.#postings.of(list), numbers));
      newList[list] = compacted;
      lists.set(term, compacted);
      frequencies.push(this.#frequencies[list]!);
    }
    for (const forward of this.#forward) {
      if (forward === undefined) continue;
      for (let at = 0; at < forward.length; at++) forward[at] = newList[forward[at]!]!;
    }
    this.#lists = lists;
    this.#frequencies = frequencies;
    this.#postings = postings;
  }

  /** Bytes held, as counted from the structures: strings and map entries are estimates. */
  get bytes(): number {
    let bytes = this.#postings.bytes + this.#attributes.bytes + this.#frequencies.length * 8;
    for (const forward of this.#forward) bytes += 24 + (forward === undefined ? 0 : 80 + forward.byteLength);
    for (const term of this.#lists.keys()) bytes += 56 + term.length;
    return bytes;
  }

  #list(term: string): number {
    const known = this.#lists.get(term);
    if (known !== undefined) return known;
    const list = this.#postings.create();
    this.#lists.set(term, list);
    this.#frequencies[list] = 0;
    return list;
  }

  /** Adds up the score of each document that has any of the terms, and returns their numbers. */
  #accumulate(terms: ReadonlySet<string>, scratch: Scratch): number[] {
    fit(scratch, this.#ids.length);
    const { scores, matched } = scratch;
    const lengths = this.#lengths;
    const base = K1 * (1 - B);
    const slope = (K1 * B * this.#living) / Math.max(1, this.#totalLength);
    const touched: number[] = [];
    for (const term of terms) {
      const list = this.#lists.get(term);
      if (list === undefined) continue;
      const idf = inverseDocumentFrequency(this.#living, this.#frequencies[list]!);
      const postings = this.#postings.of(list);
      for (let at = 0; at < postings.length; at++) {
        const posting = postings[at]!;
        const document = posting >>> FREQUENCY_BITS;
        const frequency = posting & MAX_FREQUENCY;
        if (matched[document] === 0) touched.push(document);
        matched[document]!++;
        scores[document]! +=
          idf * (((K1 + 1) * frequency) / (frequency + base + slope * lengths[document]!) + DELTA);
      }
    }
    return touched;
  }

  #precedes(document: number, other: number): boolean {
    const difference = this.#attributes.createdAt(document) - this.#attributes.createdAt(other);
    return difference === 0 ? this.#ids[document]! < this.#ids[other]! : difference > 0;
  }

  /** Moves the living documents together; the result maps old numbers to new ones, -1 for the dead. */
  #renumber(moved: (id: string, document: number) => void): Int32Array {
    const numbers = new Int32Array(this.#ids.length).fill(-1);
    let next = 0;
    for (let document = 0; document < this.#ids.length; document++) {
      const id = this.#ids[document];
      if (id === undefined) continue;
      this.#ids[next] = id;
      this.#lengths[next] = this.#lengths[document]!;
      this.#forward[next] = this.#forward[document];
      this.#attributes.move(document, next);
      moved(id, next);
      numbers[document] = next++;
    }
    this.#ids.length = next;
    this.#lengths.length = next;
    this.#forward.length = next;
    this.#attributes.truncate(next);
    return numbers;
  }
}

/** Postings without those of dead documents (number -1), under the documents' new numbers; changed in place. */
function living(postings: Uint32Array, numbers: Int32Array): Uint32Array {
  let length = 0;
  for (let at = 0; at < postings.length; at++) {
    const posting = postings[at]!;
    const document = numbers[posting >>> FREQUENCY_BITS]!;
    if (document >= 0) postings[length++] = (document << FREQUENCY_BITS) | (posting & MAX_FREQUENCY);
  }
  return postings.subarray(0, length);
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
}
