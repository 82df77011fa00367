/**
 * The compound keys that a document has under some paths: one, or one for each item where a path meets an
 * array. What an index stores and what a sort compares.
 */
import { StorageError } from 'plugboard/sdk';
import { isPlainObject, type Values } from '../bson/value.js';
import { EMPTY_ARRAY } from '../order.js';
import { arrayIndex, type Path } from './values/path.js';

export interface IndexKeys {
  /** Never empty. A missing member is null. */
  readonly keys: readonly (readonly unknown[])[];
  /** Which paths met an array; paths beyond the end of the list did not. */
  readonly multikey: readonly boolean[];
}

export function indexKeys(document: Values, paths: readonly Path[]): IndexKeys {
  return plainKeys(document, paths) ?? expandedKeys(document, paths);
}

/** Fast path for the common case: every path is a top-level member and no value is an array. */
function plainKeys(document: Values, paths: readonly Path[]): IndexKeys | undefined {
  const key: unknown[] = [];
  for (const path of paths) {
    const [name] = path;
    if (path.length > 1 || name === undefined) return undefined;
    const value = Object.hasOwn(document, name) ? document[name] : undefined;
    if (Array.isArray(value)) return undefined;
    key.push(value ?? null);
  }
  return { keys: [key], multikey: NONE };
}

/** Paths that are not listed meet no array. */
const NONE: readonly boolean[] = [];

function expandedKeys(document: Values, paths: readonly Path[]): IndexKeys {
  const multikey = paths.map(() => false);
  const keys: unknown[][] = [];
  expand(
    paths.map((path) => ({ value: document as unknown, path, at: 0 })),
    { keys, multikey },
  );
  return { keys, multikey };
}

interface Place {
  readonly value: unknown;
  readonly path: Path;
  readonly at: number;
  /** The first array that the last walk entered by an index. */
  readonly passed?: unknown[] | undefined;
}

interface Found {
  readonly keys: unknown[][];
  readonly multikey: boolean[];
}

/** Walks every path to its end or to the first array; paths that meet the same array are unwound together. */
function expand(places: readonly Place[], result: Found): void {
  const reached = places.map(walk);
  const outer = theSame(reached.map(({ value, passed }) => passed ?? value));
  // Where some paths go through an array and others into one of its items, those that go through are first.
  const array = reached.some(({ value }) => value === outer)
    ? outer
    : theSame(reached.map(({ value }) => value));
  if (array === undefined) {
    result.keys.push(reached.map(({ value }) => (value instanceof Nested ? value.array : value) ?? null));
    return;
  }
  reached.forEach(({ value }, at) => (result.multikey[at] ||= value === array));
  const items: readonly unknown[] = array.length === 0 ? [EMPTY_ARRAY] : array;
  for (const item of items)
    expand(
      reached.map((place) => (place.value === array ? inItem(place, item) : place)),
      result,
    );
}

/** The one array among the values, if there is one. */
function theSame(values: readonly unknown[]): unknown[] | undefined {
  let array: unknown[] | undefined;
  for (const value of values) {
    if (!Array.isArray(value)) continue;
    if (array !== undefined && array !== value)
      throw new StorageError(
        'invalid',
        'two paths of an index or a sort reach different arrays of one document',
      );
    array = value as unknown[];
  }
  return array;
}

function inItem(place: Place, item: unknown): Place {
  // At the end of a path, a nested array is a value.
  if (place.at >= place.path.length)
    return { ...place, value: Array.isArray(item) ? new Nested(item) : item };
  // Items that are not objects have no members.
  return isPlainObject(item)
    ? { ...place, value: item }
    : { ...place, value: undefined, at: place.path.length };
}

/** Marks an array that must not be unwound. */
class Nested {
  readonly array: readonly unknown[];

  constructor(array: readonly unknown[]) {
    this.array = array;
  }
}

/** Descends through objects along the path; stops at an array. */
function walk(place: Place): Place {
  let { value, at } = place;
  const { path } = place;
  let passed: unknown[] | undefined;
  while (at < path.length) {
    if (Array.isArray(value)) {
      const index = arrayIndex(path[at]!);
      if (index === undefined || index >= value.length) break;
      passed ??= value as unknown[];
      value = value[index];
    } else if (isPlainObject(value) && Object.hasOwn(value, path[at]!)) {
      value = value[path[at]!];
    } else {
      return { value: undefined, path, at: path.length, passed };
    }
    at++;
  }
  return { value, path, at, passed };
}
