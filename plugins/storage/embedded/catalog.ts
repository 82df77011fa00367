/** The collections and indexes, kept in the store. */
import { type CollectionSpec, type IndexSpec, StorageError } from 'plugboard/sdk';
import { encode } from '../bson/encode.js';
import { decode } from '../bson/decode.js';
import type { Environment, Reader, Writer } from './lmdb/environment.js';
import { entriesOf } from './lmdb/key-space.js';
import {
  renumber,
  samePlace,
  sameSpec,
  toDefinition,
  type CollectionDefinition,
  type StoredCollection,
} from './definition.js';
import { prefix } from './values/key-encoding.js';

const VERSION = Buffer.from('version');
const NEXT_NUMBER = Buffer.from('next');
const COLLECTIONS = 'collection/';

/** What a write job learned about a collection that the planner must know. */
export type Trait =
  | { readonly kind: 'multikey'; readonly index: number; readonly bits: number }
  | { readonly kind: 'truncated'; readonly index: number }
  /** Holds a value that cannot be restored from its key. */
  | { readonly kind: 'unreadable'; readonly index: number }
  | { readonly kind: 'longIds' }
  /** The index has the entries of every document. */
  | { readonly kind: 'built'; readonly index: number }
  /** A change feed was opened. */
  | { readonly kind: 'logged' };

export interface Declared {
  /** The names of indexes that are no longer declared. */
  readonly removed: string[];
  /** Numbers of the removed and replaced indexes, whose entries are still stored. */
  readonly dropped: number[];
}

export class Catalog {
  #version = -1;
  #collections = new Map<string, CollectionDefinition>();
  #byNumber = new Map<number, CollectionDefinition>();

  /** Rereads the definitions if their version has changed. Returns the version. */
  refresh(reader: Reader): number {
    const version = readCounter(reader, VERSION);
    if (version !== this.#version) {
      const before = this.#collections;
      this.#collections = new Map();
      this.#byNumber = new Map();
      for (const { key, value } of entriesOf(reader.walk('catalog', collectionRange()))) {
        const name = key.toString('utf8').slice(COLLECTIONS.length);
        const definition = toDefinition(name, decode(value) as unknown as StoredCollection);
        keepTraits(before.get(name), definition);
        this.#collections.set(name, definition);
        this.#byNumber.set(definition.number, definition);
      }
      this.#version = version;
    }
    return version;
  }

  /** Discards definitions read inside a failed write transaction; the next refresh rereads them. */
  forget(): void {
    this.#version = -1;
  }

  collection(name: string): CollectionDefinition {
    const definition = this.#collections.get(name);
    if (definition === undefined)
      throw new StorageError('unavailable', `the collection "${name}" no longer exists`);
    return definition;
  }

  byNumber(number: number): CollectionDefinition | undefined {
    return this.#byNumber.get(number);
  }

  all(): Iterable<CollectionDefinition> {
    return this.#collections.values();
  }

