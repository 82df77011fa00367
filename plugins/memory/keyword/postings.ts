/**
 * Posting lists in one growing typed array: list after list in slices of a power of two, so that a term that
 * occurs twice costs eight bytes and not an object.
 */

/** A posting: the document's number above, its term frequency (at most 255) in the low eight bits. */
export const FREQUENCY_BITS = 8;
export const MAX_FREQUENCY = (1 << FREQUENCY_BITS) - 1;
export const MAX_DOCUMENTS = 1 << (32 - FREQUENCY_BITS);

const NONE = new Uint32Array(0);

export class Postings {
  #cells = new Uint32Array(256);
  #used = 0;
  #starts = new Uint32Array(64);
  #lengths = new Uint32Array(64);
  /** Starts of abandoned slices, by the power of two of their size. */
  readonly #free: number[][] = [];
  #lists = 0;

  /** Makes a list of some postings, in the order of their documents, and returns its number. */
  create(postings: Uint32Array = NONE): number {
    const list = this.#lists++;
    if (list >= this.#starts.length) {
      this.#starts = grown(this.#starts, list + 1);
      this.#lengths = grown(this.#lengths, list + 1);
    }
    if (postings.length > 0) {
      const start = this.#allocate(2 ** Math.ceil(Math.log2(postings.length)));
      this.#cells.set(postings, start);
      this.#starts[list] = start;
      this.#lengths[list] = postings.length;
    }
    return list;
  }

  append(list: number, document: number, frequency: number): void {
    const length = this.#lengths[list]!;
    // a full slice is one whose length is a power of two (0 and 1 included)
    if ((length & (length - 1)) === 0) this.#move(list, length);
    this.#cells[this.#starts[list]! + length] = ((document << FREQUENCY_BITS) | frequency) >>> 0;
    this.#lengths[list] = length + 1;
  }

  /** The postings of a list in the order of their documents; valid until the next `append`. */
  of(list: number): Uint32Array {
    const start = this.#starts[list]!;
    return this.#cells.subarray(start, start + this.#lengths[list]!);
  }

  get bytes(): number {
    return this.#cells.byteLength + this.#starts.byteLength + this.#lengths.byteLength;
  }

  #move(list: number, length: number): void {
    const size = Math.max(1, 2 * length);
    const start = this.#allocate(size);
    const from = this.#starts[list]!;
    this.#cells.copyWithin(start, from, from + length);
    if (length > 0) (this.#free[Math.log2(length)] ??= []).push(from);
    this.#starts[list] = start;
  }

  #allocate(size: number): number {
    const free = this.#free[Math.log2(size)]?.pop();
    if (free !== undefined) return free;
    const start = this.#used;
    this.#used += size;
    if (this.#used > this.#cells.length) this.#cells = grown(this.#cells, this.#used);
    return start;
  }
}

function grown(cells: Uint32Array<ArrayBuffer>, least: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(least, Math.ceil(cells.length * 1.5)));
  larger.set(cells);
  return larger;
}
