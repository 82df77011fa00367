/** The vectors of an index: rows of one growable memory that the worker reads too. */
import { chooseKernel, instantiate, type KernelChoice } from './choose-kernel.js';
import type { Kernel, SharedMemory } from './kernel.js';
import {
  blockBytes,
  BLOCK_ROWS,
  coarseAt,
  FINE_STEPS,
  fineAt,
  INLINE_LANE,
  MATRIX_START,
  MAX_DIMENSIONS,
  MAX_PAGES,
  maxRows,
  paddedDimensions,
  PAGE_BYTES,
  unitAt,
} from './layout.js';

/** The matrix is full. */
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
  #views: Views;

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
    this.#views = viewsOf(this.#memory.buffer);
  }

  get memory(): SharedMemory {
    return this.#memory;
  }

  get byteLength(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Makes room for `rows` rows. Throws `VectorIndexFull`. */
  reserve(rows: number): void {
    if (rows <= this.#capacity) return;
    const most = maxRows(this.padded);
    if (rows > most) throw new VectorIndexFull(most, this.dimensions);
    // an eighth more than requested, so that growth is rare
    const wanted = Math.min(most, Math.ceil((rows * 1.125) / BLOCK_ROWS) * BLOCK_ROWS);
    const bytes = MATRIX_START + (wanted / BLOCK_ROWS) * blockBytes(this.padded);
    try {
      this.#memory.grow(Math.ceil((bytes - this.byteLength) / PAGE_BYTES));
    } catch (cause) {
      throw new VectorIndexFull(this.#capacity, this.dimensions, cause);
    }
    this.#capacity = wanted;
    this.#views = viewsOf(this.#memory.buffer);
  }

  /**
   * Writes a row within the capacity: floats, or the bytes of little-endian floats. Throws RangeError for a wrong
   * number of dimensions or numbers that are not finite; the row is all-zero then.
   */
  write(row: number, vector: Float32Array | Uint8Array): void {
    const given = vector instanceof Float32Array ? vector.length : vector.byteLength / 4;
    if (given !== this.dimensions) {
      throw new RangeError(`a vector of ${given} dimensions where all have ${this.dimensions}`);
    }
    const start = INLINE_LANE.query;
    const { bytes, floats } = this.#views;
    if (vector instanceof Float32Array) floats.set(vector, start / 4);
    else bytes.set(vector, start);
    floats.fill(0, start / 4 + this.dimensions, start / 4 + this.padded);
    const length = this.kernel.seal(INLINE_LANE, row);
    if (Number.isFinite(length)) return;
    floats.fill(0, start / 4, start / 4 + this.padded);
    this.kernel.seal(INLINE_LANE, row);
    throw new RangeError('a vector holds numbers that are not finite, or too large');
  }

  move(from: number, to: number): void {
    const { padded } = this;
    const copy = (place: typeof coarseAt, bytes: number): void => {
      this.#views.bytes.copyWithin(place(padded, to), place(padded, from), place(padded, from) + bytes);
    };
    copy(coarseAt, padded);
    copy(fineAt, padded);
    copy(unitAt, 4);
  }

  /** A normalised copy of a row. */
  vector(row: number): Float32Array {
    const coarse = coarseAt(this.padded, row);
    const fine = fineAt(this.padded, row);
    const unit = this.#views.floats[unitAt(this.padded, row) / 4]!;
    const signed = new Int8Array(this.#memory.buffer);
    return Float32Array.from(
      { length: this.dimensions },
      (_, at) => (FINE_STEPS * signed[coarse + at]! + signed[fine + at]!) * unit,
    );
  }
}

interface Views {
  readonly bytes: Uint8Array;
  readonly floats: Float32Array;
}

function viewsOf(buffer: SharedArrayBuffer): Views {
  return { bytes: new Uint8Array(buffer), floats: new Float32Array(buffer) };
}

interface GrowingMemory extends SharedMemory {
  grow(pages: number): void;
}

/** Without WebAssembly: a memory that is copied when it grows. */
class CopiedMemory implements GrowingMemory {
  buffer = new SharedArrayBuffer(MATRIX_START);

  grow(pages: number): void {
    const grown = new SharedArrayBuffer(this.buffer.byteLength + pages * PAGE_BYTES);
    new Uint8Array(grown).set(new Uint8Array(this.buffer));
    this.buffer = grown;
  }
}
