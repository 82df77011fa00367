/** Word vectors for sixteen languages, in which words of similar meaning are close. Format and source: README.md. */
import { readFile } from 'node:fs/promises';
import { inTurns } from 'plugboard/sdk';

const FILE = new URL('./words.bin', import.meta.url);
const HEADER = 12;
/** Words between two pauses while reading. */
const STEP = 500;
/** The file stores this many times the negative logarithm of a probability. */
const RARITY_SCALE = 16;

/** A word of this probability weighs half: Arora, Liang and Ma, "A Simple but Tough-to-Beat Baseline", ICLR 2017. */
const HALF = 1e-3;

/** Words that are not in the table are split into parts that are: Viterbi segmentation, as in a unigram model. */
const LONGEST_PART = 20;
/** Letters looked up together; longer words are looked up in stretches, with pauses. */
export const STRETCH = 60;
/** Cost of a letter that is in no part, as a negative logarithm: about that of the rarest part. */
const UNKNOWN_LETTER = 14;
/** Shorter parts of a word in Latin letters carry no meaning. */
const LEAST_PART = 3;
const LATIN = /^[\u0000-\u024f]*$/;

export class WordTable {
  readonly dimensions: number;
  readonly #rows = new Map<string, number>();
  readonly #vectors: Int8Array;
  /** Negative logarithms of probabilities, by row. */
  readonly #rarities: Float32Array;
  /** Weight of a row, divided by the length of its vector. */
  readonly #weights: Float32Array;

  private constructor(count: number, dimensions: number, vectors: Int8Array) {
    this.dimensions = dimensions;
    this.#vectors = vectors;
    this.#rarities = new Float32Array(count);
    this.#weights = new Float32Array(count);
  }

  /** Pauses every few words. */
  static *read(file: Uint8Array): Generator<undefined, WordTable> {
    const header = new DataView(file.buffer, file.byteOffset, HEADER);
    const count = header.getUint32(0, true);
    const dimensions = header.getUint32(4, true);
    const behindText = HEADER + header.getUint32(8, true);
    const vectors = file.subarray(behindText + count, behindText + count * (1 + dimensions));
    const table = new WordTable(
      count,
      dimensions,
      new Int8Array(vectors.buffer, vectors.byteOffset, vectors.length),
    );
    const text = new TextDecoder().decode(file.subarray(HEADER, behindText));
    let start = 0;
    for (let row = 0; row < count; row++) {
      if (row % STEP === 0) yield;
      const end = text.indexOf('\n', start);
      const word = end < 0 ? text.slice(start) : text.slice(start, end);
      table.#add(word, row, file[behindText + row]! / RARITY_SCALE);
      start = end + 1;
    }
    return table;
  }

  #add(word: string, row: number, rarity: number): void {
    this.#rows.set(word, row);
    this.#rarities[row] = rarity;
    this.#weights[row] = HALF / (HALF + Math.exp(-rarity)) / (this.#length(row) || 1);
  }

  /** The row of a word of at most `STRETCH` letters, or the rows of its parts; may be empty. */
  rowsOf(word: string): number[] {
    const row = this.#rows.get(word);
    return row === undefined ? this.#cut(word) : [row];
  }

  /** Adds a row to a sum, scaled by the weight of a word of this frequency. */
  add(sum: Float32Array, row: number, weight: number): void {
    const scale = weight * this.#weights[row]!;
    const start = row * this.dimensions;
    for (let at = 0; at < this.dimensions; at++) sum[at]! += scale * this.#vectors[start + at]!;
  }

  #length(row: number): number {
    const start = row * this.dimensions;
    let squares = 0;
    for (let at = start; at < start + this.dimensions; at++) squares += this.#vectors[at]! ** 2;
    return Math.sqrt(squares);
  }

  #cut(letters: string): number[] {
    const least = LATIN.test(letters) ? LEAST_PART : 1;
    const costs = new Float64Array(letters.length + 1).fill(Infinity);
    costs[0] = 0;
    // Viterbi back-pointers: for each position, the last part on the cheapest path and its row.
    const steps = new Uint8Array(letters.length + 1);
    const rows = new Int32Array(letters.length + 1);
    const reach = (from: number, to: number, cost: number, row: number): void => {
      if (costs[from]! + cost >= costs[to]!) return;
      costs[to] = costs[from]! + cost;
      steps[to] = to - from;
      rows[to] = row;
    };
    for (let from = 0; from < letters.length; from++) {
      reach(from, from + 1, UNKNOWN_LETTER, -1);
      const last = Math.min(letters.length, from + LONGEST_PART);
      for (let to = from + 1; to <= last; to++) {
        const row = this.#rows.get(letters.slice(from, to));
        if (row !== undefined) reach(from, to, this.#rarities[row]!, row);
      }
    }
    const found: number[] = [];
    for (let at = letters.length; at > 0; at -= steps[at]!) {
      if (rows[at]! >= 0 && steps[at]! >= least) found.push(rows[at]!);
    }
    return found;
  }
}

let loaded: Promise<WordTable> | undefined;

/** Loaded once per process, by the first text that is embedded; immutable. */
export function wordTable(): Promise<WordTable> {
  return (loaded ??= readFile(FILE).then((file) => inTurns(WordTable.read(file))));
}
