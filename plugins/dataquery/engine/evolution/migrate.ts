/**
 * Changes the stored rows to match a new catalog while requests are served: values are written into members that the
 * old catalog does not know, rows that change meanwhile are done again, and constraints are checked before it holds.
 * Can be repeated from the start or the middle: finished work is not redone.
 */
import { pagesById, type Change, type ChangeFeed, type Collection, type WriteOperation } from 'plugboard/sdk';
import type { Column } from '../catalog/model.js';
import { relationIndexes } from '../rows/indexes.js';
import type { Stored, StoredRow } from '../values/stored.js';
import { lexemesOf, wordsMember } from '../words/word-index.js';
import { reserveIdentities } from '../write/identity.js';
import type { CatalogDifference, RelationChange } from './compare.js';
import { newValue, Validation, type EvolutionContext, type Problem } from './inspect.js';

/** Rows of one write. */
const BATCH = 500;
/** With fewer rows to redo, the end may come. */
const FEW = 200;
/** Rounds that redo changed rows before writes are held anyway. */
const ROUNDS = 20;

export interface MigrationProgress {
  progress(done: number, total: number | null): void;
}

export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused';
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[]) {
    super('rows violate the new catalog');
    this.problems = problems;
  }
}

/**
 * `hold` makes all instances hold their writes and resolves when none is in progress; `publish` puts the new catalog in
 * force. Throws MigrationRefused if rows violate the new catalog; then the old one stays.
 */
export async function migrate(
  context: EvolutionContext,
  difference: CatalogDifference,
  { progress }: MigrationProgress,
  hold: () => Promise<void>,
  publish: () => Promise<void>,
): Promise<void> {
  const changed = difference.relations.filter(({ work }) => work.length > 0);
  const migrations: RelationMigration[] = [];
  const ended = new AbortController();
  const inner = { ...context, signal: AbortSignal.any([context.signal, ended.signal]) };
  try {
    for (const change of changed) {
      migrations.push(await RelationMigration.begin(inner, change, ended.signal));
    }
    const total = await sum(migrations, (one) => one.count());
    let done = 0;
    for (const one of migrations) {
      await one.copyAll((rows) => progress(Math.min((done += rows), total), total));
      await one.index(difference);
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      const rows = await sum(migrations, (one) => one.copyChanged());
      if (rows < FEW) break;
    }
    refuse(await gather(migrations, (one) => one.validate()));
    await hold();
    await sum(migrations, (one) => one.copyChanged());
    refuse(await gather(migrations, (one) => one.validateTouched()));
    await publish();
  } finally {
    ended.abort();
    for (const one of migrations) await one.close();
  }
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new MigrationRefused(problems);
}

async function sum<T>(items: readonly T[], work: (item: T) => Promise<number>): Promise<number> {
  let total = 0;
  for (const item of items) total += await work(item);
  return total;
}

async function gather<T, R>(items: readonly T[], work: (item: T) => Promise<readonly R[]>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(...(await work(item)));
  return results;
}

class RelationMigration {
  readonly #context: EvolutionContext;
  readonly #change: RelationChange;
  readonly #rows: Collection<StoredRow>;
  /** Of the rows, and of those that new foreign keys refer to. */
  readonly #feeds: readonly ChangeFeed<StoredRow>[];
  readonly #following: Promise<unknown>;
  /** Ids of rows written since they were last looked at. */
  #waiting = new Set<string>();
  /** Ids of rows written since all rows were validated; undefined before. */
  #touched: Set<string> | undefined;
  /** Whether a row was deleted that a new foreign key may refer to: then all references are checked again. */
  #anyGone = false;

