/** Attributes of an index's rows as typed columns: a scan tests a row without touching an object. */
import type { EntryAttributes, EntryFilter } from './attributes.js';
import { ENTRY_TYPES } from './schema.js';

/** Flags in the type byte: archived, expires, belongs to an end user, has a limited validity. */
const ARCHIVED = 0x80;
const EXPIRES = 0x40;
const PERSONAL = 0x20;
const BOUNDED = 0x10;
/** A byte below this is a type without flags. */
const MARKED = BOUNDED;

export class AttributeColumns {
  #types = new Uint8Array(64);
  #createdAt = new Float64Array(64);
  #expiresAt = new Float64Array(64);
  #validFrom = new Float64Array(64);
  #validUntil = new Float64Array(64);
  readonly #sessions: (string | null)[] = [];
  readonly #users: (string | null)[] = [];

  set(row: number, attributes: EntryAttributes): void {
    if (row >= this.#types.length) this.#grow(row);
    const { type, archived, createdAt, expiresAt, session, user, validFrom, validUntil } = attributes;
    this.#types[row] =
      ENTRY_TYPES.indexOf(type) |
      (archived ? ARCHIVED : 0) |
      (expiresAt === null ? 0 : EXPIRES) |
      (user === null ? 0 : PERSONAL) |
      (validFrom <= createdAt && validUntil === Infinity ? 0 : BOUNDED);
    this.#createdAt[row] = createdAt;
    this.#expiresAt[row] = expiresAt ?? Infinity;
    this.#validFrom[row] = validFrom;
    this.#validUntil[row] = validUntil;
    this.#sessions[row] = session;
    this.#users[row] = user;
  }

  move(from: number, to: number): void {
    this.#types[to] = this.#types[from]!;
    this.#createdAt[to] = this.#createdAt[from]!;
    this.#expiresAt[to] = this.#expiresAt[from]!;
    this.#validFrom[to] = this.#validFrom[from]!;
    this.#validUntil[to] = this.#validUntil[from]!;
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

  /** A row predicate for the instant `now` (milliseconds since the epoch). */
  admits(filter: EntryFilter | undefined, now: number): (row: number) => boolean {
    const types = this.#types;
    const expiresAt = this.#expiresAt;
    const validFrom = this.#validFrom;
    const validUntil = this.#validUntil;
    const plain = filter?.asOf === undefined ? MARKED : 0;
    const at = filter?.asOf ?? now;
    const type = filter?.type === undefined ? -1 : ENTRY_TYPES.indexOf(filter.type);
    const session = filter?.session;
    const sessions = session === undefined ? undefined : this.#sessions;
    const user = filter?.user;
    const users = user === undefined ? undefined : this.#users;
    return (row) => {
      const own = types[row]!;
      if (type !== -1 && (own & ~(ARCHIVED | EXPIRES | PERSONAL | BOUNDED)) !== type) return false;
      if (sessions !== undefined && sessions[row] !== session) return false;
      if (own < plain) return true;
      if (own >= ARCHIVED) return false;
      if (users !== undefined && users[row] !== null && users[row] !== user) return false;
      return expiresAt[row]! > now && validFrom[row]! <= at && at < validUntil[row]!;
    };
  }

  /** The rows of a list that pass. For most of them the first byte decides, without a call. */
  select(rows: Int32Array, filter: EntryFilter | undefined, now: number): Int32Array {
    const admits = this.admits(filter, now);
    const types = this.#types;
    const { type, session, asOf } = filter ?? {};
    const plain = type === undefined && session === undefined && asOf === undefined ? MARKED : 0;
    const selected = new Int32Array(rows.length);
    let size = 0;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      if (types[row]! < plain || admits(row)) selected[size++] = row;
    }
    return size === selected.length ? selected : selected.slice(0, size);
  }

  /** Size of the columns in bytes; session and user ids count as references. */
  get bytes(): number {
    return this.#types.length * 33 + this.#sessions.length * 16;
  }

  #grow(row: number): void {
    const capacity = Math.max(row + 1, Math.ceil(this.#types.length * 1.5));
    const types = new Uint8Array(capacity);
    const createdAt = new Float64Array(capacity);
    const expiresAt = new Float64Array(capacity);
    const validFrom = new Float64Array(capacity);
    const validUntil = new Float64Array(capacity);
    types.set(this.#types);
    createdAt.set(this.#createdAt);
    expiresAt.set(this.#expiresAt);
    validFrom.set(this.#validFrom);
    validUntil.set(this.#validUntil);
    this.#types = types;
    this.#createdAt = createdAt;
    this.#expiresAt = expiresAt;
    this.#validFrom = validFrom;
    this.#validUntil = validUntil;
  }
}
