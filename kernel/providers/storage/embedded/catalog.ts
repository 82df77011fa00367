/** The collections and indexes, kept in the store. */
import { StorageError, type CollectionSpec, type IndexSpec } from '../../../sdk/storage.js';
import { encode } from '../bson/encode.js';
import { decode } from '../bson/decode.js';
import type { Environment, Reader, Writer } from './lmdb/environment.js';
import { entriesOf } from './lmdb/key-space.js';
import { prefix } from './values/key-encoding.js';
import { parsePath, type Path } from './values/path.js';
import { compile, type Predicate } from './filter/predicate.js';

export interface IndexDefinition {
  readonly number: number;
  /** The paths joined by commas. */
  readonly name: string;
  readonly spec: IndexSpec;
  readonly paths: readonly Path[];
  readonly pathNames: readonly string[];
  readonly directions: readonly (1 | -1)[];
  readonly partial: Predicate | undefined;
  /** A bit for each path under which some document has, or may have, an array. */
  multikey: number;
  /** Whether some key was too long and is in order only roughly. */
  truncated: boolean;
  /** The two as the store knows them. */
  readonly stored: { readonly multikey: number; readonly truncated: boolean };
}

export interface CollectionDefinition {
  readonly number: number;
  /** `namespace/name`. */
  readonly name: string;
  readonly indexes: readonly IndexDefinition[];
  /** Whether changes are logged: from the first feed on. */
  readonly logged: boolean;
  /** Whether some id was too long for a key. */
  readonly longIds: boolean;
}

interface StoredIndex {
  number: number;
  spec: IndexSpec;
  multikey: number;
  truncated: boolean;
}

interface StoredCollection {
  number: number;
  logged: boolean;
  longIds: boolean;
  indexes: StoredIndex[];
}

const VERSION = Buffer.from('version');
const NEXT_NUMBER = Buffer.from('next');
const COLLECTIONS = 'collection/';

/** What a write job found out about a collection that planners must know. */
export type Trait =
  | { readonly kind: 'multikey'; readonly index: number; readonly bits: number }
  | { readonly kind: 'truncated'; readonly index: number }
  | { readonly kind: 'longIds' }
  /** A feed was opened. */
  | { readonly kind: 'logged' };

export class Catalog {
  #version = -1;
  #collections = new Map<string, CollectionDefinition>();
  #byNumber = new Map<number, CollectionDefinition>();

  /** Reads the definitions again when their version has changed. Returns the version. */
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

  /** Discards what was read inside a write transaction that failed; the next refresh reads it again. */
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
   * Makes the collection and the indexes that are missing; `build` fills a new index. An index on the same
   * paths with other options is rebuilt, one that is no longer declared is removed. Returns the names of
   * those that were removed.
   */
  declare(
    environment: Environment,
    name: string,
    spec: CollectionSpec,
    build: (writer: Writer, definition: CollectionDefinition, index: IndexDefinition) => void,
  ): string[] {
    const removed: string[] = [];
    if (this.refresh(environment.latest) >= 0 && this.#isDeclared(name, spec)) return removed;
    environment.write((writer) => {
      this.refresh(writer);
      if (this.#isDeclared(name, spec)) return;
      const stored = readStored(writer, name) ?? {
        number: nextNumber(writer),
        logged: false,
        longIds: false,
        indexes: [],
      };
      const declared = spec.indexes ?? [];
      for (const { number, spec: present } of stored.indexes) {
        if (declared.some((index) => sameSpec(index, present))) continue;
        clearIndex(writer, number);
        if (!declared.some((index) => samePlace(index, present)))
          removed.push(Object.keys(present.keys).join(','));
      }
      stored.indexes = stored.indexes.filter(({ spec: present }) =>
        declared.some((index) => sameSpec(index, present)),
      );
      const added: number[] = [];
      for (const index of declared) {
        if (stored.indexes.some((present) => sameSpec(present.spec, index))) continue;
        const number = nextNumber(writer);
        stored.indexes.push({ number, spec: index, multikey: 0, truncated: false });
        added.push(number);
      }
      const definition = toDefinition(name, stored);
      for (const index of definition.indexes) {
        if (!added.includes(index.number)) continue;
        build(writer, definition, index);
        const entry = stored.indexes.find(({ number }) => number === index.number)!;
        entry.multikey = index.multikey;
        entry.truncated = index.truncated;
      }
      this.#store(writer, name, stored);
    });
    this.forget();
    this.refresh(environment.latest);
    return removed;
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

  /** Stores what is new in `traits`; planners see it with the commit. */
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
   * Puts other definitions in the place of all, under the numbers that `numbers` has for theirs. A collection that
   * they lack stays, empty.
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

  /** After the definitions were replaced: the next refresh reads them again. */
  supersede(writer: Writer, version: number): void {
    writeCounter(writer, VERSION, Math.max(version, readCounter(writer, VERSION)) + 1);
  }

  #store(writer: Writer, name: string, stored: StoredCollection): void {
    writer.put('catalog', Buffer.from(COLLECTIONS + name), encode(stored));
    writeCounter(writer, VERSION, readCounter(writer, VERSION) + 1);
  }
}

/** What an open transaction has found out is not stored yet. */
function keepTraits(before: CollectionDefinition | undefined, after: CollectionDefinition): void {
  for (const index of after.indexes) {
    const known = before?.indexes.find(({ number }) => number === index.number);
    index.multikey |= known?.multikey ?? 0;
    index.truncated ||= known?.truncated ?? false;
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

function renumber(stored: StoredCollection, to: (number: number) => number): StoredCollection {
  return {
    ...stored,
    number: to(stored.number),
    indexes: stored.indexes.map((index) => ({ ...index, number: to(index.number) })),
  };
}

function toDefinition(name: string, stored: StoredCollection): CollectionDefinition {
  return {
    number: stored.number,
    name,
    logged: stored.logged,
    longIds: stored.longIds,
    indexes: stored.indexes.map(({ number, spec, multikey, truncated }) => {
      const pathNames = Object.keys(spec.keys);
      return {
        number,
        name: pathNames.join(','),
        spec,
        pathNames,
        paths: pathNames.map(parsePath),
        directions: Object.values(spec.keys),
        partial: spec.partial && compile(spec.partial),
        multikey,
        truncated,
        stored: { multikey, truncated },
      };
    }),
  };
}

function readStored(reader: Reader, name: string): StoredCollection | undefined {
  const bytes = reader.get('catalog', Buffer.from(COLLECTIONS + name));
  return bytes && (decode(bytes) as unknown as StoredCollection);
}

function collectionRange() {
  return { start: Buffer.from(COLLECTIONS), end: Buffer.from('collection0') };
}

export function sameSpec(a: IndexSpec, b: IndexSpec): boolean {
  return encode(canonical(a)).equals(encode(canonical(b)));
}

/** The same paths in the same directions, over the same documents: one replaces the other. */
function samePlace(a: IndexSpec, b: IndexSpec): boolean {
  return encode({ keys: a.keys, partial: a.partial }).equals(encode({ keys: b.keys, partial: b.partial }));
}

function clearIndex(writer: Writer, number: number): void {
  const range = { start: prefix(number), end: prefix(number + 1) };
  for (const { key } of [...entriesOf(writer.walk('indexes', range))]) writer.remove('indexes', key);
}

function canonical({ keys, unique = false, sparse = false, partial, expireAfterSeconds }: IndexSpec): object {
  return { keys, unique, sparse, partial, expireAfterSeconds };
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