  /**
   * Creates the collection and missing indexes; an index over existing documents still has to be built. An
   * index on the same paths with other options is replaced, one that is no longer declared is removed.
   */
  declare(environment: Environment, name: string, spec: CollectionSpec): Declared {
    const result: Declared = { removed: [], dropped: [] };
    if (this.refresh(environment.latest) >= 0 && this.#isDeclared(name, spec)) return result;
    // No need to wait for the disk: every write to the collection follows this commit in the log.
    void environment
      .commit((writer) => {
        this.refresh(writer);
        if (this.#isDeclared(name, spec)) return;
        const stored = readStored(writer, name) ?? {
          number: nextNumber(writer),
          logged: false,
          longIds: false,
          indexes: [],
        };
        const declared = spec.indexes ?? [];
        const isDeclared = (present: IndexSpec): boolean =>
          declared.some((index) => sameSpec(index, present));
        for (const { number, spec: present } of stored.indexes.filter((index) => !isDeclared(index.spec))) {
          result.dropped.push(number);
          writer.remove('catalog', buildKey(number));
          if (!declared.some((index) => samePlace(index, present)))
            result.removed.push(Object.keys(present.keys).join(','));
        }
        stored.indexes = stored.indexes.filter((index) => isDeclared(index.spec));
        const building = isEmpty(writer, stored.number) ? {} : { building: true as const };
        for (const index of declared) {
          if (stored.indexes.some((present) => sameSpec(present.spec, index))) continue;
          const number = nextNumber(writer);
          stored.indexes.push({
            number,
            spec: index,
            multikey: 0,
            truncated: false,
            readable: true,
            ...building,
          });
        }
        this.#store(writer, name, stored);
      })
      ?.catch(() => {});
    this.forget();
    this.refresh(environment.latest);
    return result;
  }

  /** Marks every index for a rebuild. */
  rebuildAll(writer: Writer): void {
    for (const { name } of this.all()) {
      const stored = readStored(writer, name)!;
      for (const index of stored.indexes) {
        index.building = true;
        index.readable = true;
      }
      this.#store(writer, name, stored);
    }
  }

  #isDeclared(name: string, spec: CollectionSpec): boolean {
    const definition = this.#collections.get(name);
    return (
      definition !== undefined &&
      definition.indexes.length === (spec.indexes ?? []).length &&
      (spec.indexes ?? []).every((index) =>
        definition.indexes.some((present) => sameSpec(present.spec, index)),
      )
    );
  }

  /** Stores new traits; the planner sees them after the commit. */
  learn(writer: Writer, name: string, traits: readonly Trait[]): void {
    const stored = readStored(writer, name);
    if (stored === undefined)
      throw new StorageError('unavailable', `the collection "${name}" no longer exists`);
    let changed = false;
    for (const trait of traits) changed = apply(stored, trait) || changed;
    if (changed) this.#store(writer, name, stored);
  }

  /** The numbers of a stored definition and of its indexes. */
  numbersOf(stored: Readonly<Record<string, unknown>>): number[] {
    const { number, indexes } = stored as unknown as StoredCollection;
    return [number, ...indexes.map((index) => index.number)];
  }

  /** Whether a collection or an index has the number. */
  has(number: number): boolean {
    if (this.#byNumber.has(number)) return true;
    for (const { indexes } of this.#byNumber.values())
      if (indexes.some((index) => index.number === number)) return true;
    return false;
  }

  nextNumber(writer: Writer): number {
    return nextNumber(writer);
  }

  /**
   * Replaces all definitions, under the numbers that `numbers` maps theirs to. A collection missing in the new ones
   * stays, empty.
   */
  replaceAll(
    writer: Writer,
    definitions: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
    numbers: ReadonlyMap<number, number>,
  ): void {
    for (const { name } of this.all()) {
      if (definitions.has(name)) continue;
      const stored = readStored(writer, name)!;
      this.#store(
        writer,
        name,
        renumber(stored, () => nextNumber(writer)),
      );
    }
    for (const [name, definition] of definitions)
      this.#store(
        writer,
        name,
        renumber(definition as unknown as StoredCollection, (number) => numbers.get(number)!),
      );
  }

  /** Called after the definitions were replaced: the next refresh rereads them. */
  supersede(writer: Writer, version: number): void {
    writeCounter(writer, VERSION, Math.max(version, readCounter(writer, VERSION)) + 1);
  }

  #store(writer: Writer, name: string, stored: StoredCollection): void {
    writer.put('catalog', Buffer.from(COLLECTIONS + name), encode(stored));
    writeCounter(writer, VERSION, readCounter(writer, VERSION) + 1);
  }
}

/** Keeps traits that an open transaction has learned and not stored yet. */
function keepTraits(before: CollectionDefinition | undefined, after: CollectionDefinition): void {
  for (const index of after.indexes) {
    const known = before?.indexes.find(({ number }) => number === index.number);
    index.multikey |= known?.multikey ?? 0;
    index.truncated ||= known?.truncated ?? false;
    if (known?.readable === false && known.stored.readable) index.readable = false;
  }
}

function apply(stored: StoredCollection, trait: Trait): boolean {
  switch (trait.kind) {
    case 'logged':
    case 'longIds': {
      const known = stored[trait.kind];
      stored[trait.kind] = true;
      return !known;
    }
    case 'built': {
      const index = stored.indexes.find(({ number }) => number === trait.index);
      const wasBuilding = index?.building === true;
      if (index !== undefined) delete index.building;
      return wasBuilding;
    }
    case 'unreadable': {
      const index = stored.indexes.find(({ number }) => number === trait.index);
      const wasReadable = index?.readable === true;
      if (index !== undefined) index.readable = false;
      return wasReadable;
    }
    case 'truncated':
    case 'multikey': {
      const index = stored.indexes.find(({ number }) => number === trait.index);
      if (index === undefined) return false;
      const before = trait.kind === 'truncated' ? index.truncated : index.multikey;
      if (trait.kind === 'truncated') index.truncated = true;
      else index.multikey |= trait.bits;
      return before !== (trait.kind === 'truncated' ? index.truncated : index.multikey);
    }
  }
}

function readStored(reader: Reader, name: string): StoredCollection | undefined {
  const bytes = reader.get('catalog', Buffer.from(COLLECTIONS + name));
  return bytes && (decode(bytes) as unknown as StoredCollection);
}

function isEmpty(reader: Reader, collection: number): boolean {
  const walk = reader.walk('documents', { start: prefix(collection), end: prefix(collection + 1) });
  const any = walk.step();
  walk.end();
  return !any;
}

/** The key under which an index build stores its progress. */
export function buildKey(index: number): Buffer {
  return Buffer.from(`build/${index}`);
}

function collectionRange() {
  return { start: Buffer.from(COLLECTIONS), end: Buffer.from('collection0') };
}

function nextNumber(writer: Writer): number {
  const number = readCounter(writer, NEXT_NUMBER) + 1;
  writeCounter(writer, NEXT_NUMBER, number);
  return number;
}

export function readCounter(reader: Reader, key: Buffer): number {
  const bytes = reader.get('catalog', key);
  return bytes === undefined ? 0 : bytes.readDoubleBE(0);
}

export function writeCounter(writer: Writer, key: Buffer, value: number): void {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeDoubleBE(value, 0);
  writer.put('catalog', key, bytes);
}
