/**
 * Caches recently read documents, decoded: fetching one from lmdb and decoding it takes ten times as long. The cache
 * holds one state of the store, that of the newest commit that was read. Moving to a newer commit drops the documents
 * that changed in between, or all of them if the changes are unknown.
 */
import type { Values } from '../../../bson/value.js';
import { CachedDocument } from './cached-document.js';
import { WholeCollections } from './whole-collections.js';

interface Generation {
  /** By collection, by id. */
  readonly documents: Map<number, Map<string, CachedDocument>>;
  /** By unique index, by value; includes entries of documents that have changed since. */
  readonly keys: Map<number, Map<Key, CachedDocument>>;
}

type Key = string | number;

function emptyGeneration(): Generation {
  return { documents: new Map(), keys: new Map() };
}

/** A larger document would evict too many others. */
const MOST_BYTES = 64 * 1024;
/** Bound on pending changes: writes without reads would pile them up for ever. */
const MOST_CHANGES = 100_000;
/** Mean size of a document, for sizing the table of recently requested ones. */
const USUAL_BYTES = 512;

export class DocumentCache {
  readonly #limit: number;
  /** Documents requested since the last change of generations, and before it. */
  #recent = emptyGeneration();
  #former = emptyGeneration();
  #bytes = 0;
  #commit = -1;
  /** Documents changed by commits that no read has seen yet. */
  readonly #changed = new Map<number, readonly ChangedDocument[]>();
  #waiting = 0;
  /** Recently requested documents, by a part of their hash; the last one wins a slot. */
  readonly #asked: Int32Array;
  readonly whole: WholeCollections;

  /** `bytes`: capacity, in stored size; decoded, documents take two to four times that. */
  constructor(bytes: number) {
    // One third for each of the two generations of documents, one third for whole collections.
    this.#limit = bytes / 3;
    this.whole = new WholeCollections(bytes / 3);
    this.#asked = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(bytes / USUAL_BYTES, 2))));
  }

  /** The commit whose state is cached. */
  get commit(): number {
    return this.#commit;
  }

  /** Number of pending changes. */
  get waiting(): number {
    return this.#waiting;
  }

  get(collection: number, id: string): CachedDocument | undefined {
    const recent = this.#recent.documents.get(collection)?.get(id);
    if (recent !== undefined) return recent;
    const former = this.#former.documents.get(collection)?.get(id);
    if (former !== undefined) this.#keep(collection, id, former);
    return former;
  }

  /** The document that a unique index has under a value. */
  getByKey(collection: number, index: number, key: Key): CachedDocument | undefined {
    const recent = this.#recent.keys.get(index)?.get(key);
    if (recent !== undefined && !recent.changed) return recent;
    const former = this.#former.keys.get(index)?.get(key);
    if (former === undefined || former.changed) return undefined;
    // Keep key and id in the same generation.
    this.get(collection, former.document['_id'] as string);
    this.addKey(index, key, former);
    return former;
  }

  /** Caches the key of a document just returned by `get` or `add`. */
  addKey(index: number, key: Key, document: CachedDocument): void {
    let keys = this.#recent.keys.get(index);
    if (keys === undefined) this.#recent.keys.set(index, (keys = new Map()));
    keys.set(key, document);
  }

  /**
   * Caches a document of the cached state. Undefined if it is too large, or was requested only once recently: caching it
   * costs more than reading it again, and it would evict another one.
   */
  add(collection: number, id: string, size: number, decode: () => Values): CachedDocument | undefined {
    if (size > MOST_BYTES || size > this.#limit || !this.#askedAgain(collection, id)) return undefined;
    const document = new CachedDocument(decode(), size);
    this.#keep(collection, id, document);
    return document;
  }

  #askedAgain(collection: number, id: string): boolean {
    let hash = collection;
    for (let at = 0; at < id.length; at++) hash = (Math.imul(hash, 31) + id.charCodeAt(at)) | 0;
    const place = (hash ^ (hash >>> 15)) & (this.#asked.length - 1);
    const again = this.#asked[place] === hash;
    this.#asked[place] = hash;
    return again;
  }

  #keep(collection: number, id: string, document: CachedDocument): void {
    this.#bytes += document.size;
    if (this.#bytes > this.#limit) {
      this.#former = this.#recent;
      this.#recent = emptyGeneration();
      this.#bytes = document.size;
    }
    let documents = this.#recent.documents.get(collection);
    if (documents === undefined) this.#recent.documents.set(collection, (documents = new Map()));
    documents.set(id, document);
  }

  /** Records the documents that a commit changed; called before anyone can read the commit. */
  changes(commit: number, documents: readonly ChangedDocument[]): void {
    this.#waiting += documents.length;
    // The next read notices the gap and starts with an empty cache.
    if (this.#waiting > MOST_CHANGES) this.#forgetChanges();
    else this.#changed.set(commit, documents);
  }

  /** Moves the cache to the state of this commit. */
  moveTo(commit: number): void {
    while (this.#commit !== commit) {
      const documents = this.#changed.get(this.#commit + 1);
      if (documents === undefined) return this.#startAt(commit);
      this.#changed.delete(++this.#commit);
      this.#waiting -= documents.length;
      for (const { collection, id } of documents) {
        drop(this.#recent, collection, id);
        drop(this.#former, collection, id);
        this.whole.drop(collection);
      }
    }
  }

  #startAt(commit: number): void {
    this.#recent = emptyGeneration();
    this.#former = emptyGeneration();
    this.whole.clear();
    this.#forgetChanges();
    this.#bytes = 0;
    this.#commit = commit;
  }

  #forgetChanges(): void {
    this.#changed.clear();
    this.#waiting = 0;
  }
}

function drop({ documents }: Generation, collection: number, id: string): void {
  const ofCollection = documents.get(collection);
  const document = ofCollection?.get(id);
  if (document === undefined) return;
  document.changed = true;
  ofCollection?.delete(id);
}

export interface ChangedDocument {
  readonly collection: number;
  readonly id: string;
}
