/**
 * Posting lists in one growing typed array: list after list in slices of a power of two, so that a term that
 * occurs twice costs eight bytes and not an object. A list holds a document once, in no promised order.
 */

/** A posting: the document's number above, its term frequency (at most 255) in the low eight bits. */
export const FREQUENCY_BITS = 8;
export const MAX_FREQUENCY = (1 << FREQUENCY_BITS) - 1;
export const MAX_DOCUMENTS = 1 << (32 - FREQUENCY_BITS);

/** Lists that have columns: no shorter ones, and none of fewer than this share of the documents. */
const LEAST_COLUMN = 1_024;
const LEAST_SHARE = 1 / 8;

export class Postings {
  #cells = new Uint32Array(256);
  #used = 0;
  #starts = new Uint32Array(64);
  #lengths = new Uint32Array(64);
  /** The highest term frequency that a list has had. */
  #highest = new Uint8Array(64);
  /** Starts of abandoned slices, by the power of two of their size. */
  readonly #slices: number[][] = [];
  /** Numbers of lists that were dropped. */
  readonly #numbers: number[] = [];
  /** Frequencies by document, of long lists that have been asked for so. */
  readonly #columns = new Map<number, Uint8Array<ArrayBuffer>>();
  #lists = 0;

  /** Lists made so far, dropped ones included: their numbers are below this. */
  get lists(): number {
    return this.#lists;
  }

  /** Makes an empty list and returns its number, perhaps that of a dropped one. */
  create(): number {
    const list = this.#numbers.pop() ?? this.#lists++;
    if (list >= this.#starts.length) {
      this.#starts = grown(this.#starts, list + 1);
      this.#lengths = grown(this.#lengths, list + 1);
      const highest = new Uint8Array(this.#lengths.length);
      highest.set(this.#highest);
      this.#highest = highest;
    }
    this.#highest[list] = 0;
    return list;
  }

  append(list: number, document: number, frequency: number): void {
    const length = this.#lengths[list]!;
    // a full slice is one whose length is a power of two (0 and 1 included)
    if ((length & (length - 1)) === 0) this.#move(list, length);
    this.#cells[this.#starts[list]! + length] = ((document << FREQUENCY_BITS) | frequency) >>> 0;
    this.#lengths[list] = length + 1;
    if (frequency > this.#highest[list]!) this.#highest[list] = frequency;
    const column = this.#columns.get(list);
    if (column === undefined) return;
    if (document < column.length) column[document] = frequency;
    else this.#columns.delete(list);
  }

  /**
   * How often each document has the term of a list, by document number; valid until the next change. Undefined: fewer than
   * an eighth of the `documents` have it, so that their numbers are found as fast.
   */
  column(list: number, documents: number): Uint8Array | undefined {
    const known = this.#columns.get(list);
    if (known !== undefined && known.length >= documents) return known;
    if (this.length(list) < LEAST_COLUMN || this.length(list) < documents * LEAST_SHARE) return undefined;
    const column = new Uint8Array(Math.ceil(documents * 1.125));
    for (const posting of this.of(list)) column[posting >>> FREQUENCY_BITS] = posting & MAX_FREQUENCY;
    this.#columns.set(list, column);
    return column;
  }

  /** The highest term frequency of a list, or higher. */
  mostFrequent(list: number): number {
    return this.#highest[list]!;
  }

  /** The postings of a list; valid until the next change. */
  of(list: number): Uint32Array {
    const start = this.#starts[list]!;
    return this.#cells.subarray(start, start + this.#lengths[list]!);
  }

  length(list: number): number {
    return this.#lengths[list]!;
  }

  /** Keeps the postings of the documents that pass; the room of the others serves the next ones. */
  retain(list: number, passes: (document: number) => boolean): void {
    const start = this.#starts[list]!;
    const length = this.#lengths[list]!;
    const cells = this.#cells;
    let kept = start;
    for (let at = start; at < start + length; at++) {
      if (passes(cells[at]! >>> FREQUENCY_BITS)) cells[kept++] = cells[at]!;
    }
    // made again when it is asked for, if the list is still long enough
    this.#columns.delete(list);
    this.#lengths[list] = kept - start;
    this.#giveBack(start, sizeOf(length), sizeOf(kept - start));
  }

  /** Forgets a list that is empty; its number serves the next one. */
  drop(list: number): void {
    this.#numbers.push(list);
    this.#columns.delete(list);
  }

  /** Postings that there is room for in the slices made so far. */
  get size(): number {
    return this.#used;
  }

  get bytes(): number {
    const { byteLength } = this.#cells;
    let bytes = byteLength + this.#starts.byteLength + this.#lengths.byteLength + this.#highest.byteLength;
    for (const column of this.#columns.values()) bytes += column.byteLength;
    return bytes;
  }

  #move(list: number, length: number): void {
    const start = this.#allocate(Math.max(1, 2 * length));
    const from = this.#starts[list]!;
    this.#cells.copyWithin(start, from, from + length);
    if (length > 0) this.#giveBack(from, length, 0);
    this.#starts[list] = start;
  }

  #allocate(size: number): number {
    const abandoned = this.#slices[Math.log2(size)]?.pop();
    if (abandoned !== undefined) return abandoned;
    const start = this.#used;
    this.#used += size;
    if (this.#used > this.#cells.length) this.#cells = grown(this.#cells, this.#used);
    return start;
  }

  /** Shortens a slice to half its size as often as it takes, and abandons the upper halves; to 0: all of it. */
  #giveBack(start: number, size: number, kept: number): void {
    if (kept === 0) return size === 0 ? undefined : this.#abandon(start, size);
    for (let half = size / 2; half >= kept; half /= 2) this.#abandon(start + half, half);
  }

  #abandon(start: number, size: number): void {
    (this.#slices[Math.log2(size)] ??= []).push(start);
  }
}

/** The slice of a list of that length. */
function sizeOf(length: number): number {
  return length === 0 ? 0 : 2 ** Math.ceil(Math.log2(length));
}

function grown(cells: Uint32Array<ArrayBuffer>, least: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(least, Math.ceil(cells.length * 1.5)));
  larger.set(cells);
  return larger;
}
