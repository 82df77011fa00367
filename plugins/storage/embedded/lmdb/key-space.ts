/** One ordered key space of lmdb. Reads are zero-copy: bytes are copied only when a reader asks for a copy. */
import type { Database, RootDatabase, Transaction } from 'lmdb';
import { closed } from './failures.js';
import type { HeldRead, Stoppable } from './held-reads.js';

/** `documents`: [collection][id]. `indexes`: [index][values][id]. `changes`: [sequence]. `catalog`: definitions and counters. */
export type Space = 'documents' | 'indexes' | 'changes' | 'catalog';

/** Keys from `start` to before `end`. */
export interface Range {
  readonly start: Buffer;
  readonly end: Buffer;
  readonly reverse?: boolean;
}

export interface Entry {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** An entry in the memory of lmdb: valid until the next read of the environment. */
export interface EntryPlace {
  /** The value; the buffer extends past `length`. */
  readonly bytes: Buffer;
  readonly length: number;
  /** The key is the bytes from `keyStart` up to `keyEnd`. */
  readonly keyBytes: Buffer;
  readonly keyStart: number;
  readonly keyEnd: number;
}

/** Iterates over a range. The current entry is valid until the next read of the environment. */
export interface Walk extends EntryPlace {
  /** False after the last entry, which ends the walk. */
  step(): boolean;
  /** A copy of the key. */
  readonly key: Buffer;
  /** Releases the snapshot; required when a walk stops early. */
  end(): void;
}

/** The entries of a walk, copied. */
export function* entriesOf(walk: Walk): Generator<Entry, void> {
  try {
    while (walk.step()) yield { key: walk.key, value: Buffer.copyBytesFrom(walk.bytes, 0, walk.length) };
  } finally {
    walk.end();
  }
}

export class KeySpace {
  readonly #handle: Database<Buffer, Buffer>;
  readonly #place = new Place();
  readonly #shared: SharedRange;
  readonly #inWrite: SharedRange;

  constructor(root: RootDatabase<Buffer, Buffer>, name: string) {
    const place = this.#place;
    // The types of lmdb lack both encoders.
    const options: object = {
      encoder: {
        encode: (value: Buffer) => value,
        decode: (bytes: Uint8Array, length: number) => place.setValue(bytes, length),
      },
      keyEncoder: {
        writeKey: (key: Buffer, target: Uint8Array, at: number) => {
          target.set(key, at);
          return at + key.length;
        },
        readKey: (target: Uint8Array, start: number, end: number) => place.setKey(target, start, end),
      },
    };
    this.#handle = root.openDB<Buffer, Buffer>({ ...options, name });
    this.#shared = new SharedRange(this.#handle);
    this.#inWrite = new SharedRange(this.#handle);
  }

  /** The value, in a buffer that extends past it: for formats that know their own length, such as BSON. */
  peek(key: Buffer, transaction?: Transaction): Buffer | undefined {
    const value = this.#read(key, transaction);
    return value && this.#place.whole(value);
  }

  get(key: Buffer, transaction?: Transaction): Buffer | undefined {
    const value = this.#read(key, transaction);
    return value && this.#place.whole(value).subarray(0, value.length);
  }

  /** `getBinaryFast` takes the options of `get`, which its type lacks. */
  #read(key: Buffer, transaction: Transaction | undefined): Buffer | undefined {
    if (transaction === undefined) return this.#handle.getBinaryFast(key);
    const handle: { getBinaryFast(key: Buffer, options: object): Buffer | undefined } = this.#handle;
    return handle.getBinaryFast(key, { transaction });
  }

