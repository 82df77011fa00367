/** Sorts in memory, by the keys that an index would have. */
import { type Sort, sortInSteps, StorageError } from 'plugboard/sdk';
import type { Values } from '../../bson/value.js';
import { indexKeys } from '../index-keys.js';
import { compare } from '../../order.js';
import { checkPath, parsePath, type Path } from '../values/path.js';

export interface SortKey {
  readonly path: string;
  readonly direction: 1 | -1;
}

export function sortKeys(sort: Sort | undefined): readonly SortKey[] {
  if (sort === undefined) return [];
  return Object.entries(sort).map(([path, direction]) => {
    if (direction !== 1 && direction !== -1)
      throw new StorageError('invalid', `sort: "${path}" takes 1 or -1`);
    return { path: checkPath('sort', path), direction };
  });
}

/** Keeps the first `limit` documents in order; all of them without a limit. */
export class Sorter {
  readonly #paths: readonly Path[];
  readonly #directions: readonly number[];
  readonly #limit: number;
  #rows: { readonly key: readonly unknown[]; readonly document: Values }[] = [];

  constructor(keys: readonly SortKey[], limit: number) {
    this.#paths = keys.map(({ path }) => parsePath(path));
    this.#directions = keys.map(({ direction }) => direction);
    this.#limit = limit;
  }

  add(document: Values): void {
    const { keys } = indexKeys(document, this.#paths);
    const key = keys.reduce((first, other) => (this.#compare(other, first) < 0 ? other : first));
    this.#rows.push({ key, document });
  }

  /** Whether so many documents are held that `cut` is due. */
  get isFull(): boolean {
    return this.#rows.length >= 2 * this.#limit + 1000;
  }

  /** Drops documents that cannot be among the first; in steps. */
  *cut(): Generator<undefined, void> {
    this.#rows = yield* sortInSteps(this.#rows, (a, b) => this.#compare(a.key, b.key));
    if (this.#rows.length > this.#limit) this.#rows.length = this.#limit;
  }

  /** In steps; the caller may yield to the event loop between them. */
  *sorted(): Generator<undefined, Values[]> {
    yield* this.cut();
    return this.#rows.map(({ document }) => document);
  }

  #compare(a: readonly unknown[], b: readonly unknown[]): number {
    for (let at = 0; at < this.#directions.length; at++) {
      const order = compare(a[at], b[at]);
      if (order !== 0) return order * this.#directions[at]!;
    }
    return 0;
  }
}
