/** What a column type can do with values: read them, print them and compare them. */
import type { Stored } from './stored.js';
import type { TimeZone } from './time-zone.js';

export interface ValueType {
  /** PostgreSQL's own name with its modifier: `integer`, `character varying(64)`, `text[]`. */
  readonly name: string;
  readonly family: TypeFamily;
  /** Of an array: the type of its elements. */
  readonly element: ValueType | undefined;
  /** Of a range: the type of its bounds. */
  readonly bounds?: ValueType;
  /** Of an enumeration: its values, the lowest first. */
  readonly labels?: readonly string[];
  /** Of a domain: its own name; `name` is that of the underlying type. */
  readonly domain?: string;
  readonly over?: ValueType;
  /**
   * Whether storage compares and sorts the stored form as PostgreSQL does the values, so that it can answer eq, neq,
   * gt, gte, lt, lte, in and order. Not so for arrays, json and unknown types, where only equality may be (`equality`).
   */
  readonly ordered: boolean;
  /** Whether equality of the stored form is equality of the values. */
  readonly equality: boolean;
  /** Parses a literal of a query string. Throws 22P02, 22003, 22007 or 22001. */
  parse(text: string): Stored;
  /** Reads a value of a JSON body; null is null. Throws like `parse`. */
  fromJson(value: unknown): Stored | null;
  /** JSON text of the value. */
  toJson(value: Stored): string;
  /** JSON text of null, if it is not `null`. */
  nullToJson?(): string;
  /** The text of the value: `::text`, CSV, the right side of `like`. */
  toText(value: Stored): string;
  /** The same type in a session of another time zone, if literals and texts depend on it. */
  inZone?(zone: TimeZone): ValueType;
  /** Negative, 0 or positive: PostgreSQL's order of the type, text in the C collation. */
  compare(a: Stored, b: Stored): number;
}

export function inZone(type: ValueType, zone: TimeZone): ValueType {
  return type.inZone?.(zone) ?? type;
}

export type TypeFamily =
  | 'integer'
  | 'numeric'
  | 'float'
  | 'money'
  | 'text'
  | 'boolean'
  | 'date'
  | 'timestamp'
  | 'time'
  | 'uuid'
  | 'bytea'
  | 'bit'
  | 'json'
  | 'array'
  | 'range'
  | 'tsvector'
  | 'unknown';
