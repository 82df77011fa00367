/**
 * Caches whole collections, decoded and sorted by id. Worth it for collections that are scanned repeatedly while
 * nothing in them changes: mostly small ones, queried without an index.
 */
import type { CachedDocument } from './cached-document.js';

interface Whole {
  readonly documents: readonly CachedDocument[];
  readonly bytes: number;
}

/** Index entries that cost as much as reading and decoding a document, which is read twice before it is cached. */
const DECODED = 6;

export class WholeCollections {
  readonly #limit: number;
  /** Least recently used first. */
  readonly #kept = new Map<number, Whole>();
  #bytes = 0;
  /** Collections scanned once since their last change, with their stored size. */
  readonly #read = new Map<number, number>();
  /** Index entries read instead of documents since the documents changed. */
  readonly #entries = new Map<number, number>();

  /** `bytes`: capacity, in stored size. */
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

  /** Whether the next scan should collect the documents: the first one does not. */
  wants(collection: number): boolean {
    return (this.#read.get(collection) ?? Infinity) <= this.#limit;
  }

  /**
   * Counts index entries that would not have been read with the documents in the cache. True once they have cost as
   * much as a scan: then the next query should scan, so that the collection is cached.
   */
  readEntries(collection: number, entries: number, documents: number): boolean {
    if ((this.#read.get(collection) ?? 0) > this.#limit) return false;
    const read = (this.#entries.get(collection) ?? 0) + entries;
    this.#entries.set(collection, read);
    return read > documents * DECODED;
  }

  /** Called after a full scan; `bytes` is the stored size. */
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
