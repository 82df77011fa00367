/**
 * Counts the characters of each table's rows in the transactions that write them. A count has parts, and each write
 * changes one of them, as concurrent writes would conflict over a single one. Near the bound they do conflict: each
 * must know of the others, and the parts are added up.
 *
 * Rows that exist when the count begins are counted in the order of their ids: a write up to the last counted row
 * changes the count, a write after it is counted when its turn comes. Such a step changes all parts, so it conflicts
 * with every write.
 */
import { setTimeout as wait } from 'node:timers/promises';
import {
  nextTurn,
  type Collection,
  type Document,
  type Logger,
  type Storage,
  type Transaction,
} from 'plugboard/sdk';
import { charactersOf } from '../base/characters.js';
import { errors } from '../base/errors.js';
import type { Relation } from '../catalog/model.js';
import type { StoredRow } from '../values/stored.js';
import { isWordsMember } from '../words/word-index.js';

/** A part of the count of a collection. */
interface TableSize extends Document {
  readonly characters: number;
  /** The last counted row, the same in all parts; null: all are counted. */
  readonly counted: string | null;
  /** Changes with every write, even one that adds nothing, so that it conflicts with a step. */
  readonly writes: number;
}

interface Difference {
  readonly before?: StoredRow | undefined;
  readonly after?: StoredRow | undefined;
}

export interface Tally {
  note(table: Relation, rows: readonly Difference[]): void;
  /** At the end of the transaction. Throws SVC135 if rows would exceed the bound. */
  settle(): Promise<void>;
}

type Sizes = Collection<TableSize>;

/** Per count. The first one is for writes near the bound. */
const PARTS = 16;
/** Part of the bound from which a write is near it. */
const NEAR = 0.9;
/** Milliseconds for which a sum is trusted, plus what was added here since. */
const BELIEVED = 1_000;
/** Rows that one step counts. */
const STEP = 500;
/** Milliseconds between two looks for tables that are not counted yet. */
const LOOK = 5_000;

export class TableSizes {
  readonly #storage: Storage;
  readonly #sizes: Sizes;
  readonly #most: number | undefined;
  readonly #sums = new Map<string, { characters: number; readonly until: number }>();
  #writes = 0;

  /** `most`: characters of one table; undefined: nothing is counted. */
  constructor(storage: Storage, most: number | undefined) {
    this.#storage = storage;
    this.#sizes = storage.collection<TableSize>({ name: 'table_sizes' });
    this.#most = most;
  }

  /**
   * For one attempt of a transaction; undefined if nothing is counted. `isBounded`: false for what the operator loads.
   */
  tally(tx: Transaction, isBounded = true): Tally | undefined {
    if (this.#most === undefined) return undefined;
    const most = isBounded ? this.#most : Infinity;
    const noted = new Map<string, { readonly table: Relation; readonly rows: Difference[] }>();
    const sizes = this.#sizes.with(tx);
    return {
      note(table, rows) {
        const name = table.collection ?? '';
        const all = noted.get(name) ?? { table, rows: [] };
        noted.set(name, all);
        all.rows.push(...rows);
      },
      settle: async () => {
        for (const [name, { table, rows }] of noted) {
          const added = sum(rows);
          const isNear = this.#isNear(name, added);
          const part = isNear ? 0 : 1 + ((this.#writes += 1) % (PARTS - 1));
          if (!(await add(sizes, { name, part, added }))) {
            const collection = this.#storage.collection<StoredRow>({ name }).with(tx);
            await addWhileCounting(sizes, collection, { part, rows });
          }
          if (!isNear) continue;
          const { characters } = await sizeOf(sizes, name);
          this.#learn(name, characters);
          if (added > 0 && characters > most) throw refusal(table, most);
        }
      },
    };
  }

  /** False if there is certainly room; then it records what is added. */
  #isNear(name: string, added: number): boolean {
    const known = this.#sums.get(name);
    if (known === undefined || known.until < performance.now()) return true;
    if (known.characters + added > NEAR * this.#most!) return true;
    if (added > 0) known.characters += added;
    return false;
  }

  #learn(name: string, characters: number): void {
    const now = performance.now();
    const known = this.#sums.get(name);
    if (known === undefined || known.until < now) this.#sums.set(name, { characters, until: now + BELIEVED });
    // Uncommitted writes are in no sum yet.
    else known.characters = Math.max(known.characters, characters);
  }

  /** Counts the rows of a collection again: for writes that are not requests. */
  async recount(name: string): Promise<void> {
    await this.#sizes.updateMany(partsOf(name), {
      $set: { characters: 0, counted: '' },
      $inc: { writes: 1 },
    });
  }

