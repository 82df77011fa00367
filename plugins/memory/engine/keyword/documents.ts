/** The documents of a pool as columns by document number; numbers of removed documents are reused. */
import type { Language } from '../analyzer/language.js';
import { AttributeColumns } from '../base/attribute-columns.js';
import { Languages } from './languages.js';
import { MAX_DOCUMENTS } from './postings.js';

export interface PoolDocument {
  readonly id: string;
  /** See fingerprint.ts. */
  readonly print: number;
  /** Number of terms in the text, with repetitions. */
  readonly length: number;
  readonly language: Language | undefined;
  /** Numbers of its posting lists: a deletion decrements their document frequencies. */
  readonly lists: Uint32Array;
}

export class Documents {
  /** Undefined: the document is dead. */
  readonly #ids: (string | undefined)[] = [];
  readonly #prints: number[] = [];
  readonly #lists: (Uint32Array | undefined)[] = [];
  readonly #languageOf: (Language | undefined)[] = [];
  readonly #languages = new Languages();
  /** Numbers that are in no posting list any more. */
  readonly #free: number[] = [];
  #living = 0;
  readonly lengths: number[] = [];
  /** Length of the shortest document ever added. */
  shortest = Infinity;
  /** Of live documents. */
  totalLength = 0;
  readonly attributes = new AttributeColumns();

  /** Number of live documents. */
  get size(): number {
    return this.#living;
  }

  /** The number for the next document. Throws RangeError if the pool is full. */
  next(): number {
    const document = this.#free.at(-1) ?? this.#ids.length;
    if (document >= MAX_DOCUMENTS)
      throw new RangeError(`one owner's pool holds at most ${MAX_DOCUMENTS} entries`);
    return document;
  }

  /** Adds a document under the number that `next` returned. */
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

  /**
   * Marks a document as dead and returns the numbers of its posting lists. Its own number is reserved until `release`.
   */
  remove(document: number): Uint32Array {
    const lists = this.#lists[document]!;
    this.totalLength -= this.lengths[document]!;
    this.#languages.count(this.#languageOf[document], -1);
    this.#ids[document] = undefined;
    this.#lists[document] = undefined;
    this.#living--;
    return lists;
  }

  /** Frees numbers that are in no posting list any more. */
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

  /** Numbers of the live documents. */
  living(): number[] {
    return this.#ids.flatMap((id, document) => (id === undefined ? [] : [document]));
  }

  /** Languages of the live documents, most frequent first. */
  get languages(): Language[] {
    return this.#languages.among(this.#living);
  }
}