  private constructor(
    context: EvolutionContext,
    change: RelationChange,
    [own, ...parents]: readonly ChangeFeed<StoredRow>[],
  ) {
    this.#context = context;
    this.#change = change;
    this.#rows = context.store.collection(change.before);
    this.#feeds = own === undefined ? parents : [own, ...parents];
    this.#following = Promise.all([
      own === undefined ? undefined : this.#follow(own, (one) => this.#note(one)),
      ...parents.map((feed) =>
        this.#follow(feed, ({ kind }) => {
          if (kind === 'delete') this.#anyGone = true;
        }),
      ),
    ]);
  }

  static async begin(
    context: EvolutionContext,
    change: RelationChange,
    signal: AbortSignal,
  ): Promise<RelationMigration> {
    const relations = [change.before, ...change.foreignKeys.map(({ parent }) => parent)];
    const feeds: ChangeFeed<StoredRow>[] = [];
    for (const relation of relations) {
      feeds.push(await context.store.collection(relation).changes({ signal }));
    }
    return new RelationMigration(context, change, feeds);
  }

  async #follow(feed: ChangeFeed<StoredRow>, seen: (change: Change<StoredRow>) => void): Promise<void> {
    try {
      for await (const change of feed) seen(change);
    } catch (error) {
      if (!this.#context.signal.aborted) throw error;
    }
  }

  #note(change: Change<StoredRow>): void {
    if (change.kind === 'delete') return;
    this.#waiting.add(change.id);
    this.#touched?.add(change.id);
  }

  /** Whether rows get new values. */
  get #copies(): boolean {
    return this.#change.values.length > 0 || this.#change.words.length > 0;
  }

  count(): Promise<number> {
    return this.#rows.countDocuments({});
  }

  /** Calls `told` with the number of rows of each batch. */
  async copyAll(told: (rows: number) => void): Promise<void> {
    if (!this.#copies) return;
    const { signal } = this.#context;
    for await (const batch of pagesById(this.#rows, { size: BATCH, shared: true })) {
      await this.#copy(batch);
      told(batch.length);
      signal.throwIfAborted();
    }
  }

  /** How many rows had changed. */
  async copyChanged(): Promise<number> {
    const ids = [...this.#waiting];
    this.#waiting = new Set();
    if (!this.#copies) return ids.length;
    let copied = 0;
    for (let at = 0; at < ids.length; at += BATCH) {
      const rows = await this.#rows.find({ _id: { $in: ids.slice(at, at + BATCH) } }).toArray();
      copied += await this.#copy(rows);
    }
    return copied;
  }

  /** How many rows lacked their values. */
  async #copy(rows: readonly StoredRow[]): Promise<number> {
    const identities = await this.#identities(rows);
    const writes: WriteOperation<StoredRow>[] = [];
    for (const row of rows) {
      const set: Record<string, Stored> = {};
      const unset: Record<string, true> = {};
      const read: Record<string, Stored | null> = {};
      for (const one of this.#change.values) {
        const { field } = one.column;
        const value = newValue(row, one, this.#context.clock, () => identities.get(one.column)!());
        if (sameStored(value, row[field] ?? null)) continue;
        if (value === null) unset[field] = true;
        else set[field] = value;
        if (one.from !== undefined) read[one.from.field] = row[one.from.field] ?? null;
      }
      for (const column of this.#change.words) {
        const member = wordsMember(column)!;
        const value = set[column.field] ?? (unset[column.field] ? null : (row[column.field] ?? null));
        const words = value === null ? null : lexemesOf(column, value);
        if (sameStored(words, row[member] ?? null)) continue;
        if (words === null) unset[member] = true;
        else set[member] = words;
        read[column.field] ??= row[column.field] ?? null;
      }
      if (Object.keys(set).length === 0 && Object.keys(unset).length === 0) continue;
      // A row whose old value changed meanwhile is on the feed and redone.
      const filter = { _id: row._id, ...read } as { _id: string };
      const update = {
        ...(Object.keys(set).length > 0 && { $set: set }),
        ...(Object.keys(unset).length > 0 && { $unset: unset }),
      };
      writes.push({ updateOne: { filter, update } });
    }
    if (writes.length > 0) await this.#rows.bulkWrite(writes);
    return writes.length;
  }

  async #identities(rows: readonly StoredRow[]): Promise<Map<Column, () => Stored>> {
    const next = new Map<Column, () => Stored>();
    for (const { column, from } of this.#change.values) {
      if (from !== undefined || column.default?.kind !== 'identity') continue;
      const lacking = rows.filter((row) => (row[column.field] ?? null) === null).length;
      if (lacking === 0) continue;
      next.set(column, await reserveIdentities(this.#context.store, this.#change.after, column, lacking));
    }
    return next;
  }

  /** Builds the new catalog's indexes that the old one lacks. Fails if rows violate a unique one. */
  async index({ catalog }: CatalogDifference): Promise<void> {
    const { after, unique } = this.#change;
    if (unique.length > 0)
      refuse((await this.validate()).filter(({ constraint }) => constraint.startsWith('unique ')));
    const specs = relationIndexes(catalog, after);
    await this.#context.store.addIndexes(after, specs);
  }

  /** A value that moves from one row to another meanwhile may be seen in both: such findings are checked again. */
  async validate(): Promise<readonly Problem[]> {
    const found = await this.#validateAll();
    return found.length > 0 && this.#touched!.size > 0 ? this.#validateAll() : found;
  }

  async #validateAll(): Promise<readonly Problem[]> {
    this.#touched = new Set();
    this.#anyGone = false;
    const validation = new Validation(this.#context, this.#change);
    await validation.lookAtAll(this.#rows);
    return validation.problems();
  }

  /** The rows written since `validate`; all of them if a row was deleted that may have been referred to. */
  async validateTouched(): Promise<readonly Problem[]> {
    if (this.#anyGone && this.#change.foreignKeys.length > 0) return this.validate();
    const validation = new Validation(this.#context, this.#change);
    const ids = [...(this.#touched ?? [])];
    for (let at = 0; at < ids.length; at += BATCH) {
      const rows = await this.#rows.find({ _id: { $in: ids.slice(at, at + BATCH) } }).toArray();
      for (const row of rows) validation.look(row);
    }
    return validation.problems();
  }

  async close(): Promise<void> {
    for (const feed of this.#feeds) await feed.close();
    await this.#following;
  }
}

function sameStored(a: Stored | null, b: Stored | null): boolean {
  if (a === b) return true;
  return typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b);
}
