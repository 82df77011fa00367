/** Checks values before they are stored, and translates the driver's types back. */
import { BSON, DBRef, type Document as DriverDocument } from 'mongodb';
import { type Document, StorageError } from 'plugboard/sdk';
import { decode } from '../../bson/decode.js';

/** Ids are strings; the driver's default type is ObjectId. */
export type Stored = DriverDocument & { _id: string };

/** Throws `invalid` if the document has no string id or contains a value that is not one of the port's. */
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

/** `find` returns documents as bytes: decoding them here takes half of the driver's time, and no second pass. */
export const AS_BYTES = { raw: true } as const;

/** A document of a call with `AS_BYTES`. */
export function fromBytes(bytes: Uint8Array): Document {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return decode(buffer) as unknown as Document;
  } catch {
    // Another program may have stored other types: they are returned as the driver's.
    return fromDriver(BSON.deserialize(buffer, { promoteBuffers: true, useBigInt64: true })) as Document;
  }
}

/** Converts a document in place to the port's types: binary becomes separate Uint8Arrays. */
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
  // Copied: the driver's buffer is a view that would keep the whole batch in memory.
  if (value instanceof Uint8Array) return new Uint8Array(value);
  // The driver decodes any object with `$ref` and `$id`, such as a JSON schema, as a DBRef.
  if (value instanceof DBRef)
    return {
      $ref: value.collection,
      $id: valueFromDriver(value.oid),
      ...(value.db !== undefined && { $db: value.db }),
      ...fromDriver(value.fields),
    };
  return fromDriver(value);
}

/** The path and reason of a value that cannot be stored, built from the inside out so that valid values cost nothing. */
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
  // The driver would take the object for a BSON type of its own.
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
