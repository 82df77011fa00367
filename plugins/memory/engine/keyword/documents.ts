/** The documents of a pool as columns by document number; the number of one that is gone serves a later one. */
import type { Language } from '../analyzer/language.js';
import { AttributeColumns } from '../base/attribute-columns.js';
import { Languages } from './languages.js';
import { MAX_DOCUMENTS } from './postings.js';

export interface PoolDocument {
  readonly id: string;
  /** See fingerprint.ts. */
  readonly print: number;
  /** Terms of the text, repeated ones included. */
  readonly length: number;
  readonly language: Language | undefined;
  /** The numbers of its posting lists: a deletion takes them out of the document frequencies. */
  readonly lists: Uint32Array;
}

export class Documents {
  /** Undefined: the document is dead. */
  readonly #ids: (string | undefined)[] = [];
  readonly #prints: number[] = [];
  readonly #lists: (Uint32Array | undefined)[] = [];
  readonly #languageOf: (Language | undefined)[] = [];
  readonly #languages = new Languages();
  /** Numbers that no posting holds any more. */
  readonly #free: number[] = [];
  #living = 0;
  readonly lengths: number[] = [];
  /** The shortest of all documents that there have been. */
  shortest = Infinity;
  /** Of the living documents. */
  totalLength = 0;
  readonly attributes = new AttributeColumns();

  /** How many are living. */
  get size(): number {
    return this.#living;
  }

  /** The number of the next one. Throws RangeError for one too many. */
  next(): number {
    const document = this.#free.at(-1) ?? this.#ids.length;
    if (document >= MAX_DOCUMENTS)
      throw new RangeError(`one owner's pool holds at most ${MAX_DOCUMENTS} entries`);
    return document;
  }

  /** Adds one under its number of `next`. */
  add({ id, print, length, language, lists }: PoolDocument): void {
    const document = this.#free.pop() ?? this.#ids.length;
    this.#ids[document] = id;
    this.#prints[document] = print;
    this.#lists[document] = lists;
    this.#languageOf[document] = language;
    this.#languages.count(language, 1);
    this.#living++;
    this.lengths[document] = length;
    this.shortest = Math.min(this.shortest, length);
    this.totalLength += length;
  }

  /** Marks one as dead, and answers the numbers of its posting lists. Its own number is taken until `release`. */
  remove(document: number): Uint32Array {
    const lists = this.#lists[document]!;
    this.totalLength -= this.lengths[document]!;
    this.#languages.count(this.#languageOf[document], -1);
    this.#ids[document] = undefined;
    this.#lists[document] = undefined;
    this.#living--;
    return lists;
  }

  /** No posting holds these numbers any more. */
  release(documents: readonly number[]): void {
    for (const document of documents) this.#free.push(document);
  }

  /** Undefined: the document is dead. */
  id(document: number): string | undefined {
    return this.#ids[document];
  }

  print(document: number): number {
    return this.#prints[document]!;
  }

  language(document: number): Language | undefined {
    return this.#languageOf[document];
  }

  /** The numbers of the living ones. */
  living(): number[] {
    return this.#ids.flatMap((id, document) => (id === undefined ? [] : [document]));
  }

  /** The languages of the living ones, the most frequent first. */
  get languages(): Language[] {
    return this.#languages.among(this.#living);
  }
}
