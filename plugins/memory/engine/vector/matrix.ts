/** The vectors of an index: rows of one growing memory that the worker reads too. */
import { chooseKernel, instantiate, type Kernel, type KernelChoice, type SharedMemory } from './kernel.js';
import {
  blockBytes,
  BLOCK_ROWS,
  coarseAt,
  FINE_STEPS,
  fineAt,
  INLINE_LANE,
  leadAt,
  leadBytes,
  MATRIX_START,
  MAX_DIMENSIONS,
  MAX_PAGES,
  maxRows,
  paddedDimensions,
  PAGE_BYTES,
  unitAt,
} from './layout.js';

/** The matrix cannot take another row. */
export class VectorIndexFull extends Error {
  constructor(rows: number, dimensions: number, cause?: unknown) {
    super(
      `no room for more than ${rows} vectors of ${dimensions} dimensions in memory; turn on the external vector store`,
      { cause },
    );
    this.name = 'VectorIndexFull';
  }
}

export class Matrix {
  readonly dimensions: number;
  readonly padded: number;
  readonly choice: KernelChoice;
  readonly kernel: Kernel;
  readonly #memory: GrowingMemory;
  /** Rows that fit without growing. */
  #capacity = 0;
  #restOfLed = 0;
  #bytes: Uint8Array;
  #floats: Float32Array;
  #signed: Int8Array;

  constructor(dimensions: number, choice: KernelChoice = chooseKernel()) {
    if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MAX_DIMENSIONS) {
      throw new RangeError(`vectors have 1 to ${MAX_DIMENSIONS} dimensions, not ${dimensions}`);
    }
    this.dimensions = dimensions;
    this.padded = paddedDimensions(dimensions);
    this.choice = choice;
    this.#memory =
      choice.module === null
        ? new CopiedMemory()
        : new WebAssembly.Memory({ initial: MATRIX_START / PAGE_BYTES, maximum: MAX_PAGES, shared: true });
    this.kernel = instantiate(choice.module, this.#memory, MATRIX_START, this.padded);
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#floats = new Float32Array(this.#memory.buffer);
    this.#signed = new Int8Array(this.#memory.buffer);
  }

  get memory(): SharedMemory {
    return this.#memory;
  }

  get byteLength(): number {
    return this.#memory.buffer.byteLength;
  }

  /** The greatest length that the numbers behind the lead have in a row whose lead is not zero; 1 would be all of it. */
  get restOfLed(): number {
    return this.#restOfLed;
  }

  /** Makes room for a number of rows. Throws `VectorIndexFull`. */
  reserve(rows: number): void {
    if (rows <= this.#capacity) return;
    const most = maxRows(this.padded);
    if (rows > most) throw new VectorIndexFull(most, this.dimensions);
    // an eighth more than asked, so that filling up grows seldom
    const wanted = Math.min(most, Math.ceil((rows * 1.125) / BLOCK_ROWS) * BLOCK_ROWS);
    const bytes = MATRIX_START + (wanted / BLOCK_ROWS) * blockBytes(this.padded);
    try {
      this.#memory.grow(Math.ceil((bytes - this.byteLength) / PAGE_BYTES));
    } catch (cause) {
      throw new VectorIndexFull(this.#capacity, this.dimensions, cause);
    }
    this.#capacity = wanted;
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#floats = new Float32Array(this.#memory.buffer);
    this.#signed = new Int8Array(this.#memory.buffer);
  }

  /**
   * Writes a row that there is room for: floats, or the bytes of little-endian floats. Throws RangeError for
   * another number of dimensions and for numbers that are not finite; the row is all-zero then.
   */
  write(row: number, vector: Float32Array | Uint8Array): void {
    const given = vector instanceof Float32Array ? vector.length : vector.byteLength / 4;
    if (given !== this.dimensions) {
      throw new RangeError(`a vector of ${given} dimensions where all have ${this.dimensions}`);
    }
    const start = INLINE_LANE.query;
    if (vector instanceof Float32Array) this.#floats.set(vector, start / 4);
    else this.#bytes.set(vector, start);
    this.#floats.fill(0, start / 4 + this.dimensions, start / 4 + this.padded);
    const length = this.#seal(row);
    if (Number.isFinite(length)) {
      if (length > 0) this.#restOfLed = Math.max(this.#restOfLed, this.#restAt(start / 4) / length);
      return;
    }
    this.#floats.fill(0, start / 4, start / 4 + this.padded);
    this.#seal(row);
    throw new RangeError('a vector holds numbers that are not finite, or too large');
  }

  #seal(row: number): number {
    const length = this.kernel.seal(INLINE_LANE, row);
    const from = coarseAt(this.padded, row);
    const bytes = leadBytes(this.padded);
    if (bytes > 0) this.#bytes.copyWithin(leadAt(this.padded, row), from, from + bytes);
    return length;
  }

  /** The length of the numbers behind a lead; 0 for a row without a lead or with one of zeros. */
  #restAt(start: number): number {
    const floats = this.#floats;
    const end = start + leadBytes(this.padded);
    let lead = 0;
    for (let at = start; at < end; at++) lead += floats[at]! * floats[at]!;
    if (lead === 0) return 0;
    let rest = 0;
    for (let at = end; at < start + this.padded; at++) rest += floats[at]! * floats[at]!;
    return Math.sqrt(rest);
  }

  move(from: number, to: number): void {
    const { padded } = this;
    const copy = (place: typeof coarseAt, bytes: number): void => {
      this.#bytes.copyWithin(place(padded, to), place(padded, from), place(padded, from) + bytes);
    };
    copy(coarseAt, padded);
    copy(fineAt, padded);
    copy(unitAt, 4);
    copy(leadAt, leadBytes(padded));
  }

  /** A copy of a row, normalised. */
  vector(row: number): Float32Array {
    const coarse = coarseAt(this.padded, row);
    const fine = fineAt(this.padded, row);
    const unit = this.#floats[unitAt(this.padded, row) / 4]!;
    const bytes = this.#signed;
    return Float32Array.from(
      { length: this.dimensions },
      (_, at) => (FINE_STEPS * bytes[coarse + at]! + bytes[fine + at]!) * unit,
    );
  }
}

interface GrowingMemory extends SharedMemory {
  grow(pages: number): void;
}

/** Where there is no WebAssembly: a memory that grows by moving. */
class CopiedMemory implements GrowingMemory {
  buffer = new SharedArrayBuffer(MATRIX_START);

  grow(pages: number): void {
    const grown = new SharedArrayBuffer(this.buffer.byteLength + pages * PAGE_BYTES);
    new Uint8Array(grown).set(new Uint8Array(this.buffer));
    this.buffer = grown;
  }
}
