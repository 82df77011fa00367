/**
 * What was written since the newest checkpoint, in a file that is used round and round. A record is in the file
 * before its transaction commits, and every record before it is there too: one sync makes all of them durable.
 */
import { closeSync, fdatasyncSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { sync, writeAll } from './disk.js';
import type { Space } from './key-space.js';

export const CAPACITY = 8 * 2 ** 20;
const GROWTH = 2 ** 18;
/** The room for records that stays between them. */
const KEPT = 2 ** 20;
/** A larger record is not worth being written twice. */
const LARGEST = CAPACITY / 2;

/** [checksum of what follows: 4][length of all: 4][epoch: 4][sequence: 8] */
const HEAD = 20;

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

  /** Whether the record is not for the log. */
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
    // What will not be logged is only counted.
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

  /** The record; valid until the next `begin`. */
  finish(epoch: number, sequence: number): Buffer {
    const record = this.#bytes.subarray(0, this.#end);
    record.writeUInt32LE(record.length, 4);
    record.writeUInt32LE(epoch, 8);
    record.writeDoubleLE(sequence, 12);
    record.writeUInt32LE(crc32(record.subarray(4)), 0);
    return record;
  }
}

export interface Logged {
  readonly operations: Iterable<Operation>;
  /** Behind the record. */
  readonly end: number;
}

/** Positions only grow; where one lies in the file is its rest by the capacity. */
export class WriteAheadLog {
  readonly #file: number;
  #size: number;
  #syncing: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(directory: string) {
    this.#file = openSync(join(directory, LOG), 'a+', 0o600);
    closeSync(this.#file);
    this.#file = openSync(join(directory, LOG), 'r+');
    this.#size = fstatSync(this.#file).size;
  }

  /** Where a record goes that is written behind `position`: no record crosses the end of the file. */
  place(position: number, length: number): number {
    const rest = CAPACITY - (position % CAPACITY);
    return length <= rest ? position : position + rest;
  }

  write(position: number, record: Buffer): void {
    const at = position % CAPACITY;
    if (at + record.length > this.#size) this.#grow(at + record.length);
    writeAll(this.#file, record, at);
  }

  /** Writing over bytes that the file has is quicker to sync than making it longer. */
  #grow(needed: number): void {
    this.#size = fstatSync(this.#file).size;
    const size = Math.min(CAPACITY, Math.ceil(needed / GROWTH) * GROWTH);
    if (size > this.#size) writeAll(this.#file, Buffer.alloc(size - this.#size), this.#size);
    this.#size = Math.max(size, this.#size);
  }

  /** Takes back a record whose transaction did not commit. */
  erase(position: number): void {
    writeAll(this.#file, Buffer.alloc(HEAD), position % CAPACITY);
    fdatasyncSync(this.#file);
  }

  /** Resolves when everything that was written before the call is on disk. */
  sync(): Promise<void> {
    if (this.#syncing === undefined) return this.#start();
    return (this.#next ??= this.#syncing
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.#start();
      }));
  }

  #start(): Promise<void> {
    return (this.#syncing = sync(this.#file).finally(() => {
      if (this.#next === undefined) this.#syncing = undefined;
    }));
  }

  syncNow(): void {
    fdatasyncSync(this.#file);
  }

  /** The records behind `position`, as far as they follow one another without a gap. */
  *read(position: number, epoch: number, sequence: number): Generator<Logged, void> {
    const bytes = Buffer.alloc(CAPACITY);
    for (let at = 0, read = 1; read > 0; at += read)
      read = readSync(this.#file, bytes, at, CAPACITY - at, at);
    for (let at = position; ;) {
      sequence++;
      const start = [at, this.place(at, CAPACITY)].find((place) => isRecord(bytes, place, epoch, sequence));
      if (start === undefined) return;
      const from = start % CAPACITY;
      const length = bytes.readUInt32LE(from + 4);
      at = start + length;
      yield { operations: operations(bytes.subarray(from + HEAD, from + length)), end: at };
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

export const LOG = 'write-ahead.log';

function isRecord(bytes: Buffer, position: number, epoch: number, sequence: number): boolean {
  const at = position % CAPACITY;
  if (at + HEAD > CAPACITY) return false;
  const length = bytes.readUInt32LE(at + 4);
  return (
    length > HEAD &&
    at + length <= CAPACITY &&
    bytes.readUInt32LE(at + 8) === epoch &&
    bytes.readDoubleLE(at + 12) === sequence &&
    bytes.readUInt32LE(at) === crc32(bytes.subarray(at + 4, at + length))
  );
}

function* operations(bytes: Buffer): Generator<Operation, void> {
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
