/** The vector index: exact nearest neighbours by cosine within one owner's entries. */
import type { Clock } from 'plugboard/sdk';
import { AttributeColumns } from '../base/attribute-columns.js';
import { byRank, type EntryAttributes, type EntryFilter, type Hit, type Owner } from '../base/attributes.js';
import type { KernelChoice, KernelName } from './choose-kernel.js';
import { INLINE_LANE } from './layout.js';
import { Matrix } from './matrix.js';
import { RowPools } from './pools.js';
import type { Spread } from '../ranking/fusion.js';
import type { Kept } from './best.js';
import { prepared } from './query.js';
import { scan, type Scan } from './scan.js';
import type { Scanned } from './scanned.js';
import { ScanThread } from './scan-thread.js';
import { Scorer } from './scorer.js';

export interface VectorIndexOptions {
  /** Vectors of different models are never compared: one index per model and dimension. */
  readonly model: string;
  readonly dimensions: number;
  readonly clock: Clock;
  /**
   * Scans of up to this many floats (rows times dimensions) run synchronously in the calling thread; longer ones in the
   * worker. Default: 4 Mi, two milliseconds.
   */
  readonly inlineFloats?: number;
  /** Default: the fastest available. */
  readonly kernel?: KernelChoice;
}

export interface VectorSearch {
  readonly owner: Owner;
  readonly filter?: EntryFilter;
  readonly limit: number;
  /** Hits with a lower cosine are omitted. */
  readonly minScore?: number;
}

export interface Nearest {
  /** Best first. */
  readonly hits: Hit[];
  /** Of the cosines of all compared entries, including those that are no hits. */
  readonly spread: Spread;
}

export interface VectorIndexStats {
  readonly entries: number;
  /** Bytes used by matrix and bookkeeping; ids are estimated. */
  readonly bytes: number;
  /** 0 without entries. */
  readonly bytesPerEntry: number;
  /** The kernel that scores the vectors: assembled, or plain JavaScript and why. */
  readonly kernel: KernelName;
  readonly kernelReason: string | null;
}

const INLINE_FLOATS = 4 * 1024 * 1024;
/** With more rows, the upper bytes are scored first: at 3,000 x 1,024 in half the time, with the same hits. */
const FINE_ROWS = 1_000;

export class VectorIndex {
  readonly model: string;
  readonly dimensions: number;
  readonly #clock: Clock;
  readonly #inlineFloats: number;
  readonly #matrix: Matrix;
  readonly #thread: ScanThread;
  readonly #pools = new RowPools();
  readonly #attributes = new AttributeColumns();
  /** By row; undefined marks a deleted row that is not yet freed. */
  readonly #ids: (string | undefined)[] = [];
  readonly #rows = new Map<string, number>();
  /** Deleted rows to free when the worker is idle: while it scans, rows must keep their meaning. */
  #abandoned: number[] = [];
  #scanning = false;
  #lastScan: Promise<unknown> = Promise.resolve();

  /** Throws RangeError unless dimensions are 1 to 8,192. */
  constructor(options: VectorIndexOptions) {
    this.model = options.model;
    this.dimensions = options.dimensions;
    this.#clock = options.clock;
    this.#inlineFloats = options.inlineFloats ?? INLINE_FLOATS;
    this.#matrix = new Matrix(options.dimensions, options.kernel);
    this.#thread = new ScanThread(this.#matrix);
  }

  get size(): number {
    return this.#rows.size;
  }

  /**
   * Adds an entry or replaces the one with this id. The vector is copied and normalised; bytes are little-endian 32-bit
   * floats, as stored. An all-zero vector (a text without words) is accepted and has cosine 0 with everything. Throws
   * RangeError for a wrong number of dimensions or numbers that are not finite, and `VectorIndexFull` beyond 4 GiB; the
   * index is unchanged then.
   */
  upsert(id: string, attributes: EntryAttributes, vector: Float32Array | Uint8Array): void {
    const row = this.#ids.length;
    this.#matrix.reserve(row + 1);
    this.#matrix.write(row, vector);
    this.delete(id);
    // the deletion may have moved the new row
    const place = this.#ids.length;
    if (place !== row) this.#matrix.move(row, place);
    this.#ids.push(id);
    this.#rows.set(id, place);
    this.#attributes.set(place, attributes);
    this.#pools.add(place, attributes.owner);
  }

  /** Replaces an entry's attributes. False: there is no such entry. */
  setAttributes(id: string, attributes: EntryAttributes): boolean {
    const row = this.#rows.get(id);
    if (row === undefined) return false;
    this.#attributes.set(row, attributes);
    if (this.#pools.owner(row) !== attributes.owner) {
      this.#pools.remove(row);
      this.#pools.add(row, attributes.owner);
    }
    return true;
  }

  has(id: string): boolean {
    return this.#rows.has(id);
  }