  /** Counts what is not counted yet, until the signal; if nothing is to be counted, it deletes old counts. */
  async follow(
    tables: () => Iterable<{ readonly name: string; readonly rows: Collection<StoredRow> }>,
    { log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
  ): Promise<void> {
    while (!signal.aborted) {
      try {
        if (this.#most === undefined) return void (await this.#sizes.deleteMany({}));
        const done = new Set((await this.#sizes.find({ counted: null }).toArray()).map(({ _id }) => _id));
        for (const { name, rows } of tables()) {
          if (done.has(partOf(name, 0))) continue;
          while (!(await this.#step(name, rows))) {
            signal.throwIfAborted();
            await nextTurn();
          }
        }
      } catch (error) {
        if (!signal.aborted) log.debug({ err: error }, 'rows are counted later');
      }
      await wait(LOOK, undefined, { signal }).catch(() => {});
    }
  }

  /** True if all rows of the table are counted. */
  #step(name: string, collection: Collection<StoredRow>): Promise<boolean> {
    return this.#storage.transaction(async (tx) => {
      const sizes = this.#sizes.with(tx);
      const { counted = '' } = await sizeOf(sizes, name);
      if (counted === null) return true;
      let [characters, rows, last] = [0, 0, counted];
      const found = collection.with(tx).find({ _id: { $gt: counted } }, { sort: { _id: 1 }, limit: STEP });
      for await (const row of found) {
        characters += sizeOfRow(row);
        rows += 1;
        last = row._id;
      }
      const isLast = rows < STEP;
      await addToAll(sizes, name, { added: characters, counted: isLast ? null : last });
      return isLast;
    });
  }
}

/** False if rows are still to be counted. */
async function add(
  sizes: Sizes,
  { name, part, added }: { readonly name: string; readonly part: number; readonly added: number },
): Promise<boolean> {
  const { matched } = await sizes.updateOne(
    { _id: partOf(name, part), counted: null },
    { $inc: { characters: added, writes: 1 } },
  );
  return matched === 1;
}

/** A table that was empty is counted at once. */
async function addWhileCounting(
  sizes: Sizes,
  collection: Collection<StoredRow>,
  { part, rows }: { readonly part: number; readonly rows: readonly Difference[] },
): Promise<void> {
  const { name } = collection;
  const { counted } = await sizeOf(sizes, name);
  if (counted === undefined) {
    const isAll = await hasOnly(collection, rows);
    return addToAll(sizes, name, isAll ? { added: sum(rows), counted: null } : { added: 0, counted: '' });
  }
  const isCounted = ({ before, after }: Difference): boolean =>
    counted === null || (after ?? before)!._id <= counted;
  await sizes.updateOne(
    { _id: partOf(name, part) },
    { $inc: { characters: sum(rows.filter(isCounted)), writes: 1 } },
  );
}

async function addToAll(
  sizes: Sizes,
  name: string,
  { added, counted }: { readonly added: number; readonly counted: string | null },
): Promise<void> {
  await sizes.bulkWrite(
    Array.from({ length: PARTS }, (_, part) => ({
      updateOne: {
        filter: { _id: partOf(name, part) },
        update: { $set: { counted }, $inc: { characters: part === 0 ? added : 0, writes: 1 } },
        upsert: true,
      },
    })),
  );
}

async function hasOnly(collection: Collection<StoredRow>, rows: readonly Difference[]): Promise<boolean> {
  if (rows.some(({ before }) => before !== undefined)) return false;
  const found = await collection.find({}, { limit: rows.length + 1, projection: { _id: 1 } }).toArray();
  return found.length === rows.length;
}

/** Without `counted` if no count has begun. */
async function sizeOf(
  sizes: Sizes,
  name: string,
): Promise<{ readonly characters: number; readonly counted?: string | null }> {
  const parts = await sizes.find(partsOf(name)).toArray();
  const characters = parts.reduce((all, part) => all + part.characters, 0);
  return { characters, ...(parts[0] && { counted: parts[0].counted }) };
}

function partsOf(name: string): { _id: { $in: string[] } } {
  return { _id: { $in: Array.from({ length: PARTS }, (_, part) => partOf(name, part)) } };
}

function partOf(name: string, part: number): string {
  return `${name} ${part}`;
}

function sum(rows: readonly Difference[]): number {
  return rows.reduce((all, { before, after }) => all + sizeOfRow(after) - sizeOfRow(before), 0);
}

/** Without its indexed words. */
function sizeOfRow(row: StoredRow | undefined): number {
  if (row === undefined) return 0;
  const own = Object.entries(row).filter(([name]) => !isWordsMember(name));
  return charactersOf(own.map(([, value]) => value));
}

function refusal({ name }: Relation, most: number): Error {
  return errors.SVC135({
    values: { relation: name, most: String(most) },
    details: 'The config key maxCharacters bounds the rows of each table.',
    hint: 'Delete rows first, or store less in them.',
  });
}
