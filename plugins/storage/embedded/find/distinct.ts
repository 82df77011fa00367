/** The different values that documents have at a path. */
import type { Values } from '../../bson/value.js';
import { isPlainObject } from '../../bson/value.js';
import { compare } from '../../order.js';
import { arrayIndex, type Path } from '../values/path.js';

export class DistinctValues {
  readonly #path: Path;
  readonly #values: unknown[] = [];
  /** Most values are one of these types: only one of each is kept. */
  readonly #seen = new Set<unknown>();

  constructor(path: Path) {
    this.#path = path;
  }

  add(document: Values): void {
    for (const value of valuesAt(document, this.#path, 0)) {
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
        if (this.#seen.has(value)) continue;
        this.#seen.add(value);
      }
      this.#values.push(value);
    }
  }

  /** In BSON order. */
  sorted(): unknown[] {
    const values = this.#values.toSorted(compare);
    return values.filter((value, at) => at === 0 || compare(values[at - 1], value) !== 0);
  }
}

/** Every value at a path, the items of an array one by one. */
function* valuesAt(value: unknown, path: Path, at: number): Iterable<unknown> {
  if (at === path.length) {
    if (Array.isArray(value)) yield* value as unknown[];
    else if (value !== undefined) yield value;
  } else if (Array.isArray(value)) {
    const index = arrayIndex(path[at]!);
    if (index !== undefined && index < value.length) yield* valuesAt(value[index], path, at + 1);
    for (const item of value) if (isPlainObject(item)) yield* valuesAt(item, path, at);
  } else if (isPlainObject(value) && Object.hasOwn(value, path[at]!)) {
    yield* valuesAt(value[path[at]!], path, at + 1);
  }
}
