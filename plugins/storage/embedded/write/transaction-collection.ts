/** A collection inside a transaction: every refused call fails the transaction. */
import type {
  BulkResult,
  ChangeFeed,
  Collection,
  Cursor,
  Document,
  Filter,
  FindOneAndUpdateOptions,
  FindOptions,
  Group,
  Grouping,
  QueryPlan,
  ResumeToken,
  Sort,
  Transaction,
  Update,
  UpdateResult,
  UpsertOptions,
  WriteOperation,
} from 'plugboard/sdk';
import type { OpenTransaction } from './transaction.js';

export class TransactionCollection<D extends Document> implements Collection<D> {
  readonly #inside: Collection<D>;
  readonly #transaction: OpenTransaction;

  /** `inside` reads and writes in the transaction. */
  constructor(inside: Collection<D>, transaction: OpenTransaction) {
    this.#inside = inside;
    this.#transaction = transaction;
  }

  get name(): string {
    return this.#inside.name;
  }

  with(tx: Transaction): Collection<D> {
    return this.#inside.with(tx);
  }

  ready(): Promise<void> {
    return this.#inside.ready();
  }

  findOne(filter: Filter<D>, options?: Omit<FindOptions<D>, 'limit'>): Promise<D | null> {
    return this.#run((inside) => inside.findOne(filter, options));
  }

  find(filter: Filter<D>, options?: FindOptions<D>): Cursor<D> {
    const transaction = this.#transaction;
    const cursor = this.#inside.find(filter, options);
    return {
      toArray: () => transaction.run(() => cursor.toArray()),
      async *[Symbol.asyncIterator]() {
        try {
          yield* cursor;
        } catch (error) {
          transaction.refused(error);
          throw error;
        }
      },
    };
  }

  group(filter: Filter<D>, grouping: Grouping): Promise<Group[]> {
    return this.#run((inside) => inside.group(filter, grouping));
  }

  countDocuments(filter: Filter<D>): Promise<number> {
    return this.#run((inside) => inside.countDocuments(filter));
  }

  distinct(path: string, filter?: Filter<D>): Promise<unknown[]> {
    return this.#run((inside) => inside.distinct(path, filter));
  }

  explain(filter: Filter<D>, options?: FindOptions<D>): Promise<QueryPlan> {
    return this.#run((inside) => inside.explain(filter, options));
  }

  insertOne(document: D): Promise<void> {
    return this.#run((inside) => inside.insertOne(document));
  }

  async insertMany(documents: readonly D[]): Promise<void> {
    for (const part of inParts(documents)) await this.#run((inside) => inside.insertMany(part));
  }

  updateOne(filter: Filter<D>, update: Update<D>, options?: UpsertOptions): Promise<UpdateResult> {
    return this.#run((inside) => inside.updateOne(filter, update, options));
  }

  updateMany(filter: Filter<D>, update: Update<D>): Promise<UpdateResult> {
    return this.#run((inside) => inside.updateMany(filter, update));
  }

  replaceOne(filter: Filter<D>, replacement: D, options?: UpsertOptions): Promise<UpdateResult> {
    return this.#run((inside) => inside.replaceOne(filter, replacement, options));
  }

  findOneAndUpdate(
    filter: Filter<D>,
    update: Update<D>,
    options?: FindOneAndUpdateOptions<D>,
  ): Promise<D | null> {
    return this.#run((inside) => inside.findOneAndUpdate(filter, update, options));
  }

  findOneAndDelete(filter: Filter<D>, options?: { sort?: Sort }): Promise<D | null> {
    return this.#run((inside) => inside.findOneAndDelete(filter, options));
  }

  deleteOne(filter: Filter<D>): Promise<number> {
    return this.#run((inside) => inside.deleteOne(filter));
  }

  deleteMany(filter: Filter<D>): Promise<number> {
    return this.#run((inside) => inside.deleteMany(filter));
  }

  async bulkWrite(operations: readonly WriteOperation<D>[]): Promise<BulkResult> {
    const all = { inserted: 0, matched: 0, modified: 0, deleted: 0, upserted: 0 };
    for (const part of inParts(operations)) {
      const result = await this.#run((inside) => inside.bulkWrite(part));
      for (const key of Object.keys(all) as (keyof BulkResult)[]) all[key] += result[key];
    }
    return all;
  }

  /** A feed is not part of the transaction. */
  changes(options?: { after?: ResumeToken; signal?: AbortSignal }): Promise<ChangeFeed<D>> {
    return this.#inside.changes(options);
  }

  #run<T>(call: (inside: Collection<D>) => Promise<T>): Promise<T> {
    return this.#transaction.run(() => call(this.#inside));
  }
}

/** Writes between two checks whether the turn is over. */
const PART = 32;

/** A refused operation fails the whole transaction, so nothing of the others stays. */
function* inParts<T>(items: readonly T[]): Generator<readonly T[]> {
  // Pass an empty list on as well: the store checks more than the items.
  for (let at = 0; at === 0 || at < items.length; at += PART) yield items.slice(at, at + PART);
}
