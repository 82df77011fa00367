/** Definitions of collections and their indexes, as stored and as used. */
import type { IndexSpec } from 'plugboard/sdk';
import { encode } from '../bson/encode.js';
import { compile, type Predicate } from './filter/predicate.js';
import { parsePath, type Path } from './values/path.js';

export interface IndexDefinition {
  readonly number: number;
  /** The paths joined by commas. */
  readonly name: string;
  readonly spec: IndexSpec;
  readonly paths: readonly Path[];
  readonly pathNames: readonly string[];
  readonly directions: readonly (1 | -1)[];
  readonly partial: Predicate | undefined;
  /** Being built: writes maintain it, queries do not use it yet. */
  readonly building: boolean;
  /** A bit for each path that has, or may have, an array in some document. */
  multikey: number;
  /** Whether some key was truncated, so that its order is approximate. */
  truncated: boolean;
  /** Whether every value, except arrays, objects and binary, can be restored from its key. */
  readable: boolean;
  /** The three traits as stored. */
  readonly stored: { readonly multikey: number; readonly truncated: boolean; readonly readable: boolean };
}

export interface CollectionDefinition {
  readonly number: number;
  /** `namespace/name`. */
  readonly name: string;
  readonly indexes: readonly IndexDefinition[];
  /** Those that queries may use. */
  readonly complete: readonly IndexDefinition[];
  /** Whether changes are logged: from the first feed on. */
  readonly logged: boolean;
  /** Whether some id was too long for a key. */
  readonly longIds: boolean;
}

export interface StoredIndex {
  number: number;
  spec: IndexSpec;
  multikey: number;
  truncated: boolean;
  /** Missing in indexes built by an older version that did not record it. */
  readable?: boolean;
  building?: true;
}

export interface StoredCollection {
  number: number;
  logged: boolean;
  longIds: boolean;
  indexes: StoredIndex[];
}

export function toDefinition(name: string, stored: StoredCollection): CollectionDefinition {
  const indexes = stored.indexes.map(toIndex);
  return {
    number: stored.number,
    name,
    logged: stored.logged,
    longIds: stored.longIds,
    indexes,
    complete: indexes.filter(({ building }) => !building),
  };
}

function toIndex({
  number,
  spec,
  multikey,
  truncated,
  readable = false,
  building,
}: StoredIndex): IndexDefinition {
  const pathNames = Object.keys(spec.keys);
  return {
    number,
    name: pathNames.join(','),
    spec,
    pathNames,
    paths: pathNames.map(parsePath),
    directions: Object.values(spec.keys),
    partial: spec.partial && compile(spec.partial),
    building: building === true,
    multikey,
    truncated,
    readable,
    stored: { multikey, truncated, readable },
  };
}

export function renumber(stored: StoredCollection, to: (number: number) => number): StoredCollection {
  return {
    ...stored,
    number: to(stored.number),
    indexes: stored.indexes.map((index) => ({ ...index, number: to(index.number) })),
  };
}

export function sameSpec(a: IndexSpec, b: IndexSpec): boolean {
  return encode(canonical(a)).equals(encode(canonical(b)));
}

/** Same paths and directions over the same documents: one replaces the other. */
export function samePlace(a: IndexSpec, b: IndexSpec): boolean {
  return encode({ keys: a.keys, partial: a.partial }).equals(encode({ keys: b.keys, partial: b.partial }));
}

function canonical({ keys, unique = false, sparse = false, partial, expireAfterSeconds }: IndexSpec): object {
  return { keys, unique, sparse, partial, expireAfterSeconds };
}
