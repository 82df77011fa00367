/** Row lists by owner, so that a search reads only the owner's rows. */
import type { Owner } from '../base/attributes.js';

interface Pool {
  readonly owner: Owner;
  rows: Int32Array;
  size: number;
}

export class RowPools {
  readonly #pools = new Map<Owner, Pool>();
  /** The pool of a row; undefined: none. */
  readonly #poolOf: (Pool | undefined)[] = [];
  /** A row's index in its pool's list. */
  #places: Int32Array = new Int32Array(64);

  add(row: number, owner: Owner): void {
    const pool = this.#pools.get(owner) ?? { owner, rows: new Int32Array(4), size: 0 };
    this.#pools.set(owner, pool);
    if (pool.size === pool.rows.length) pool.rows = larger(pool.rows, pool.size + 1);
    if (row >= this.#places.length) this.#places = larger(this.#places, row + 1);
    this.#places[row] = pool.size;
    pool.rows[pool.size++] = row;
    this.#poolOf[row] = pool;
  }

  remove(row: number): void {
    const pool = this.#poolOf[row]!;
    const place = this.#places[row]!;
    const last = pool.rows[--pool.size]!;
    pool.rows[place] = last;
    this.#places[last] = place;
    this.#poolOf[row] = undefined;
    if (pool.size === 0) this.#pools.delete(pool.owner);
  }

  owner(row: number): Owner | undefined {
    return this.#poolOf[row]?.owner;
  }

  /** A row predicate. Comparing owner names would take most of the time. */
  areOf(owner: Owner): (row: number) => boolean {
    const pool = this.#pools.get(owner);
    const poolOf = this.#poolOf;
    return (row) => pool !== undefined && poolOf[row] === pool;
  }

  /** The row gets a new number. */
  move(from: number, to: number): void {
    const place = this.#places[from]!;
    const pool = this.#poolOf[from]!;
    pool.rows[place] = to;
    this.#places[to] = place;
    this.#poolOf[to] = pool;
    this.#poolOf[from] = undefined;
  }

  /** An owner's rows; valid until the next change. */
  of(owner: Owner): Int32Array {
    const pool = this.#pools.get(owner);
    return pool === undefined ? new Int32Array(0) : pool.rows.subarray(0, pool.size);
  }

  get bytes(): number {
    let bytes = this.#places.byteLength + this.#poolOf.length * 8;
    for (const pool of this.#pools.values()) bytes += 120 + pool.rows.byteLength;
    return bytes;
  }
}

function larger(cells: Int32Array, least: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(Math.max(least, Math.ceil(cells.length * 1.5)));
  grown.set(cells);
  return grown;
}
