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
  /** Vectors of another model are never compared: one index per model and dimension. */
  readonly model: string;
  readonly dimensions: number;
  readonly clock: Clock;
  /**
   * Scans of up to this many floats (rows times dimensions) run at once in the calling thread; longer ones go to
   * the worker. Default: 4 Mi, two milliseconds.
   */
  readonly inlineFloats?: number;
  /** Default: the best that this machine has. */
  readonly kernel?: KernelChoice;
}

export interface VectorSearch {
  readonly owner: Owner;
  readonly filter?: EntryFilter;
  readonly limit: number;
  /** Hits with a lower cosine are left out. */
  readonly minScore?: number;
}

export interface Nearest {
  /** Best first. */
  readonly hits: Hit[];
  /** Of the cosines of all entries that were compared, those too far away to be hits included. */
  readonly spread: Spread;
}

export interface VectorIndexStats {
  readonly entries: number;
  /** Bytes held, matrix and bookkeeping; ids are estimates. */
  readonly bytes: number;
  /** 0 when there is no entry. */
  readonly bytesPerEntry: number;
  /** What scores the vectors: the assembled kernel, or plain JavaScript and why. */
  readonly kernel: KernelName;
  readonly kernelReason: string | null;
}

const INLINE_FLOATS = 4 * 1024 * 1024;
/** More rows are scored by their upper bytes first: at 3,000 x 1,024 in half the time, with the same hits. */
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
  /** By row; undefined marks a row that is gone and waits to be given up. */
  readonly #ids: (string | undefined)[] = [];
  readonly #rows = new Map<string, number>();
  /** Rows to give up when the worker is idle: while it scans, no row may get another meaning. */
  #abandoned: number[] = [];
  #scanning = false;
  #lastScan: Promise<unknown> = Promise.resolve();

  /** Throws RangeError for a number of dimensions out of 1 to 8,192. */
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
   * Adds an entry or replaces the one with this id. The vector is copied and brought to length 1; bytes are
   * little-endian 32-bit floats, as stored. An all-zero vector (a text without words) is kept and has the
   * cosine 0 to everything. Throws RangeError for another number of dimensions and for numbers that are not
   * finite, and `VectorIndexFull` beyond 4 GiB; the index is as before then.
   */
  upsert(id: string, attributes: EntryAttributes, vector: Float32Array | Uint8Array): void {
    const row = this.#ids.length;
    this.#matrix.reserve(row + 1);
    this.#matrix.write(row, vector);
    this.delete(id);
    // deleting may have made the new row the last but one
    const place = this.#ids.length;
    if (place !== row) this.#matrix.move(row, place);
    this.#ids.push(id);
    this.#rows.set(id, place);
    this.#attributes.set(place, attributes);
    this.#pools.add(place, attributes.owner);
  }

  /** Replaces what is known of an entry besides its vector. False: there is no such entry. */
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

  /** Deletes all entries. The memory is kept for the next ones; a new index starts small. */
  clear(): void {
    for (const id of [...this.#rows.keys()].reverse()) this.delete(id);
  }

  /** A copy of an entry's normalised vector, e.g. to compare two entries. */
  vector(id: string): Float32Array | undefined {
    const row = this.#rows.get(id);
    return row === undefined ? undefined : this.#matrix.vector(row);
  }

  /**
   * The nearest entries of one owner that pass the filter, by cosine. A long scan runs in a worker thread, one
   * after another; what is written meanwhile is found by the next search, what is deleted is not found.
   * Throws RangeError for a query of another number of dimensions or not finite; an all-zero one finds nothing.
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
      // some went away during the scan, and perhaps others were cut off for them: ask again
      if (living.length < scanned.rows.length && living.length < search.limit) continue;
      return nearestOf(living, scanned, compared, search);
    }
  }

  /** The hits of `nearest` alone. */
  async search(query: Float32Array, search: VectorSearch): Promise<Hit[]> {
    return (await this.nearest(query, search)).hits;
  }

  /** The cosines of entries with a query, by id; those that have no vector here are left out. */
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

  /** Ends the worker. Searches under way are rejected. Safe to call twice. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  /** In this thread. */
  #scorer(query: Float32Array): Scorer {
    return new Scorer(this.#matrix.kernel, this.#matrix.memory, INLINE_LANE, query);
  }

  /** A fresh list. */
  #select({ owner, filter }: VectorSearch): Int32Array {
    const rows = this.#attributes.select(this.#pools.of(owner), filter, this.#clock.now());
    const among = filter?.among;
    return among === undefined ? rows : rows.filter((row) => among.has(this.#ids[row] ?? ''));
  }

  /** Whether a row is the owner's, and passes the filter. */
  #belongs({ owner, filter }: VectorSearch): (row: number) => boolean {
    const admits = this.#attributes.admits(filter, this.#clock.now());
    const areOf = this.#pools.areOf(owner);
    const among = filter?.among;
    return (row) => areOf(row) && admits(row) && (among?.has(this.#ids[row] ?? '') ?? true);
  }

  /** Waits for the scans before it; chooses the rows only then, as they may change their places between scans. */
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
    // whoever asked hears of a failure; the next scan does not
    this.#lastScan = run.catch(() => undefined);
    return run;
  }

  /** Rows to hits. What was deleted, changed or expired since the rows were chosen is left out. */
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
    // from the end, so that the last row is never itself one that waits
    for (const row of this.#abandoned.sort((a, b) => b - a)) this.#giveUp(row);
    this.#abandoned = [];
  }

  /** The last row takes the place of one that is gone. */
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
