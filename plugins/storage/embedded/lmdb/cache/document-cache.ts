/**
 * Documents that were read lately, decoded: to fetch one from lmdb and to decode it takes ten times as long. What it
 * keeps is one state of the store, that of the newest commit that was read; whatever was changed on the way to the
 * next one is dropped, and everything when another process was at work.
 */
import type { Values } from '../../../bson/value.js';
import { CachedDocument } from './cached-document.js';
import { WholeCollections } from './whole-collections.js';

interface Generation {
  /** By collection, by id. */
  readonly documents: Map<number, Map<string, CachedDocument>>;
  /** By unique index, by value: of these documents, and of those that were among them before they changed. */
  readonly keys: Map<number, Map<Key, CachedDocument>>;
}

type Key = string | number;

function emptyGeneration(): Generation {
  return { documents: new Map(), keys: new Map() };
}

/** A larger one would push out too many others. */
const MOST_BYTES = 64 * 1024;
/** Of changes that no read has asked for: who writes and never reads would collect them without end. */
const MOST_CHANGES = 100_000;
/** What a document takes in the mean, for the size of the table of those that were asked for. */
const USUAL_BYTES = 512;

export class DocumentCache {
  readonly #limit: number;
  /** What was asked for since the last change of generations, and what was before. */
  #recent = emptyGeneration();
  #former = emptyGeneration();
  #bytes = 0;
  #commit = -1;
  /** The documents that commits of this process have changed. */
  readonly #changed = new Map<number, readonly ChangedDocument[]>();
  #waiting = 0;
  /** By a part of their hash, the documents that were asked for lately: the last one in each place. */
  readonly #asked: Int32Array;
  readonly whole: WholeCollections;

  /** `bytes`: how much to keep, as the documents are stored; decoded they take two to four times that. */
  constructor(bytes: number) {
    // A third for each generation of single documents, a third for whole collections.
    this.#limit = bytes / 3;
    this.whole = new WholeCollections(bytes / 3);
    this.#asked = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(bytes / USUAL_BYTES, 2))));
  }

  /** The commit whose state is kept. */
  get commit(): number {
    return this.#commit;
  }

  /** How many changes wait for a read. */
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
    // As with its key, so with its id: both are of the same generation.
    this.get(collection, former.document['_id'] as string);
    this.addKey(index, key, former);
    return former;
  }

  /** Keeps the key of a document that `get` or `add` has just given. */
  addKey(index: number, key: Key, document: CachedDocument): void {
    let keys = this.#recent.keys.get(index);
    if (keys === undefined) this.#recent.keys.set(index, (keys = new Map()));
    keys.set(key, document);
  }

  /**
   * Keeps a document of the state that is kept. Undefined when it is too large, or asked for only once lately: to
   * keep it takes longer than to read it again, and it would push out another one.
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

  /** A commit and the documents that it changes; called before anyone can read it. */
  changes(commit: number, documents: readonly ChangedDocument[]): void {
    this.#waiting += documents.length;
    // The next read finds the gap and starts with nothing.
    if (this.#waiting > MOST_CHANGES) this.#forgetChanges();
    else this.#changed.set(commit, documents);
  }

  /** From now on the state of this commit is read. */
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
