/**
 * The write-ahead log: a ring buffer in a file, with every commit since the newest checkpoint. A record is written
 * before its transaction commits, after all earlier records, so that one sync makes all of them durable.
 */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { sync, syncDirectory, writeAll } from './disk.js';
import type { Checkpoint } from './checkpoint.js';
import { Damage } from '../damage.js';
import { HEAD, isRecord, LARGEST, operationsOf, type Operation, type Recording } from './record.js';

export const CAPACITY = 2 * LARGEST;
const GROWTH = 2 ** 18;
/** Reserved for the short records of commits too large for the log. */
const RESERVE = 2 ** 16;

/** Before the records: [checksum of what follows: 4][mark: 8][store: 16][opening: 4] */
const START = 4096;
const MARK = 'PLUGWAL2';
const TITLE = 32;

export interface Logged {
  /** Undefined: the commit was too large for the log. */
  readonly operations: Iterable<Operation> | undefined;
  /** The position after the record. */
  readonly end: number;
}

/** Identifies the log: one opening of one store. */
export interface LogTitle {
  /** In hex. */
  readonly store: string;
  readonly opening: number;
}

/** Positions only grow; the offset in the file is the position modulo the capacity. */
export class WriteAheadLog {
  readonly #file: number;
  /** The part of the file that has been written, not just allocated. */
  #written = 0;
  #syncing: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  private constructor(file: number) {
    this.#file = file;
  }

  /** Creates a log, durable on return. It has its full length from the start: a shorter one was truncated. */
  static create(directory: string, { store, opening }: LogTitle): WriteAheadLog {
    const path = join(directory, LOG);
    const file = openSync(`${path}.new`, 'w+', 0o600);
    ftruncateSync(file, START + CAPACITY);
    const title = Buffer.alloc(TITLE);
    title.write(MARK, 4, 8, 'latin1');
    title.write(store, 12, 16, 'hex');
    title.writeUInt32LE(opening, 28);
    title.writeUInt32LE(crc32(title.subarray(4)), 0);
    writeAll(file, title, 0);
    fdatasyncSync(file);
    renameSync(`${path}.new`, path);
    syncDirectory(directory);
    return new WriteAheadLog(file);
  }

  /** The log after a checkpoint; undefined if nothing was written to one. Throws `Damage` for an incomplete log. */
  static open(
    directory: string,
    { store, opening, previous, progress }: Checkpoint,
  ): WriteAheadLog | undefined {
    const path = join(directory, LOG);
    if (!existsSync(path)) throw new Damage('it is missing');
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      if (size !== START + CAPACITY)
        throw new Damage(`it has ${size} bytes where a log has ${START + CAPACITY}`);
      const title = Buffer.alloc(TITLE);
      readSync(file, title, 0, TITLE, 0);
      if (title.readUInt32LE(0) !== crc32(title.subarray(4)) || title.toString('latin1', 4, 12) !== MARK)
        throw new Damage('it does not begin as a log');
      if (title.toString('hex', 12, 28) !== store) throw new Damage('it belongs to another store');
      const found = title.readUInt32LE(28);
      if (found === opening) return new WriteAheadLog(file);
      if (previous === 0 || found !== previous || progress.sequence > 0)
        throw new Damage('it is of another time than the data file');
      closeSync(file);
      return undefined;
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  /** The position of the next record after `position`: no record crosses the end of the file. */
  place(position: number, length: number): number {
    const rest = CAPACITY - (position % CAPACITY);
    return length <= rest ? position : position + rest;
  }

  /** Whether a record ending at `end` overwrites no record after `oldest`. */
  hasRoom(end: number, oldest: number, recording: Recording): boolean {
    return end - oldest <= CAPACITY - (recording.empty ? 0 : RESERVE);
  }

  write(position: number, record: Buffer): void {
    const at = position % CAPACITY;
    if (at + record.length > this.#written) this.#fill(at + record.length);
    writeAll(this.#file, record, START + at);
  }

  /** Syncing overwritten bytes is faster than syncing newly allocated ones. */
  #fill(needed: number): void {
    const end = Math.min(CAPACITY, Math.ceil(needed / GROWTH) * GROWTH);
    writeAll(this.#file, Buffer.alloc(end - this.#written), START + this.#written);
    this.#written = end;
  }

  /** Erases the record of a transaction that did not commit. */
  erase(position: number): void {
    writeAll(this.#file, Buffer.alloc(HEAD), START + (position % CAPACITY));
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

  /**
   * The records after `position`, up to the first gap. Throws `Damage` if a record after the gap says that the
   * missing ones were durable.
   */
  *read(position: number, opening: number, sequence: number): Generator<Logged, void> {
    const bytes = Buffer.alloc(CAPACITY);
    for (let at = 0, read = 1; read > 0; at += read)
      read = readSync(this.#file, bytes, at, CAPACITY - at, START + at);
    for (let at = position; ;) {
      sequence++;
      const start = [at, this.place(at, CAPACITY)].find((place) =>
        isRecord(bytes, place % CAPACITY, opening, sequence),
      );
      if (start === undefined) break;
      const from = start % CAPACITY;
      const length = bytes.readUInt32LE(from + 4);
      at = start + length;
      const body = bytes.subarray(from + HEAD, from + length);
      yield { operations: body.length === 0 ? undefined : operationsOf(body), end: at };
    }
    const durable = newestDurable(bytes, opening, sequence);
    if (durable >= sequence)
      throw new Damage(`of the commits ${sequence} to ${durable}, which were acknowledged, some are missing`);
  }

  close(): void {
    closeSync(this.#file);
  }
}

export const LOG = 'write-ahead.log';

/** The newest commit that the records after a gap report as durable. */
function newestDurable(bytes: Buffer, opening: number, sequence: number): number {
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(opening);
  let newest = 0;
  for (let at = bytes.indexOf(mark, 8); at !== -1; at = bytes.indexOf(mark, at + 1)) {
    const start = at - 8;
    if (start + HEAD > CAPACITY) break;
    const found = bytes.readDoubleLE(start + 12);
    if (found > sequence && isRecord(bytes, start, opening, found))
      newest = Math.max(newest, bytes.readDoubleLE(start + 20));
  }
  return newest;
}
