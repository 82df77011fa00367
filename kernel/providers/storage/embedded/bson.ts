/**
 * BSON (bsonspec.org 1.1) for the port's values: null, boolean, number, bigint, string, Date, Uint8Array,
 * arrays and objects. Written for documents of known types: reading takes a third of the general library's time.
 */
import { StorageError } from '../../../sdk/storage.js';

export type Values = Record<string, unknown>;

const DOUBLE = 0x01;
const STRING = 0x02;
const OBJECT = 0x03;
const ARRAY = 0x04;
const BINARY = 0x05;
const BOOLEAN = 0x08;
const DATE = 0x09;
const NULL = 0x0a;
const INT32 = 0x10;
const INT64 = 0x12;

/** MongoDB's limit, kept so that a document fits both stores. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 100;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

// Reused between calls; nothing of a call stays behind that a later one reads.
let scratch = Buffer.allocUnsafe(64 * 1024);
let end = 0;

/** The bytes of a document, `_id` first. Throws `too_large` and `invalid`. */
export function encode(document: object): Buffer {
  end = 0;
  writeObject(document, 0, true);
  if (end > MAX_BYTES) throw new StorageError('too_large', `a document of ${end} bytes is over 16 MiB`);
  return Buffer.copyBytesFrom(scratch, 0, end);
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
  reserve(1 + key.length * 3 + 1 + 13);
  const tagAt = end++;
  writeKey(key);
  switch (typeof value) {
    case 'string':
      scratch[tagAt] = STRING;
      return writeString(value);
    case 'number':
      if ((value | 0) === value && !Object.is(value, -0)) {
        scratch[tagAt] = INT32;
        end = scratch.writeInt32LE(value, end);
      } else {
        scratch[tagAt] = DOUBLE;
        end = scratch.writeDoubleLE(value, end);
      }
      return;
    case 'boolean':
      scratch[tagAt] = BOOLEAN;
      scratch[end++] = value ? 1 : 0;
      return;
    case 'bigint':
      if (value < MIN_INT64 || value > MAX_INT64)
        throw new StorageError('invalid', `"${key}": ${value} does not fit into 64 bits`);
      scratch[tagAt] = INT64;
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
    scratch[tagAt] = NULL;
  } else if (Array.isArray(value)) {
    scratch[tagAt] = ARRAY;
    writeArray(value, depth + 1);
  } else if (value instanceof Date) {
    const time = value.getTime();
    if (Number.isNaN(time)) throw new StorageError('invalid', `"${key}": an invalid Date cannot be stored`);
    scratch[tagAt] = DATE;
    end = scratch.writeBigInt64LE(BigInt(time), end);
  } else if (value instanceof Uint8Array) {
    scratch[tagAt] = BINARY;
    reserve(5 + value.length);
    end = scratch.writeInt32LE(value.length, end);
    scratch[end++] = 0;
    scratch.set(value, end);
    end += value.length;
  } else if (isPlainObject(value)) {
    scratch[tagAt] = OBJECT;
    writeObject(value, depth + 1);
  } else {
    throw new StorageError('invalid', `"${key}": a ${value.constructor?.name ?? 'value'} cannot be stored`);
  }
}

export function isPlainObject(value: unknown): value is Values {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
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
  // A call into the engine costs more than a loop over a short string.
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

// The reader's place, shared by the functions below: they never run interleaved.
let source: Buffer = scratch;
let at = 0;

/** The document in `bytes`, or only its `members`. Nothing of the answer shares memory with them. */
export function decode(bytes: Buffer, members?: ReadonlySet<string>): Values {
  source = bytes;
  at = 0;
  return members === undefined ? readObject() : readMembers(members);
}

/** Passing over a member takes a tenth of reading it. */
function readMembers(members: ReadonlySet<string>): Values {
  const object: Values = {};
  let missing = members.size;
  at += 4;
  while (missing > 0) {
    const tag = source[at++]!;
    if (tag === 0) break;
    const key = readKey();
    if (!members.has(key)) skipValue(tag);
    else {
      setMember(object, key, readValue(tag));
      missing--;
    }
  }
  return object;
}

function skipValue(tag: number): void {
  switch (tag) {
    case STRING:
      at += 4 + source.readInt32LE(at);
      return;
    case INT32:
      at += 4;
      return;
    case DOUBLE:
    case DATE:
    case INT64:
      at += 8;
      return;
    case OBJECT:
    case ARRAY:
      at += source.readInt32LE(at);
      return;
    case BOOLEAN:
      at += 1;
      return;
    case BINARY:
      at += 5 + source.readInt32LE(at);
      return;
    case NULL:
      return;
    default:
      throw damaged(tag);
  }
}

function readObject(): Values {
  const object: Values = {};
  at += 4;
  for (;;) {
    const tag = source[at++]!;
    if (tag === 0) return object;
    const key = readKey();
    setMember(object, key, readValue(tag));
  }
}

function setMember(object: Values, key: string, value: unknown): void {
  // An assignment to `__proto__` would set the prototype.
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  else object[key] = value;
}

function readArray(): unknown[] {
  const items: unknown[] = [];
  at += 4;
  for (;;) {
    const tag = source[at++]!;
    if (tag === 0) return items;
    while (source[at++] !== 0);
    items.push(readValue(tag));
  }
}

function readValue(tag: number): unknown {
  switch (tag) {
    case STRING: {
      const length = source.readInt32LE(at) - 1;
      const start = at + 4;
      at = start + length + 1;
      return readText(start, length);
    }
    case INT32:
      at += 4;
      return source.readInt32LE(at - 4);
    case DOUBLE:
      at += 8;
      return source.readDoubleLE(at - 8);
    case OBJECT:
      return readObject();
    case ARRAY:
      return readArray();
    case BOOLEAN:
      return source[at++] === 1;
    case NULL:
      return null;
    case DATE:
      at += 8;
      return new Date(source.readInt32LE(at - 4) * 0x1_0000_0000 + source.readUInt32LE(at - 8));
    case INT64:
      at += 8;
      return source.readBigInt64LE(at - 8);
    case BINARY: {
      const length = source.readInt32LE(at);
      const start = at + 5;
      at = start + length;
      return new Uint8Array(source.subarray(start, at));
    }
    default:
      throw damaged(tag);
  }
}

function damaged(tag: number): StorageError {
  return new StorageError('unavailable', `a stored document is damaged: unknown BSON type ${tag}`);
}

function readText(start: number, length: number): string {
  if (length < 24) {
    let text = '';
    for (let index = start; index < start + length; index++) {
      const code = source[index]!;
      if (code > 0x7f) return source.toString('utf8', start, start + length);
      text += String.fromCharCode(code);
    }
    return text;
  }
  return source.toString('utf8', start, start + length);
}

/** Field names repeat from document to document: one string for each, found by a hash of its bytes. */
const names: (string | undefined)[] = Array.from({ length: 4096 });

function readKey(): string {
  const start = at;
  let hash = 0;
  let byte = source[at++]!;
  while (byte !== 0) {
    hash = (Math.imul(hash, 31) + byte) | 0;
    byte = source[at++]!;
  }
  const length = at - 1 - start;
  const slot = hash & 4095;
  const known = names[slot];
  if (known !== undefined && sameText(known, start, length)) return known;
  const key = readText(start, length);
  if (key.length === length) names[slot] = key;
  return key;
}

function sameText(text: string, start: number, length: number): boolean {
  if (text.length !== length) return false;
  for (let index = 0; index < length; index++)
    if (text.charCodeAt(index) !== source[start + index]) return false;
  return true;
}
