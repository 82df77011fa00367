/** The layout of a log record: a header, then the changes of one transaction. */
import { crc32 } from 'node:zlib';
import type { Space } from '../key-space.js';

/** [checksum of what follows: 4][length of all: 4][opening: 4][sequence: 8][last commit that was on disk: 8] */
export const HEAD = 28;
/** Bytes of buffer kept between transactions. */
const KEPT = 2 ** 20;
/** A larger record would cost too much to write twice. */
export const LARGEST = 4 * 2 ** 20;

const SPACES: readonly Space[] = ['documents', 'indexes', 'changes', 'catalog'];
const [PUT, REMOVE, CLEAR] = [0, 4, 8];

/** A change to one key, or to a whole space. */
export type Operation =
  | { readonly kind: 'put'; readonly space: Space; readonly key: Buffer; readonly value: Buffer }
  | { readonly kind: 'remove'; readonly space: Space; readonly key: Buffer }
  | { readonly kind: 'clear'; readonly space: Space };

/** Collects the changes of one transaction as the bytes of a record. */
export class Recording {
  #bytes = Buffer.allocUnsafe(2 ** 14);
  #end = HEAD;

  begin(): void {
    this.#end = HEAD;
    if (this.#bytes.length > KEPT) this.#bytes = Buffer.allocUnsafe(KEPT);
  }

  get empty(): boolean {
    return this.#end === HEAD;
  }

  /** Whether the record is too large for the log. */
  get tooLarge(): boolean {
    return this.#end > LARGEST;
  }

  put(space: Space, key: Buffer, value: Buffer): void {
    const at = this.#head(PUT + SPACES.indexOf(space), key.length, value.length);
    this.#bytes.set(key, at);
    this.#bytes.set(value, at + key.length);
  }

  remove(space: Space, key: Buffer): void {
    const at = this.#head(REMOVE + SPACES.indexOf(space), key.length, 0);
    this.#bytes.set(key, at);
  }

  clear(space: Space): void {
    this.#head(CLEAR + SPACES.indexOf(space), 0, 0);
  }

  /** [operation and space: 1][length of the key: 2][length of the value: 4]; returns where the key goes. */
  #head(operation: number, key: number, value: number): number {
    // Too large to be logged: from here on the changes are only counted.
    if (this.tooLarge) this.#end = LARGEST + 1 - 7;
    const at = this.#end;
    this.#end = at + 7 + key + value;
    if (this.#end > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#end));
      this.#bytes.copy(larger, 0, 0, at);
      this.#bytes = larger;
    }
    this.#bytes[at] = operation;
    this.#bytes.writeUInt16LE(key, at + 1);
    this.#bytes.writeUInt32LE(value, at + 3);
    return at + 7;
  }

  /** The record; valid until the next `begin`. `durable`: the last commit that is known to be on disk. */
  finish(opening: number, sequence: number, durable: number): Buffer {
    const record = this.#bytes.subarray(0, this.#end);
    record.writeUInt32LE(record.length, 4);
    record.writeUInt32LE(opening, 8);
    record.writeDoubleLE(sequence, 12);
    record.writeDoubleLE(durable, 20);
    record.writeUInt32LE(crc32(record.subarray(4)), 0);
    return record;
  }
}

/** Whether there is a complete record of this commit at `at`. */
export function isRecord(bytes: Buffer, at: number, opening: number, sequence: number): boolean {
  if (at + HEAD > bytes.length) return false;
  const length = bytes.readUInt32LE(at + 4);
  return (
    length >= HEAD &&
    at + length <= bytes.length &&
    bytes.readUInt32LE(at + 8) === opening &&
    bytes.readDoubleLE(at + 12) === sequence &&
    bytes.readUInt32LE(at) === crc32(bytes.subarray(at + 4, at + length))
  );
}

/** Decodes the changes from the bytes after the header. */
export function* operationsOf(bytes: Buffer): Generator<Operation, void> {
  for (let at = 0; at < bytes.length;) {
    const operation = bytes[at]!;
    const keyEnd = at + 7 + bytes.readUInt16LE(at + 1);
    const end = keyEnd + bytes.readUInt32LE(at + 3);
    const space = SPACES[operation % 4]!;
    const key = bytes.subarray(at + 7, keyEnd);
    if (operation >= CLEAR) yield { kind: 'clear', space };
    else if (operation >= REMOVE) yield { kind: 'remove', space, key };
    else yield { kind: 'put', space, key, value: bytes.subarray(keyEnd, end) };
    at = end;
  }
}
