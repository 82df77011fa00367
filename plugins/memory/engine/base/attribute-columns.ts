/** The attributes of an index's rows as typed columns, so that a scan decides about a row without touching an object. */
import type { EntryAttributes, EntryFilter } from './attributes.js';
import { ENTRY_TYPES } from './schema.js';

/** Set in the type column's byte when the entry is archived, when it expires, and when it belongs to an end user. */
const ARCHIVED = 0x80;
const EXPIRES = 0x40;
const PERSONAL = 0x20;
/** A byte below this is a type and nothing else. */
const MARKED = PERSONAL;

export class AttributeColumns {
  #types = new Uint8Array(64);
  #createdAt = new Float64Array(64);
  #expiresAt = new Float64Array(64);
  readonly #sessions: (string | null)[] = [];
  readonly #users: (string | null)[] = [];

  set(row: number, attributes: EntryAttributes): void {
    if (row >= this.#types.length) this.#grow(row);
    const { type, archived, createdAt, expiresAt, session, user } = attributes;
    this.#types[row] =
      ENTRY_TYPES.indexOf(type) |
      (archived ? ARCHIVED : 0) |
      (expiresAt === null ? 0 : EXPIRES) |
      (user === null ? 0 : PERSONAL);
    this.#createdAt[row] = createdAt;
    this.#expiresAt[row] = expiresAt ?? Infinity;
    this.#sessions[row] = session;
    this.#users[row] = user;
  }

  move(from: number, to: number): void {
    this.#types[to] = this.#types[from]!;
    this.#createdAt[to] = this.#createdAt[from]!;
    this.#expiresAt[to] = this.#expiresAt[from]!;
    this.#sessions[to] = this.#sessions[from]!;
    this.#users[to] = this.#users[from]!;
  }

  /** Forgets the rows from `length` on. */
  truncate(length: number): void {
    this.#sessions.length = Math.min(this.#sessions.length, length);
    this.#users.length = this.#sessions.length;
  }

  createdAt(row: number): number {
    return this.#createdAt[row]!;
  }

  /** A test of rows at the instant `now` (milliseconds since the epoch). */
  admits(filter: EntryFilter | undefined, now: number): (row: number) => boolean {
    const types = this.#types;
    const expiresAt = this.#expiresAt;
    const type = filter?.type === undefined ? -1 : ENTRY_TYPES.indexOf(filter.type);
    const session = filter?.session;
    const sessions = session === undefined ? undefined : this.#sessions;
    const user = filter?.user;
    const users = user === undefined ? undefined : this.#users;
    return (row) => {
      const own = types[row]!;
      if (type !== -1 && (own & ~(ARCHIVED | EXPIRES | PERSONAL)) !== type) return false;
      if (sessions !== undefined && sessions[row] !== session) return false;
      if (own < MARKED) return true;
      if (own >= ARCHIVED) return false;
      if (users !== undefined && users[row] !== null && users[row] !== user) return false;
      return expiresAt[row]! > now;
    };
  }

  /** The rows of a list that pass. Most of them show it by their first byte, without a call. */
  select(rows: Int32Array, filter: EntryFilter | undefined, now: number): Int32Array {
    const admits = this.admits(filter, now);
    const types = this.#types;
    const plain = filter?.type === undefined && filter?.session === undefined ? MARKED : 0;
    const selected = new Int32Array(rows.length);
    let size = 0;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      if (types[row]! < plain || admits(row)) selected[size++] = row;
    }
    return size === selected.length ? selected : selected.slice(0, size);
  }

  /** Bytes of the columns; the ids of sessions and users are counted as references. */
  get bytes(): number {
    return this.#types.length * 17 + this.#sessions.length * 16;
  }

  #grow(row: number): void {
    const capacity = Math.max(row + 1, Math.ceil(this.#types.length * 1.5));
    const types = new Uint8Array(capacity);
    const createdAt = new Float64Array(capacity);
    const expiresAt = new Float64Array(capacity);
    types.set(this.#types);
    createdAt.set(this.#createdAt);
    expiresAt.set(this.#expiresAt);
    this.#types = types;
    this.#createdAt = createdAt;
    this.#expiresAt = expiresAt;
  }
}
