/** Values on their way in and out: what may be stored, and what the driver's types become. */
import { BSON, DBRef, type Document as DriverDocument } from 'mongodb';
import { type Document, StorageError } from 'plugboard/sdk';
import { decode } from '../../bson/decode.js';

/** In the store the ids are strings; the driver's default type says ObjectId. */
export type Stored = DriverDocument & { _id: string };

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

/** Throws `invalid` for functions, symbols, class instances, invalid Dates, integers beyond 64 bits and deep nests. */
export function checkValue(value: unknown, path: string): void {
  const fault = faultIn(value, 0);
  if (fault === undefined) return;
  const at = path === '' ? fault.path : [path, ...fault.path];
  throw new StorageError('invalid', `"${at.join('.')}": ${fault.what} cannot be stored`);
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

/** What cannot be stored, and where: built from the inside out, so that nothing is built where all is well. */
interface Fault {
  readonly what: string;
  readonly path: readonly string[];
}

/** The embedded store's limit; MongoDB's own is somewhat above. */
const MAX_DEPTH = 100;

function faultIn(value: unknown, depth: number): Fault | undefined {
  switch (typeof value) {
    case 'object':
      return value === null ? undefined : faultInObject(value, depth);
    case 'bigint':
      return BigInt.asIntN(64, value) === value ? undefined : fault('an integer beyond 64 bits');
    case 'function':
    case 'symbol':
      return fault(`a ${typeof value}`);
    default:
      return undefined;
  }
}

function faultInObject(value: object, depth: number): Fault | undefined {
  if (value instanceof Uint8Array) return undefined;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? fault('an invalid Date') : undefined;
  if (depth > MAX_DEPTH)
    throw new StorageError('invalid', `a value is nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const inside = faultIn(value[at], depth + 1);
      if (inside !== undefined) return { what: inside.what, path: [String(at), ...inside.path] };
    }
    return undefined;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return fault(`a ${value.constructor.name}`);
  const members = value as Record<string, unknown>;
  // The driver would take the object for a value of its own.
  if (members['_bsontype'] !== undefined) return { what: 'a member of this name', path: ['_bsontype'] };
  for (const key of Object.keys(members)) {
    const inside = faultIn(members[key], depth + 1);
    if (inside !== undefined) return { what: inside.what, path: [key, ...inside.path] };
  }
  return undefined;
}

function fault(what: string): Fault {
  return { what, path: [] };
}
