/**
 * Documents as the entries of an index have them: what a query reads of them is in the key, so that the documents
 * themselves are not looked up.
 */
import { readText } from '../../bson/decode.js';
import { literalOf } from '../../bson/shape.js';
import type { Values } from '../../bson/value.js';
import { Rank } from '../../order.js';
import type { IndexDefinition } from '../definition.js';
import type { EntryPlace } from '../lmdb/key-space.js';

/** What an entry has of its document. Nobody else has it, so that it need not be copied. */
export class CoveredDocument {
  readonly document: Values;
  /** Valid until the next read. */
  readonly entry: EntryPlace;

  constructor(document: Values, entry: EntryPlace) {
    this.document = document;
    this.entry = entry;
  }
}

/** Whether the keys of an index hold all these members as they are stored. */
export function covers(index: IndexDefinition, names: ReadonlySet<string>): boolean {
  if (!index.readable || index.truncated || index.multikey !== 0) return false;
  for (const name of names) if (name !== '_id' && !index.pathNames.includes(name)) return false;
  return true;
}

/** Of a key: the number of its index. */
const NUMBER_BYTES = 4;

/** Reads entries of an index that covers some members. */
export class Cover {
  readonly #make: (values: readonly unknown[], from: number) => Values;
  readonly #withId: boolean;
  /** For each part of the key as far as it is read: whether it is wanted, and whether its bytes are inverted. */
  readonly #parts: readonly { readonly wanted: boolean; readonly inverted: boolean }[];
  /** Whether documents without a member have entries too, which say the same as those with null. */
  readonly #mayLack: boolean;
  readonly #values: unknown[] = [];

  constructor({ spec, pathNames, directions }: IndexDefinition, names: ReadonlySet<string>) {
    this.#withId = names.has('_id');
    // The id is the value of the entry, also where the key has it as one of its parts.
    const isWanted = (name: string): boolean => name !== '_id' && names.has(name);
    const read = pathNames.slice(0, pathNames.findLastIndex(isWanted) + 1);
    this.#parts = read.map((name, at) => ({ wanted: isWanted(name), inverted: directions[at] === -1 }));
    this.#mayLack = spec.sparse !== true;
    this.#make = literalOf([...(this.#withId ? ['_id'] : []), ...read.filter(isWanted)]);
  }

  /** Undefined where the key does not tell: then the document does. */
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

/** Stands for a value that is not read from its key. */
const UNTOLD = Symbol('untold');

// The reader's place, shared by the functions below: they never run interleaved.
let source: Buffer = Buffer.alloc(0);
let at = 0;

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);
/** From here on a double may stand for several integers. */
const EXACT = 2 ** 53;

/** The value that `encodeEntry` has put there. */
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

/** Up to two zero bytes; a zero byte of the text, which 0xff follows, is not told. */
function readString(): unknown {
  const start = at;
  while (source[at] !== 0) at++;
  if (source[at + 1] !== 0) return UNTOLD;
  const text = readText(source, start, at - start);
  at += 2;
  return text;
}