  walk(range: Range, held?: HeldRead): Walk {
    return new StoredWalk(this.#place, this.#shared, range, held);
  }

  /** Inside a write transaction. */
  walkInWrite(range: Range): Walk {
    return new StoredWalk(this.#place, this.#inWrite, range, undefined);
  }

  count({ start, end }: Range, transaction?: Transaction): number {
    return this.#handle.getCount({ start, end, ...(transaction && { transaction }) });
  }

  put(key: Buffer, value: Buffer): void {
    this.#handle.putSync(key, value);
  }

  remove(key: Buffer): void {
    this.#handle.removeSync(key);
  }

  clear(): void {
    this.#handle.clearSync();
  }
}

/** Where lmdb placed the last entry that it read. */
class Place {
  keyBytes: Buffer = NOTHING;
  keyStart = 0;
  keyEnd = 0;
  #given: Uint8Array = NOTHING;
  #whole: Buffer = NOTHING;
  length = 0;

  setKey(keys: Uint8Array, start: number, end: number): void {
    if (keys !== this.keyBytes) this.keyBytes = asBuffer(keys);
    this.keyStart = start;
    this.keyEnd = end;
  }

  setValue(given: Uint8Array, length: number): void {
    this.whole(given);
    this.length = length;
  }

  get key(): Buffer {
    return Buffer.copyBytesFrom(this.keyBytes, this.keyStart, this.keyEnd - this.keyStart);
  }

  get bytes(): Buffer {
    return this.#whole;
  }

  /**
   * lmdb returns the same large buffer each time, with an own property `length` that shadows the real one. V8 reads
   * from such an object slowly, and Buffer's methods disagree about its end. This is a plain view of the same memory.
   */
  whole(given: Uint8Array): Buffer {
    if (given !== this.#given) {
      this.#given = given;
      this.#whole = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
    }
    return this.#whole;
  }
}

const NOTHING = Buffer.alloc(0);

/** lmdb's key buffer is a plain buffer already. */
function asBuffer(keys: Uint8Array): Buffer {
  return Buffer.isBuffer(keys) ? keys : Buffer.from(keys.buffer, keys.byteOffset, keys.byteLength);
}

/**
 * Making a range takes lmdb longer than reading from it, and lmdb reads the options only when a walk begins: so one
 * range serves every short walk in turn. It also keeps the end of the walk alive, so it serves one at a time. A range
 * once walked inside a write has lost its snapshot, and a later walk that waits for a turn of the event loop would
 * restart from the beginning: walks in writes, which never wait, have their own range.
 */
class SharedRange {
  readonly #handle: Database<Buffer, Buffer>;
  readonly #options: RangeOptions = {};
  readonly #range: Iterable<unknown>;
  #taken = false;

  constructor(handle: Database<Buffer, Buffer>) {
    this.#handle = handle;
    this.#range = handle.getRange(this.#options);
  }

  /** The iterator's first step must follow at once. */
  begin(range: Range, transaction: Transaction | undefined): { entries: Iterator<unknown>; shared: boolean } {
    if (this.#taken)
      return {
        entries: this.#handle.getRange(setOptions({}, range, transaction))[Symbol.iterator](),
        shared: false,
      };
    this.#taken = true;
    setOptions(this.#options, range, transaction);
    return { entries: this.#range[Symbol.iterator](), shared: true };
  }

  giveBack(): void {
    this.#taken = false;
  }
}

interface RangeOptions {
  start?: Buffer;
  end?: Buffer;
  reverse?: boolean;
  exclusiveStart?: boolean;
  inclusiveEnd?: boolean;
  transaction?: Transaction;
}

function setOptions(options: RangeOptions, range: Range, transaction: Transaction | undefined): RangeOptions {
  const reverse = range.reverse === true;
  options.start = reverse ? range.end : range.start;
  options.end = reverse ? range.start : range.end;
  options.reverse = reverse;
  options.exclusiveStart = reverse;
  options.inclusiveEnd = reverse;
  if (transaction === undefined) delete options.transaction;
  else options.transaction = transaction;
  return options;
}

class StoredWalk implements Walk, Stoppable {
  readonly #place: Place;
  readonly #source: SharedRange;
  readonly #range: Range;
  readonly #held: HeldRead | undefined;
  #entries: Iterator<unknown> | undefined;
  #shared = false;
  #ended = false;
  #stopped = false;

  constructor(place: Place, source: SharedRange, range: Range, held: HeldRead | undefined) {
    this.#place = place;
    this.#source = source;
    this.#range = range;
    this.#held = held;
  }

  step(): boolean {
    if (this.#stopped) throw closed();
    if (this.#ended) return false;
    if (this.#entries === undefined) {
      const { entries, shared } = this.#source.begin(this.#range, this.#held?.transaction);
      this.#entries = entries;
      this.#shared = shared;
      this.#held?.walks.add(this);
    }
    if (this.#entries.next().done !== true) return true;
    this.#finish();
    return false;
  }

  get bytes(): Buffer {
    return this.#place.bytes;
  }

  get length(): number {
    return this.#place.length;
  }

  get key(): Buffer {
    return this.#place.key;
  }

  get keyBytes(): Buffer {
    return this.#place.keyBytes;
  }

  get keyStart(): number {
    return this.#place.keyStart;
  }

  get keyEnd(): number {
    return this.#place.keyEnd;
  }

  end(): void {
    if (this.#ended) return;
    this.#entries?.return?.();
    this.#finish();
  }

  stop(): void {
    this.end();
    this.#stopped = true;
  }

  #finish(): void {
    this.#ended = true;
    this.#held?.walks.delete(this);
    if (this.#shared) this.#source.giveBack();
  }
}
