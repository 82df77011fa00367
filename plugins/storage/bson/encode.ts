/**
 * Encodes the values of the port as BSON (bsonspec.org 1.1): null, boolean, number, bigint, string, Date, Uint8Array,
 * arrays and objects. `decode.ts` is the inverse.
 */
import { StorageError } from 'plugboard/sdk';
import { isPlainObject, MAX_DEPTH, Type, type Values } from './value.js';

/** MongoDB's limit, kept so that a document fits both stores. */
const MAX_BYTES = 16 * 1024 * 1024;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

// Reused between calls.
let scratch = Buffer.allocUnsafe(64 * 1024);
let end = 0;

/** The bytes of a document, `_id` first. Throws `too_large` and `invalid`. */
export function encode(document: object): Buffer {
  end = 0;
  writeObject(document, 0, true);
  refuseTooLarge();
  return Buffer.copyBytesFrom(scratch, 0, end);
}

/** Throws what `encode` would throw for a document with this value as the member `name`. */
export function checkValue(name: string, value: unknown): void {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return;
  end = 0;
  writeMember(name, value, -1);
  refuseTooLarge();
}

function refuseTooLarge(): void {
  if (end > MAX_BYTES) throw new StorageError('too_large', `a document of ${end} bytes is over 16 MiB`);
}

function reserve(bytes: number): void {
  if (end + bytes <= scratch.length) return;
  const grown = Buffer.allocUnsafe(Math.max(scratch.length * 2, end + bytes));
  scratch.copy(grown, 0, 0, end);
  scratch = grown;
}

function writeObject(object: object, depth: number, idFirst = false): void {
  if (depth > MAX_DEPTH)
    throw new StorageError('invalid', `a value is nested deeper than ${MAX_DEPTH} levels`);
  const start = end;
  reserve(4);
  end += 4;
  if (idFirst) writeMember('_id', (object as Values)['_id'], depth);
  for (const key of Object.keys(object)) {
    if (idFirst && key === '_id') continue;
    writeMember(key, (object as Values)[key], depth);
  }
  finish(start);
}

function writeArray(items: readonly unknown[], depth: number): void {
  if (depth > MAX_DEPTH)
    throw new StorageError('invalid', `a value is nested deeper than ${MAX_DEPTH} levels`);
  const start = end;
  reserve(4);
  end += 4;
  for (let at = 0; at < items.length; at++) writeMember(String(at), items[at] ?? null, depth);
  finish(start);
}

function finish(start: number): void {
  reserve(1);
  scratch[end++] = 0;
  scratch.writeInt32LE(end - start, start);
}

function writeMember(key: string, value: unknown, depth: number): void {
  if (value === undefined) return;
  // The driver of MongoDB would take an object with such a member for a BSON type of its own.
  if (key === '_bsontype')
    throw new StorageError('invalid', `"${key}": a member of this name cannot be stored`);
  reserve(1 + key.length * 3 + 1 + 13);
  const tagAt = end++;
  writeKey(key);
  switch (typeof value) {
    case 'string':
      scratch[tagAt] = Type.string;
      return writeString(value);
    case 'number':
      if ((value | 0) === value && !Object.is(value, -0)) {
        scratch[tagAt] = Type.int32;
        end = scratch.writeInt32LE(value, end);
      } else {
        scratch[tagAt] = Type.double;
        end = scratch.writeDoubleLE(value, end);
      }
      return;
    case 'boolean':
      scratch[tagAt] = Type.boolean;
      scratch[end++] = value ? 1 : 0;
      return;
    case 'bigint':
      if (value < MIN_INT64 || value > MAX_INT64)
        throw new StorageError('invalid', `"${key}": ${value} does not fit into 64 bits`);
      scratch[tagAt] = Type.int64;
      end = scratch.writeBigInt64LE(value, end);
      return;
    case 'object':
      return writeReference(key, value, tagAt, depth);
    default:
      throw new StorageError('invalid', `"${key}": a ${typeof value} cannot be stored`);
  }
}

function writeReference(key: string, value: object | null, tagAt: number, depth: number): void {
  if (value === null) {
    scratch[tagAt] = Type.null;
  } else if (Array.isArray(value)) {
    scratch[tagAt] = Type.array;
    writeArray(value, depth + 1);
  } else if (value instanceof Date) {
    const time = value.getTime();
    if (Number.isNaN(time)) throw new StorageError('invalid', `"${key}": an invalid Date cannot be stored`);
    scratch[tagAt] = Type.date;
    end = scratch.writeBigInt64LE(BigInt(time), end);
  } else if (value instanceof Uint8Array) {
    scratch[tagAt] = Type.binary;
    reserve(5 + value.length);
    end = scratch.writeInt32LE(value.length, end);
    scratch[end++] = 0;
    scratch.set(value, end);
    end += value.length;
  } else if (isPlainObject(value)) {
    scratch[tagAt] = Type.object;
    writeObject(value, depth + 1);
  } else {
    throw new StorageError('invalid', `"${key}": a ${value.constructor?.name ?? 'value'} cannot be stored`);
  }
}

function writeKey(key: string): void {
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at);
    if (code === 0) throw new StorageError('invalid', 'a field name cannot hold the character U+0000');
    if (code > 0x7f) {
      end += scratch.write(key.slice(at), end, 'utf8');
      break;
    }
    scratch[end++] = code;
  }
  scratch[end++] = 0;
}

function writeString(value: string): void {
  reserve(5 + value.length * 3);
  const lengthAt = end;
  end += 4;
  const start = end;
  let at = 0;
  // For short strings a loop is faster than a native call.
  if (value.length < 24) {
    for (; at < value.length; at++) {
      const code = value.charCodeAt(at);
      if (code > 0x7f) break;
      scratch[end++] = code;
    }
  }
  if (at < value.length) end += scratch.write(at === 0 ? value : value.slice(at), end, 'utf8');
  scratch[end++] = 0;
  scratch.writeInt32LE(end - start, lengthAt);
}
