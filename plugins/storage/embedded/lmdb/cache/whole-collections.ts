/**
 * Collections that are read from end to end again and again while nothing in them changes: small ones mostly,
 * asked by what has no index. They are kept whole, decoded and in the order of their ids.
 */
import type { CachedDocument } from './cached-document.js';

interface Whole {
  readonly documents: readonly CachedDocument[];
  readonly bytes: number;
}

/** To read and decode a document takes as long as to read so many entries of an index; before it is kept it is read twice. */
const DECODED = 6;

export class WholeCollections {
  readonly #limit: number;
  /** The least recently used is the first. */
  readonly #kept = new Map<number, Whole>();
  #bytes = 0;
  /** Those that were read to the end once since they changed, with what they take. */
  readonly #read = new Map<number, number>();
  /** Entries of indexes that were read in the place of documents since these changed. */
  readonly #entries = new Map<number, number>();

  /** `bytes`: how much to keep, as the documents are stored. */
  constructor(bytes: number) {
    this.#limit = bytes;
  }

  get(collection: number): readonly CachedDocument[] | undefined {
    const whole = this.#kept.get(collection);
    if (whole === undefined) return undefined;
    this.#kept.delete(collection);
    this.#kept.set(collection, whole);
    return whole.documents;
  }

  has(collection: number): boolean {
    return this.#kept.has(collection);
  }

  /** Whether its documents are worth being collected on the next way through it: not at the first. */
  wants(collection: number): boolean {
    return (this.#read.get(collection) ?? Infinity) <= this.#limit;
  }

  /**
   * Entries were read that kept documents would have spared. Whether to go through the documents now, so that they are
   * kept: when the entries have taken as long as that does.
   */
  readEntries(collection: number, entries: number, documents: number): boolean {
    if ((this.#read.get(collection) ?? 0) > this.#limit) return false;
    const read = (this.#entries.get(collection) ?? 0) + entries;
    this.#entries.set(collection, read);
    return read > documents * DECODED;
  }

  /** It was read to its end; `bytes` is what it takes as it is stored. */
  wasRead(collection: number, bytes: number): void {
    this.#read.set(collection, bytes);
  }

  keep(collection: number, documents: readonly CachedDocument[], bytes: number): void {
    if (bytes > this.#limit) return;
    this.drop(collection);
    this.#kept.set(collection, { documents, bytes });
    this.#bytes += bytes;
    for (const [oldest] of this.#kept) {
      if (this.#bytes <= this.#limit) break;
      this.drop(oldest);
    }
  }

  drop(collection: number): void {
    this.#read.delete(collection);
    this.#entries.delete(collection);
    const whole = this.#kept.get(collection);
    if (whole === undefined) return;
    this.#kept.delete(collection);
    this.#bytes -= whole.bytes;
  }

  clear(): void {
    this.#kept.clear();
    this.#read.clear();
    this.#entries.clear();
    this.#bytes = 0;
  }
}
