/** The keys of lmdb: the number of a collection or index, then ids and values in an order-preserving encoding. */
import { createHash } from 'node:crypto';
import { hash, HASH_BYTES, KeyBytes } from './key-bytes.js';

/** Keys of lmdb have at most 1,978 bytes: four for the index number, up to 256 for the id. */
const KEY_BYTES = 1700;
/** Longer ids are truncated and hashed. */
const ID_BYTES = 255;

const NO_BYTES = Buffer.alloc(0);
/** The tail of a unique index's keys, and of partial keys. */
export const NO_TAIL = NO_BYTES;

export interface EncodedPart {
  readonly bytes: Buffer;
  /** A prefix and a hash: equality is kept, order only up to the prefix. */
  readonly truncated: boolean;
}

/** Encodes the value of one path. `parts`: the number of paths of the key, which share its bytes evenly. */
export function encodePart(value: unknown, direction: 1 | -1, parts: number): EncodedPart {
  const whole = encodeKey(value);
  const room = Math.floor(KEY_BYTES / parts);
  const truncated = whole.length > room;
  const bytes = truncated ? Buffer.concat([whole.subarray(0, room - HASH_BYTES), hash(whole)]) : whole;
  return { bytes: direction === 1 ? bytes : invert(bytes), truncated };
}

/**
 * Encodes a range bound on one path. A value too long for a key is truncated; entries with the same prefix may then
 * be on either side of the bound, so the documents must be rechecked.
 */
export function encodeBound(value: unknown, direction: 1 | -1, parts: number): EncodedPart {
  const whole = encodeKey(value);
  const room = Math.floor(KEY_BYTES / parts);
  const truncated = whole.length > room;
  const bytes = truncated ? whole.subarray(0, room - HASH_BYTES) : whole;
  return { bytes: direction === 1 ? bytes : invert(bytes), truncated };
}

/** The bytes of an id at the end of a key; a long id is truncated and hashed. */
export function encodeId(id: string): Buffer {
  const bytes = Buffer.from(id, 'utf8');
  if (bytes.length <= ID_BYTES) return bytes;
  return Buffer.concat([bytes.subarray(0, ID_BYTES - 31), createHash('sha256').update(bytes).digest()]);
}

/** The id after the values of an index key, in the direction of the last path, so that ties are ordered. */
export function encodeTail(id: string, direction: 1 | -1): Buffer {
  if (id === lastTail.id && direction === lastTail.direction) return lastTail.bytes;
  const bytes = direction === 1 ? encodeId(id) : invert(Buffer.concat([encodeId(id), Buffer.from([0])]));
  lastTail = { id, direction, bytes };
  return bytes;
}

/** The indexes of a collection encode the same id one after another: without this cache it took a third of an insert. */
let lastTail: { readonly id: string; readonly direction: 1 | -1; readonly bytes: Buffer } = {
  id: '',
  direction: 1,
  bytes: Buffer.alloc(0),
};

export function isLongId(id: string): boolean {
  return id.length > ID_BYTES / 3 && Buffer.byteLength(id) > ID_BYTES;
}

/** Prefixes a key with four bytes: the number of its collection or index. */
export function prefix(number: number, ...rest: readonly Buffer[]): Buffer {
  let length = 4;
  for (const part of rest) length += part.length;
  const key = Buffer.allocUnsafe(length);
  key.writeUInt32BE(number, 0);
  let at = 4;
  for (const part of rest) {
    key.set(part, at);
    at += part.length;
  }
  return key;
}

/** The first key after all keys that start with `bytes`. */
export function successor(bytes: Buffer): Buffer {
  let last = bytes.length - 1;
  while (last > 0 && bytes[last] === 0xff) last--;
  const next = Buffer.from(bytes.subarray(0, last + 1));
  next[last] = next[last]! + 1;
  return next;
}

export function encodeKey(value: unknown): Buffer {
  scratch.begin(NO_BYTES);
  scratch.value(value);
  return scratch.bytes();
}

/** `start` followed by `encodePart` of the value. */
export function appendPart(start: Buffer, value: unknown, direction: 1 | -1, parts: number): Buffer {
  scratch.begin(start);
  scratch.value(value);
  if (scratch.length - start.length > Math.floor(KEY_BYTES / parts))
    return Buffer.concat([start, encodePart(value, direction, parts).bytes]);
  if (direction === -1) scratch.invertFrom(start.length);
  return scratch.bytes();
}

/** The key of an index entry: the index number, a part for each value, then the id; or a prefix of it. */
export function encodeEntry(
  index: number,
  values: readonly unknown[],
  directions: readonly (1 | -1)[],
  tail: Buffer,
): EncodedPart {
  const room = Math.floor(KEY_BYTES / directions.length);
  let truncated = false;
  scratch.begin(NO_BYTES);
  scratch.number(index);
  for (let at = 0; at < values.length; at++) {
    const start = scratch.length;
    scratch.value(values[at]);
    if (scratch.length - start > room) {
      truncated = true;
      scratch.cut(start, room);
    }
    if (directions[at] === -1) scratch.invertFrom(start);
  }
  scratch.append(tail);
  return { bytes: scratch.bytes(), truncated };
}

export function invert(bytes: Buffer): Buffer {
  const inverted = Buffer.allocUnsafe(bytes.length);
  for (let at = 0; at < bytes.length; at++) inverted[at] = ~bytes[at]!;
  return inverted;
}

/** Used by one encoding at a time. */
const scratch = new KeyBytes();
