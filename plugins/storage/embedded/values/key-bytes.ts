/**
 * Order-preserving encoding of values: a type tag, then the value. Encodings are self-delimiting, so they can be
 * concatenated, and inverted for a descending path.
 */
import { createHash } from 'node:crypto';
import { Rank, rank } from '../../order.js';

export const HASH_BYTES = 16;

/** Replaces the end of a value that is too long for a key. */
export function hash(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest().subarray(0, HASH_BYTES);
}

/** 2^53: from here on a double may represent several integers. */
const EXACT = 9_007_199_254_740_992;

export class KeyBytes {
  #buffer = Buffer.allocUnsafe(4096);
  #end = 0;

  begin(start: Buffer): void {
    this.#end = 0;
    this.#reserve(start.length);
    const buffer = this.#buffer;
    for (let at = 0; at < start.length; at++) buffer[at] = start[at]!;
    this.#end = start.length;
  }

  get length(): number {
    return this.#end;
  }

  /** Four bytes. */
  number(value: number): void {
    this.#reserve(4);
    this.#end = this.#buffer.writeUInt32BE(value, this.#end);
  }

  append(bytes: Buffer): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** Truncates the bytes after `start` to `room`: a prefix and a hash of the whole. */
  cut(start: number, room: number): void {
    const whole = hash(this.#buffer.subarray(start, this.#end));
    this.#end = start + room - HASH_BYTES;
    this.append(whole);
  }

  invertFrom(start: number): void {
    for (let at = start; at < this.#end; at++) this.#buffer[at] = ~this.#buffer[at]!;
  }

  /** A copy. */
  bytes(): Buffer {
    const buffer = this.#buffer;
    const bytes = Buffer.allocUnsafe(this.#end);
    for (let at = 0; at < bytes.length; at++) bytes[at] = buffer[at]!;
    return bytes;
  }

  value(value: unknown): void {
    const tag = rank(value);
    this.#byte(tag);
    this.#body(tag, value);
  }

  #body(tag: number, value: unknown): void {
    switch (tag) {
      case Rank.number:
        return this.#number(value as number | bigint);
      case Rank.string:
        return this.#text(value as string);
      case Rank.boolean:
        return this.#byte(value === true ? 1 : 0);
      case Rank.date:
        return this.#double((value as Date).getTime());
      case Rank.binary:
        return this.#binary(value as Uint8Array);
      case Rank.array:
        for (const item of value as unknown[]) this.value(item);
        return this.#byte(0);
      case Rank.object:
        for (const [name, member] of Object.entries(value as object) as [string, unknown][]) {
          if (member === undefined) continue;
          const memberTag = rank(member);
          this.#byte(memberTag);
          this.#text(name);
          this.#body(memberTag, member);
        }
        return this.#byte(0);
    }
  }

  /** The nearest double; beyond 2^53, followed by the distance from it. */
  #number(value: number | bigint): void {
    const double = Number(value);
    this.#double(double);
    if (double < EXACT && double > -EXACT) return;
    const distance = typeof value === 'bigint' ? Number(value - BigInt(double)) : 0;
    this.#reserve(2);
    this.#end = this.#buffer.writeUInt16BE(distance + 0x8000, this.#end);
  }

  /** IEEE 754 bits, with the sign transformed so that bytes compare like numbers. */
  #double(value: number): void {
    this.#reserve(8);
    const start = this.#end;
    // NaN sorts before every number; minus zero is zero.
    if (Number.isNaN(value)) this.#buffer.fill(0, start, start + 8);
    else {
      this.#buffer.writeDoubleBE(value === 0 ? 0 : value, start);
      if (value < 0) for (let at = start; at < start + 8; at++) this.#buffer[at] = ~this.#buffer[at]!;
      else this.#buffer[start] = this.#buffer[start]! | 0x80;
    }
    this.#end += 8;
  }

  /** UTF-8, in code point order. Zero bytes are escaped as 00 ff; 00 00 terminates. */
  #text(value: string): void {
    this.#reserve(value.length * 3 + 2);
    const start = this.#end;
    this.#write(value);
    if (value.includes('\0')) {
      const escaped = escapeZeros(this.#buffer.subarray(start, this.#end));
      this.#end = start;
      this.#reserve(escaped.length + 2);
      this.#buffer.set(escaped, start);
      this.#end += escaped.length;
    }
    this.#buffer[this.#end++] = 0;
    this.#buffer[this.#end++] = 0;
  }

  /** For short strings a loop is faster than a call of `buffer.write`. */
  #write(value: string): void {
    const buffer = this.#buffer;
    const start = this.#end;
    let at = 0;
    for (; at < value.length && value.length < 24; at++) {
      const code = value.charCodeAt(at);
      if (code > 0x7f) break;
      buffer[start + at] = code;
    }
    this.#end += at === value.length ? at : buffer.write(value, start, 'utf8');
  }

  #binary(value: Uint8Array): void {
    this.#reserve(4 + value.length);
    this.#end = this.#buffer.writeUInt32BE(value.length, this.#end);
    this.#buffer.set(value, this.#end);
    this.#end += value.length;
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#end++] = value;
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#end + bytes));
    this.#buffer.copy(grown, 0, 0, this.#end);
    this.#buffer = grown;
  }
}

function escapeZeros(bytes: Buffer): Buffer {
  const escaped: number[] = [];
  for (const byte of bytes) {
    escaped.push(byte);
    if (byte === 0) escaped.push(0xff);
  }
  return Buffer.from(escaped);
}
