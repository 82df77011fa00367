/** Inspects the stored rows: what a catalog change costs, and which rows block it. */
import { isServiceError, nextTurn, pagesById, turnIsOver, type Clock, type Collection } from 'plugboard/sdk';
import type { Column, Relation } from '../catalog/model.js';
import type { RowStore } from '../rows/row-store.js';
import { castValue } from '../values/cast.js';
import type { Stored, StoredRow } from '../values/stored.js';
import { defaultValue } from '../write/draft.js';
import type { RowCheck } from '../write/row-constraints.js';
import { columnsOf, keyDetails, keyOf, keysFilter, keyText } from '../write/unique.js';
import type { NewValues, RelationChange } from './compare.js';
import { relationKey } from './ledger.js';

export interface Problem {
  readonly relation: string;
  readonly constraint: string;
  readonly count: number;
  /** At most ten; several rows may share a foreign key. */
  readonly keys: readonly string[];
  /** How many rows have one of these. */
  readonly shown: number;
}

export interface Inspection {
  readonly change: RelationChange;
  /** How many rows the work affects. */
  readonly rows: number;
  readonly problems: readonly Problem[];
}

/** What inspecting and migrating need. */
export interface EvolutionContext {
  readonly store: RowStore;
  readonly clock: Clock;
  readonly checks: (table: Relation) => readonly RowCheck[];
  readonly signal: AbortSignal;
}

const KEYS_SHOWN = 10;

class Collected {
  readonly #found = new Map<string, { count: number; keys: string[]; shown: number }>();
  add(constraint: string, key: string, rows = 1): void {
    const known = this.#found.get(constraint);
    if (known === undefined) this.#found.set(constraint, { count: rows, keys: [key], shown: rows });
    else {
      known.count += rows;
      if (known.keys.length >= KEYS_SHOWN) return;
      known.keys.push(key);
      known.shown += rows;
    }
  }
  problems(relation: Relation): Problem[] {
    return [...this.#found].map(([constraint, found]) => ({
      relation: relationKey(relation),
      constraint,
      ...found,
    }));
  }
}

export async function inspect(context: EvolutionContext, change: RelationChange): Promise<Inspection> {
  if (change.work.length === 0) return { change, rows: 0, problems: [] };
  const collection = context.store.collection(change.before);
  const rows = await collection.countDocuments({});
  if (rows === 0) return { change, rows, problems: [] };
  const validation = new Validation(context, change);
  await validation.lookAtAll(collection);
  return { change, rows, problems: await validation.problems() };
}

/** Checks rows one by one, and all of them together at the end. */
export class Validation {
  readonly #context: EvolutionContext;
  readonly #change: RelationChange;
  readonly #checks: readonly RowCheck[];
  readonly #collected = new Collected();
  readonly #seen: Map<string, string>[];
  /** The keys that rows refer to, with their row counts. */
  readonly #references: Map<string, { readonly key: readonly Stored[]; rows: number }>[];

  constructor(context: EvolutionContext, change: RelationChange) {
    this.#context = context;
    this.#change = change;
    this.#checks = context.checks(change.after).filter(({ name }) => change.checks.includes(name));
    this.#seen = change.unique.map(() => new Map());
    this.#references = change.foreignKeys.map(() => new Map());
  }

  async lookAtAll(rows: Collection<StoredRow>): Promise<void> {
    for await (const page of pagesById(rows, { shared: true })) {
      for (const row of page) {
        if (turnIsOver()) await nextTurn();
        this.look(row);
      }
      this.#context.signal.throwIfAborted();
    }
  }

  look(stored: StoredRow): void {
    const { after, required, unique, foreignKeys } = this.#change;
    const shown = rowKey(this.#change.before, stored);
    const row = this.#converted(stored, shown);
    for (const column of required) {
      // A default fills what is missing; an identity always gives a number.
      if ((row[column.field] ?? null) === null) this.#collected.add(`${column.name} is null`, shown);
    }
    for (const check of this.#checks)
      if (!check.passes(row)) this.#collected.add(`check ${check.name}`, shown);
    for (const [at, { name, columns }] of unique.entries()) {
      const key = keyOf(columns, row);
      if (key === undefined) continue;
      const text = keyText(columns, key);
      if (this.#seen[at]!.has(text)) this.#collected.add(`unique ${name}`, keyDetails(columns, key));
      else this.#seen[at]!.set(text, shown);
    }
    for (const [at, { key }] of foreignKeys.entries()) {
      const columns = columnsOf(after, key.columns);
      const value = keyOf(columns, row);
      if (value === undefined) continue;
      const text = keyText(columns, value);
      const known = this.#references[at]!.get(text);
      if (known === undefined) this.#references[at]!.set(text, { key: value, rows: 1 });
      else known.rows += 1;
    }
  }

  #converted(stored: StoredRow, shown: string): StoredRow {
    const values: Record<string, Stored> = {};
    for (const one of this.#change.values) {
      try {
        const value = newValue(stored, one, this.#context.clock, () => 0);
        if (value !== null) values[one.column.field] = value;
      } catch (error) {
        if (!isServiceError(error)) throw error;
        this.#collected.add(`${one.column.name}: ${error.message}`, shown);
      }
    }
    return { ...stored, ...values };
  }

  async problems(): Promise<Problem[]> {
    const { after, foreignKeys } = this.#change;
    for (const [at, { key, parent }] of foreignKeys.entries()) {
      const wanted = this.#references[at]!;
      const columns = columnsOf(after, key.columns);
      const parentColumns = columnsOf(parent, key.references.columns);
      const entries = [...wanted];
      for (let from = 0; from < entries.length; from += 500) {
        const part = entries.slice(from, from + 500);
        const filter = keysFilter(
          parentColumns,
          part.map(([, { key: value }]) => value),
        );
        for await (const row of this.#context.store.collection(parent).find(filter, { shared: true })) {
          const found = keyOf(parentColumns, row);
          if (found !== undefined) wanted.delete(keyText(parentColumns, found));
        }
      }
      for (const { key: value, rows } of wanted.values()) {
        this.#collected.add(`foreign key ${key.name}`, keyDetails(columns, value), rows);
      }
    }
    return this.#collected.problems(after);
  }
}

/** The value of the new column in a row. Throws what the cast throws. */
export function newValue(
  row: StoredRow,
  { column, from }: NewValues,
  clock: Clock,
  identity: () => Stored,
): Stored | null {
  if (from === undefined) return row[column.field] ?? defaultValue(column, { clock, identity });
  const value = row[from.field] ?? null;
  return value === null ? null : castStored(value, from, column);
}

/** Strict, where a request's cast would truncate: a value must fit. */
function castStored(value: Stored, from: Column, to: Column): Stored {
  const [source, target] = [from.type.over ?? from.type, to.type.over ?? to.type];
  if (source.family === 'text' || target.family === 'text') return target.parse(source.toText(value));
  return castValue(value, source, target);
}

/** `(id)=(5)`, or the row's id in storage. */
function rowKey(relation: Relation, row: StoredRow): string {
  const columns = columnsOf(relation, relation.primaryKey);
  const key = columns.length === 0 ? undefined : keyOf(columns, row);
  return key === undefined ? `row ${row._id}` : keyDetails(columns, key);
}
