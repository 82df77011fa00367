/** The values of documents and their BSON types. */

export type Values = Record<string, unknown>;

/** Element types of BSON. */
export const Type = {
  double: 0x01,
  string: 0x02,
  object: 0x03,
  array: 0x04,
  binary: 0x05,
  boolean: 0x08,
  date: 0x09,
  null: 0x0a,
  int32: 0x10,
  int64: 0x12,
} as const;

/** The deepest nesting of a document. */
export const MAX_DEPTH = 100;

export function isPlainObject(value: unknown): value is Values {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
