/**
 * Covered queries: everything that the query reads is in the index key, so the documents are not read.
 */
import { readText } from '../../bson/decode.js';
import { literalOf } from '../../bson/shape.js';
import type { Values } from '../../bson/value.js';
import { Rank } from '../../order.js';
import type { IndexDefinition } from '../definition.js';
import type { EntryPlace } from '../lmdb/key-space.js';

/** The members restored from an entry. Not shared, so it need not be copied. */
export class CoveredDocument {
  readonly document: Values;
  /** Valid until the next read. */
  readonly entry: EntryPlace;

  constructor(document: Values, entry: EntryPlace) {
    this.document = document;
    this.entry = entry;
  }
}

/** Whether these members can be restored from the keys of an index. */
export function covers(index: IndexDefinition, names: ReadonlySet<string>): boolean {
  if (!index.readable || index.truncated || index.multikey !== 0) return false;
  for (const name of names) if (name !== '_id' && !index.pathNames.includes(name)) return false;
  return true;
}

/** Bytes of the index number at the start of a key. */
const NUMBER_BYTES = 4;

/** Restores members from the entries of an index. */
export class Cover {
  readonly #make: (values: readonly unknown[], from: number) => Values;
  readonly #withId: boolean;
  /** For each part of the key: whether it is read, and whether its bytes are inverted. */
  readonly #parts: readonly { readonly wanted: boolean; readonly inverted: boolean }[];
  /** Whether a missing member and null have the same entry. */
  readonly #mayLack: boolean;
  readonly #values: unknown[] = [];

  constructor({ spec, pathNames, directions }: IndexDefinition, names: ReadonlySet<string>) {
    this.#withId = names.has('_id');
    // The id is the value of the entry, even if it is also part of the key.
    const isWanted = (name: string): boolean => name !== '_id' && names.has(name);
    const read = pathNames.slice(0, pathNames.findLastIndex(isWanted) + 1);
    this.#parts = read.map((name, at) => ({ wanted: isWanted(name), inverted: directions[at] === -1 }));
    this.#mayLack = spec.sparse !== true;
    this.#make = literalOf([...(this.#withId ? ['_id'] : []), ...read.filter(isWanted)]);
  }

  /** Undefined if the key does not suffice and the document must be read. */
  read(entry: EntryPlace): Values | undefined {
    const values = this.#values;
    let count = 0;
    if (this.#withId) values[count++] = readText(entry.bytes, 0, entry.length);
    source = entry.keyBytes;
    at = entry.keyStart + NUMBER_BYTES;
    for (const { wanted, inverted } of this.#parts) {
      const value = readPart(inverted);
      if (value === UNTOLD || (value === null && this.#mayLack)) return undefined;
      if (wanted) values[count++] = value;
    }
    return this.#make(values, 0);
  }
}

/** A value that cannot be restored from its key. */
const UNTOLD = Symbol('untold');

// The position of the reader, shared by the functions below, which never run interleaved.
let source: Buffer = Buffer.alloc(0);
let at = 0;

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);
/** From here on a double may represent several integers. */
const EXACT = 2 ** 53;

/** Decodes a value written by `encodeEntry`. */
function readPart(inverted: boolean): unknown {
  const flip = inverted ? 0xff : 0;
  switch (source[at++]! ^ flip) {
    case Rank.null:
      return null;
    case Rank.boolean:
      return (source[at++]! ^ flip) === 1;
    case Rank.number: {
      const value = readDouble(flip);
      return value < EXACT && value > -EXACT ? value : UNTOLD;
    }
    case Rank.date:
      return new Date(readDouble(flip));
    case Rank.string:
      return inverted ? UNTOLD : readString();
    default:
      return UNTOLD;
  }
}

function readDouble(flip: number): number {
  const turn = flip === 0 ? 0 : -1;
  let high = readHalf() ^ turn;
  let low = readHalf() ^ turn;
  if (high < 0) high &= 0x7fff_ffff;
  else {
    high = ~high;
    low = ~low;
  }
  halves[LITTLE ? 1 : 0] = high;
  halves[LITTLE ? 0 : 1] = low;
  return double[0]!;
}

const LITTLE = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

function readHalf(): number {
  const value = (source[at]! << 24) | (source[at + 1]! << 16) | (source[at + 2]! << 8) | source[at + 3]!;
  at += 4;
  return value;
}

/** Text up to 00 00; gives up on an escaped zero byte, 00 ff. */
function readString(): unknown {
  const start = at;
  while (source[at] !== 0) at++;
  if (source[at + 1] !== 0) return UNTOLD;
  const text = readText(source, start, at - start);
  at += 2;
  return text;
}