  /** False: there was no such entry. */
  delete(id: string): boolean {
    const row = this.#rows.get(id);
    if (row === undefined) return false;
    this.#rows.delete(id);
    this.#pools.remove(row);
    this.#ids[row] = undefined;
    if (this.#scanning) this.#abandoned.push(row);
    else this.#giveUp(row);
    return true;
  }

  /** Deletes all entries. Keeps the memory for new ones; a new index starts small. */
  clear(): void {
    for (const id of [...this.#rows.keys()].reverse()) this.delete(id);
  }

  /** A copy of an entry's normalised vector. */
  vector(id: string): Float32Array | undefined {
    const row = this.#rows.get(id);
    return row === undefined ? undefined : this.#matrix.vector(row);
  }

  /**
   * The owner's nearest entries that pass the filter, by cosine. Long scans run in a worker thread, one at a time;
   * entries written meanwhile are found by the next search, deleted ones are not returned. Throws RangeError for a
   * query with a wrong number of dimensions or numbers that are not finite; an all-zero query finds nothing.
   */
  async nearest(query: Float32Array, search: VectorSearch): Promise<Nearest> {
    const asked = prepared(query, this.#matrix);
    if (asked === undefined || search.limit < 1) return NOTHING;
    const rows = this.#select(search);
    if (rows.length * this.dimensions <= this.#inlineFloats) {
      const precision = rows.length > FINE_ROWS ? 'coarse' : 'fine';
      const { limit } = search;
      const scanned = scan(this.#scorer(asked), { query: asked, rows, limit, precision });
      return nearestOf(this.#living(scanned, search), scanned, rows.length, search);
    }
    for (;;) {
      const { living, scanned, compared } = await this.#scanInThread(asked, search);
      // some were deleted during the scan, and others may have been cut off because of them: search again
      if (living.length < scanned.rows.length && living.length < search.limit) continue;
      return nearestOf(living, scanned, compared, search);
    }
  }

  /** Only the hits of `nearest`. */
  async search(query: Float32Array, search: VectorSearch): Promise<Hit[]> {
    return (await this.nearest(query, search)).hits;
  }

  /** Cosines of entries with a query, by id; entries without a vector here are omitted. */
  cosines(query: Float32Array, ids: readonly string[]): Map<string, number> {
    const known = ids.filter((id) => this.#rows.has(id));
    const asked = prepared(query, this.#matrix);
    if (asked === undefined) return new Map(known.map((id) => [id, 0]));
    const rows = Int32Array.from(known, (id) => this.#rows.get(id)!);
    const cosines = this.#scorer(asked).fine(rows);
    return new Map(known.map((id, at) => [id, cosines[at]!]));
  }

  stats(): VectorIndexStats {
    const entries = this.size;
    const bytes =
      this.#matrix.byteLength + this.#pools.bytes + this.#attributes.bytes + this.#ids.length * 130;
    return {
      entries,
      bytes,
      bytesPerEntry: entries === 0 ? 0 : bytes / entries,
      kernel: this.#matrix.choice.name,
      kernelReason: this.#matrix.choice.reason,
    };
  }

  /** Ends the worker. Pending searches are rejected. Safe to call twice. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  /** For this thread. */
  #scorer(query: Float32Array): Scorer {
    return new Scorer(this.#matrix.kernel, this.#matrix.memory, INLINE_LANE, query);
  }

  /** Returns a new array. */
  #select({ owner, filter }: VectorSearch): Int32Array {
    const rows = this.#attributes.select(this.#pools.of(owner), filter, this.#clock.now());
    const among = filter?.among;
    return among === undefined ? rows : rows.filter((row) => among.has(this.#ids[row] ?? ''));
  }

  /** Whether a row belongs to the owner and passes the filter. */
  #belongs({ owner, filter }: VectorSearch): (row: number) => boolean {
    const admits = this.#attributes.admits(filter, this.#clock.now());
    const areOf = this.#pools.areOf(owner);
    const among = filter?.among;
    return (row) => areOf(row) && admits(row) && (among?.has(this.#ids[row] ?? '') ?? true);
  }

  /** Waits for earlier scans, and selects the rows only then, as rows may move between scans. */
  #scanInThread(
    query: Float32Array,
    search: VectorSearch,
  ): Promise<{ living: Hit[]; scanned: Scanned; compared: number }> {
    const run = this.#lastScan.then(async () => {
      const rows = this.#select(search);
      const compared = rows.length;
      const asked: Scan = { query, rows, limit: search.limit, precision: 'coarse' };
      this.#scanning = true;
      try {
        const scanned = await this.#thread.scan(asked);
        return { living: this.#living(scanned, search), scanned, compared };
      } finally {
        this.#scanning = false;
        this.#giveUpAbandoned();
      }
    });
    // the caller gets the error; the next scan is not affected
    this.#lastScan = run.catch(() => undefined);
    return run;
  }

  /** Converts rows to hits. Omits entries deleted, changed or expired since the rows were selected. */
  #living({ rows, scores }: Kept, search: VectorSearch): Hit[] {
    const belongs = this.#belongs(search);
    const hits: Hit[] = [];
    rows.forEach((row, at) => {
      if (!belongs(row)) return;
      hits.push({ id: this.#ids[row]!, score: scores[at]!, createdAt: this.#attributes.createdAt(row) });
    });
    return hits;
  }

  #giveUpAbandoned(): void {
    // from the end, so that the last row is never one of those to free
    for (const row of this.#abandoned.sort((a, b) => b - a)) this.#giveUp(row);
    this.#abandoned = [];
  }

  /** The last row moves into the place of a deleted one. */
  #giveUp(row: number): void {
    const last = this.#ids.length - 1;
    const id = this.#ids[last];
    if (row !== last && id !== undefined) {
      this.#matrix.move(last, row);
      this.#attributes.move(last, row);
      this.#pools.move(last, row);
      this.#ids[row] = id;
      this.#rows.set(id, row);
    }
    this.#ids.pop();
    this.#attributes.truncate(last);
  }
}

const NOTHING: Nearest = { hits: [], spread: { entries: 0, mean: 0, deviation: 0 } };

function nearestOf(
  living: readonly Hit[],
  { all: { mean, variance } }: Scanned,
  entries: number,
  { minScore = -Infinity, limit }: VectorSearch,
): Nearest {
  const hits = living
    .filter((hit) => hit.score >= minScore)
    .sort(byRank)
    .slice(0, limit);
  return { hits, spread: { entries, mean, deviation: Math.sqrt(variance) } };
}
