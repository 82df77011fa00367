/** Values on their way in and out: what may be stored, and what the driver's types become. */
import { BSON, DBRef } from 'mongodb';
import { StorageError, type Document } from '../../../sdk/index.js';
import { decode } from '../bson/decode.js';

/** Throws `invalid` when the document has no string id or holds what is not a value of the port. */
export function checkDocument(document: Document): void {
  if (typeof document._id !== 'string')
    throw new StorageError('invalid', 'the _id of a document is a string');
  checkValue(document, '');
}

/** MongoDB counts a replacement that changes nothing as modified when its `_id` is not the first member. */
export function idFirst<D extends Document>(document: D): D {
  if (Object.keys(document)[0] === '_id') return document;
  const { _id, ...others } = document;
  return { _id, ...others } as D;
}

/** Throws `invalid` for functions, symbols, class instances, invalid Dates and integers beyond 64 bits. */
export function checkValue(value: unknown, path: string): void {
  switch (typeof value) {
    case 'object':
      if (value !== null) checkObject(value, path);
      return;
    case 'bigint':
      if (BigInt.asIntN(64, value) !== value) refuse(path, 'an integer beyond 64 bits');
      return;
    case 'function':
    case 'symbol':
      refuse(path, `a ${typeof value}`);
      break;
    default:
  }
}

/** `find` answers documents as bytes: to read them ourselves takes half of the driver's time, and no second pass. */
export const AS_BYTES = { raw: true } as const;

/** A document of a call with `AS_BYTES`. */
export function fromBytes(bytes: Uint8Array): Document {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return decode(buffer) as unknown as Document;
  } catch {
    // Another program may have stored types that the port does not have: they come as the driver's.
    return fromDriver(BSON.deserialize(buffer, { promoteBuffers: true, useBigInt64: true })) as Document;
  }
}

/** A document as the port gives it: bytes in plain Uint8Arrays of their own. Changes `document` itself. */
export function fromDriver<T>(document: T): T {
  if (typeof document !== 'object' || document === null) return document;
  const members = document as Record<string, unknown>;
  for (const key in members) {
    const value = members[key];
    if (typeof value === 'object' && value !== null) members[key] = valueFromDriver(value);
  }
  return document;
}

export function valueFromDriver(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  // A copy: the driver's buffer is a view that would keep the whole batch in memory.
  if (value instanceof Uint8Array) return new Uint8Array(value);
  // The driver takes any object with `$ref` and `$id` (a JSON schema may have them) for a reference.
  if (value instanceof DBRef)
    return {
      $ref: value.collection,
      $id: valueFromDriver(value.oid),
      ...(value.db !== undefined && { $db: value.db }),
      ...fromDriver(value.fields),
    };
  return fromDriver(value);
}

function checkObject(value: object, path: string): void {
  if (value instanceof Uint8Array) return;
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) refuse(path, 'an invalid Date');
    return;
  }
  if (!Array.isArray(value)) {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) refuse(path, `a ${value.constructor.name}`);
  }
  for (const key of Object.keys(value)) {
    checkValue((value as Record<string, unknown>)[key], path === '' ? key : `${path}.${key}`);
  }
}

function refuse(path: string, what: string): never {
  throw new StorageError('invalid', `"${path}": ${what} cannot be stored`);
}
