/**
 * Posting lists in one growing typed array: slices of power-of-two size, so that a term that occurs twice costs eight
 * bytes and no object. A list contains a document once, in unspecified order. A slice is freed whole and never split:
 * halves could not be merged again, and lists that shrink and grow would take ever more space.
 */

/** A posting: document number in the high bits, term frequency (at most 255) in the low eight bits. */
export const FREQUENCY_BITS = 8;
export const MAX_FREQUENCY = (1 << FREQUENCY_BITS) - 1;
export const MAX_DOCUMENTS = 1 << (32 - FREQUENCY_BITS);

/** Minimum length, and share of the documents, for a list to have a column. */
const LEAST_COLUMN = 1_024;
const LEAST_SHARE = 1 / 8;

const NO_SLICE = 255;
/** A list moves to a smaller slice if its slice has room for this many times its postings. */
const SPARSE = 4;

export class Postings {
  #cells = new Uint32Array(256);
  #used = 0;
  #starts = new Uint32Array(64);
  #lengths = new Uint32Array(64);
  /** The highest term frequency a list has ever had. */
  #highest = new Uint8Array(64);
  /** log2 of the size of a list's slice; NO_SLICE: none. */
  #sizes = new Uint8Array(64);
  /** Starts of free slices, by log2 of their size. */
  readonly #slices: number[][] = [];
  /** Numbers of dropped lists. */
  readonly #numbers: number[] = [];
  /** Term frequencies by document, for long lists; created on demand. */
  readonly #columns = new Map<number, Uint8Array<ArrayBuffer>>();
  #lists = 0;

  /** Lists created so far, including dropped ones: all list numbers are lower. */
  get lists(): number {
    return this.#lists;
  }

  /** Creates an empty list and returns its number; numbers of dropped lists are reused. */
  create(): number {
    const list = this.#numbers.pop() ?? this.#lists++;
    if (list >= this.#starts.length) {
      this.#starts = grown(this.#starts, list + 1);
      this.#lengths = grown(this.#lengths, list + 1);
      this.#highest = fitted(this.#highest, this.#lengths.length);
      this.#sizes = fitted(this.#sizes, this.#lengths.length);
    }
    this.#highest[list] = 0;
    this.#sizes[list] = NO_SLICE;
    return list;
  }

  append(list: number, document: number, frequency: number): void {
    const length = this.#lengths[list]!;
    if (this.#sizes[list] === NO_SLICE) this.#move(list, 0);
    else if (length === 2 ** this.#sizes[list]!) this.#move(list, this.#sizes[list]! + 1);
    this.#cells[this.#starts[list]! + length] = ((document << FREQUENCY_BITS) | frequency) >>> 0;
    this.#lengths[list] = length + 1;
    if (frequency > this.#highest[list]!) this.#highest[list] = frequency;
    const column = this.#columns.get(list);
    if (column === undefined) return;
    if (document < column.length) column[document] = frequency;
    else this.#columns.delete(list);
  }

  /** Fills an empty list. */
  fill(list: number, postings: Uint32Array): void {
    this.#move(list, sizeFor(postings.length));
    this.#cells.set(postings, this.#starts[list]);
    this.#lengths[list] = postings.length;
    for (const posting of postings)
      this.#highest[list] = Math.max(this.#highest[list]!, posting & MAX_FREQUENCY);
  }

  /**
   * Term frequencies of a list by document number; valid until the next change. Undefined if fewer than an eighth of
   * `documents` have the term: then the postings are as fast.
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

  /** An upper bound on the term frequencies of a list. */
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

  /** Keeps only the postings of documents that pass. */
  retain(list: number, passes: (document: number) => boolean): void {
    const start = this.#starts[list]!;
    const length = this.#lengths[list]!;
    const cells = this.#cells;
    let kept = start;
    for (let at = start; at < start + length; at++) {
      if (passes(cells[at]! >>> FREQUENCY_BITS)) cells[kept++] = cells[at]!;
    }
    // recreated on demand if the list is still long enough
    this.#columns.delete(list);
    this.#lengths[list] = kept - start;
    // Unless it is sparse, a list keeps its slice, as it may grow again.
    if (kept === start) this.#giveBack(list);
    else if ((kept - start) * SPARSE <= 2 ** this.#sizes[list]!) this.#move(list, sizeFor(kept - start));
  }

  /** Drops an empty list; its number is reused. */
  drop(list: number): void {
    this.#numbers.push(list);
    this.#columns.delete(list);
  }

  /** Capacity in postings of all slices. */
  get size(): number {
    return this.#used;
  }

  /** Moves a list to a slice of another size in which its postings fit. */
  #move(list: number, size: number): void {
    const start = this.#allocate(size);
    const from = this.#starts[list]!;
    this.#cells.copyWithin(start, from, from + this.#lengths[list]!);
    this.#giveBack(list);
    this.#starts[list] = start;
    this.#sizes[list] = size;
  }

  #allocate(size: number): number {
    const free = this.#slices[size]?.pop();
    if (free !== undefined) return free;
    const start = this.#used;
    this.#used += 2 ** size;
    if (this.#used > this.#cells.length) this.#cells = grown(this.#cells, this.#used);
    return start;
  }

  #giveBack(list: number): void {
    const size = this.#sizes[list]!;
    if (size === NO_SLICE) return;
    (this.#slices[size] ??= []).push(this.#starts[list]!);
    this.#sizes[list] = NO_SLICE;
  }
}

/** log2 of the smallest slice for this many postings, at least one. */
function sizeFor(length: number): number {
  return Math.ceil(Math.log2(length));
}

function fitted(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(bytes);
  return larger;
}

function grown(cells: Uint32Array<ArrayBuffer>, least: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(least, Math.ceil(cells.length * 1.5)));
  larger.set(cells);
  return larger;
}
