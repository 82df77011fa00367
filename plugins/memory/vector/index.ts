/** The vector index: exact nearest neighbours by cosine within one owner's entries. */
import type { Clock } from 'plugboard/sdk';
import { byRank, type EntryAttributes, type EntryFilter, type Hit, type Owner } from '../attributes.js';

export interface VectorIndexOptions {
  /** Vectors of another model are never compared: one index per model and dimension. */
  readonly model: string;
  readonly dimensions: number;
  readonly clock: Clock;
}

export interface VectorSearch {
  readonly owner: Owner;
  readonly filter?: EntryFilter;
  readonly limit: number;
  /** Hits with a lower cosine are left out. */
  readonly minScore?: number;
}

export interface VectorIndexStats {
  readonly entries: number;
  /** Bytes held, matrix and bookkeeping. */
  readonly bytes: number;
  /** 0 when there is no entry. */
  readonly bytesPerEntry: number;
  /** What scores the vectors: the assembled kernel, or plain JavaScript and why. */
  readonly kernel: 'wasm-simd' | 'javascript';
  readonly kernelReason: string | null;
}

export class VectorIndex {
  readonly model: string;
  readonly dimensions: number;
  readonly #clock: Clock;
  readonly #rows = new Map<string, { attributes: EntryAttributes; vector: Float32Array }>();

  constructor(options: VectorIndexOptions) {
    this.model = options.model;
    this.dimensions = options.dimensions;
    this.#clock = options.clock;
  }

  get size(): number {
    return this.#rows.size;
  }

  /**
   * Adds an entry or replaces the one with this id. The vector is copied and brought to length 1; bytes are
   * little-endian 32-bit floats, as stored. An all-zero vector (a text without words) is kept and has the
   * cosine 0 to everything. Throws RangeError for another number of dimensions, for numbers that are not finite,
   * and when the matrix is full (4 GiB).
   */
  upsert(id: string, attributes: EntryAttributes, vector: Float32Array | Uint8Array): void {
    const floats = vector instanceof Float32Array ? vector : new Float32Array(new Uint8Array(vector).buffer);
    if (floats.length !== this.dimensions) throw new RangeError(`a vector of ${floats.length} dimensions`);
    this.#rows.set(id, { attributes, vector: unit(floats) });
  }

  /** Replaces what is known of an entry besides its vector. False: there is no such entry. */
  setAttributes(id: string, attributes: EntryAttributes): boolean {
    const row = this.#rows.get(id);
    if (row === undefined) return false;
    this.#rows.set(id, { ...row, attributes });
    return true;
  }

  /** False: there was no such entry. */
  delete(id: string): boolean {
    return this.#rows.delete(id);
  }

  clear(): void {
    this.#rows.clear();
  }

  /** A copy of an entry's normalised vector, e.g. to compare two entries. */
  vector(id: string): Float32Array | undefined {
    return this.#rows.get(id)?.vector.slice();
  }

  /** The nearest entries of one owner that pass the filter; `score` is the cosine. A long scan runs in a worker. */
  search(query: Float32Array, search: VectorSearch): Promise<Hit[]> {
    const asked = unit(query);
    const now = this.#clock.now();
    const hits: Hit[] = [];
    for (const [id, { attributes, vector }] of this.#rows) {
      const { owner, type, session, createdAt, expiresAt, archived } = attributes;
      if (owner !== search.owner || archived || (expiresAt !== null && expiresAt <= now)) continue;
      if (search.filter?.type !== undefined && search.filter.type !== type) continue;
      if (search.filter?.session !== undefined && search.filter.session !== session) continue;
      hits.push({ id, score: vector.reduce((sum, value, at) => sum + value * asked[at]!, 0), createdAt });
    }
    const kept = hits.filter((hit) => hit.score >= (search.minScore ?? -Infinity)).sort(byRank);
    return Promise.resolve(kept.slice(0, search.limit));
  }

  stats(): VectorIndexStats {
    const bytes = this.size * this.dimensions * 4;
    return {
      entries: this.size,
      bytes,
      bytesPerEntry: this.size === 0 ? 0 : bytes / this.size,
      kernel: 'javascript',
      kernelReason: 'the kernel is not built yet',
    };
  }

  /** Ends the worker. Searches under way are rejected. Safe to call twice. */
  async close(): Promise<void> {}
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length)) throw new RangeError('a vector holds numbers that are not finite');
  return length === 0 ? vector : vector.map((value) => value / length);
}
