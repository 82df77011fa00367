/** A collection of the port, over the store or a transaction. */
import {
  type BulkResult,
  type ChangeFeed,
  type Collection,
  type Cursor,
  type Document,
  type Filter,
  type FindOneAndUpdateOptions,
  type FindOptions,
  type Group,
  type Grouping,
  inTurns,
  nextTurn,
  type QueryPlan,
  type ResumeToken,
  type Sort,
  type Transaction,
  turnIsOver,
  type Update,
  type UpdateResult,
  type UpsertOptions,
  type WriteOperation,
} from 'plugboard/sdk';
import type { Access } from './write/access.js';
import type { WriteBatch } from './write/batch.js';
import type { Values } from '../bson/value.js';
import type { CollectionDefinition } from './definition.js';
import { FindCursor } from './cursor.js';
import { freeze, insertDocument } from './documents.js';
import { checkGrouping } from '../grouping.js';
import { checkPath, parsePath } from './values/path.js';
import { DistinctValues } from './find/distinct.js';
import { countKeys, countManyKeys } from './find/count.js';
import { explain, prepare, showing, type Known, type Query } from './find/query.js';
import { first, run } from './find/run.js';
import { membersOf } from '../bson/shape.js';
import { groups, membersOfGroups } from './find/group.js';
import { withCallers } from './lmdb/failures.js';
import { wholesale } from './find/wholesale.js';
import { inOrder } from './write/bulk.js';
import { openTransaction } from './write/transaction.js';
import { TransactionCollection } from './write/transaction-collection.js';
import * as writes from './write/writes.js';

/** What a collection needs from its store. */
export interface CollectionHost {
  /** Called during a full scan. */
  scanned(query: Query, filter: object, count: number): void;
  collectionReady(name: string): Promise<void>;
  changes<D extends Document>(
    name: string,
    options: { after?: ResumeToken; signal?: AbortSignal },
  ): Promise<ChangeFeed<D>>;
}

export class EmbeddedCollection<D extends Document> implements Collection<D> {
  readonly name: string;
  readonly #fullName: string;
  readonly #access: Access;
  readonly #host: CollectionHost;

  constructor(name: string, fullName: string, access: Access, host: CollectionHost) {
    this.name = name;
    this.#fullName = fullName;
    this.#access = access;
    this.#host = host;
  }

  with(tx: Transaction): Collection<D> {
    const transaction = openTransaction(tx);
    const inside = new EmbeddedCollection<D>(this.name, this.#fullName, transaction, this.#host);
    return new TransactionCollection(inside, transaction);
  }

  ready(): Promise<void> {
    return this.#host.collectionReady(this.#fullName);
  }

  async findOne(filter: Filter<D>, options: Omit<FindOptions<D>, 'limit'> = {}): Promise<D | null> {
    const reader = this.#access.reader();
    const query = this.#prepare(filter, { ...options, limit: 1 });
    return asDocument<D>(first(reader, query, (count) => this.#host.scanned(query, filter, count)));
  }

  find(filter: Filter<D>, options: FindOptions<D> = {}): Cursor<D> {
    const query = (): Query => {
      this.#access.reader();
      return this.#prepare(filter, options);
    };
    return new FindCursor<D>(this.#access, query, (running, count) =>
      this.#host.scanned(running, filter, count),
    );
  }

  async countDocuments(filter: Filter<D>): Promise<number> {
    const reader = this.#access.reader();
    const query = this.#prepare(filter, {});
    const known = countKeys(reader, query);
    if (known !== undefined) return known;
    const many = await this.#countManyKeys(query);
    if (many !== undefined) return many;
    const [all] = await this.group(filter, { by: [] });
    return all?.count ?? 0;
  }

  async #countManyKeys(query: Query): Promise<number | undefined> {
    const snapshot = this.#access.snapshot();
    try {
      const steps = countManyKeys(snapshot, query);
      return steps === undefined ? undefined : await inTurns(steps);
    } finally {
      snapshot.release();
    }
  }

  async group(filter: Filter<D>, grouping: Grouping): Promise<Group[]> {
    checkGrouping(grouping);
    const { signal } = grouping;
    signal?.throwIfAborted();
    const snapshot = this.#access.snapshot();
    try {
      const query = this.#prepare(
        filter,
        {},
        {
          read: membersOfGroups(grouping),
          present: grouping.present,
        },
      );
      const steps = groups(snapshot, wholesale(snapshot, query), grouping);
      for (;;) {
        const step = steps.next();
        if (step.done === true) return step.value;
        this.#host.scanned(query, filter, step.value);
        if (!turnIsOver()) continue;
        await nextTurn();
        signal?.throwIfAborted();
      }
    } finally {
      snapshot.release();
    }
  }

  async distinct(path: string, filter: Filter<D> = {} as Filter<D>): Promise<unknown[]> {
    const parts = parsePath(checkPath('distinct', path));
    this.#access.reader();
    const query = showing(this.#prepare(filter, {}, { read: [parts[0]!] }), membersOf([parts[0]!]));
    const values = new DistinctValues(parts);
    await this.#each(query, filter, (document) => values.add(document));
    return values.sorted();
  }

  async explain(filter: Filter<D>, options: FindOptions<D> = {}): Promise<QueryPlan> {
    this.#access.reader();
    return explain(this.#prepare(filter, options));
  }

  insertOne(document: D): Promise<void> {
    return this.#write(() => {
      const frozen = freeze(document);
      return (batch, collection) => insertDocument(batch, collection, frozen);
    });
  }

  insertMany(documents: readonly D[]): Promise<void> {
    return this.#write(() => {
      const all = documents.map(freeze);
      return (batch, collection) => {
        for (const frozen of all) insertDocument(batch, collection, frozen);
      };
    });
  }

  updateOne(filter: Filter<D>, update: Update<D>, options: UpsertOptions = {}): Promise<UpdateResult> {
    return this.#write(() => {
      const updater = writes.readyUpdate(filter, update, options.upsert);
      return (batch, collection) => writes.updateOne(batch, collection, filter, updater, options);
    });
  }

  updateMany(filter: Filter<D>, update: Update<D>): Promise<UpdateResult> {
    return this.#write(() => {
      const updater = writes.readyUpdate(filter, update);
      return (batch, collection) => writes.updateMany(batch, collection, filter, updater);
    });
  }

  replaceOne(filter: Filter<D>, replacement: D, options: UpsertOptions = {}): Promise<UpdateResult> {
    return this.#write(() => {
      const frozen = writes.readyReplacement(replacement);
      return (batch, collection) => writes.replaceOne(batch, collection, filter, frozen, options);
    });
  }

  findOneAndUpdate(
    filter: Filter<D>,
    update: Update<D>,
    options: FindOneAndUpdateOptions<D> = {},
  ): Promise<D | null> {
    return this.#write(() => {
      const updater = writes.readyUpdate(filter, update, options.upsert);
      return (batch, collection) =>
        asDocument<D>(writes.findOneAndUpdate(batch, collection, filter, updater, options));
    });
  }

  findOneAndDelete(filter: Filter<D>, options: { sort?: Sort } = {}): Promise<D | null> {
    return this.#write(
      () => (batch, collection) =>
        asDocument<D>(writes.findOneAndDelete(batch, collection, filter, options.sort)),
    );
  }

  deleteOne(filter: Filter<D>): Promise<number> {
    return this.#write(() => (batch, collection) => writes.deleteOne(batch, collection, filter));
  }

  deleteMany(filter: Filter<D>): Promise<number> {
    return this.#write(() => (batch, collection) => writes.deleteMany(batch, collection, filter));
  }

  async bulkWrite(operations: readonly WriteOperation<D>[]): Promise<BulkResult> {
    const { result, refusal } = await this.#write(() => {
      const ready = operations.map(writes.readyOperation);
      return (batch, collection) => inOrder(batch, collection, ready);
    });
    if (refusal !== undefined) throw withCallers(refusal.error);
    return result;
  }

  changes(options: { after?: ResumeToken; signal?: AbortSignal } = {}): Promise<ChangeFeed<D>> {
    return this.#host.changes<D>(this.#fullName, options);
  }

  #prepare(filter: object, options: FindOptions, known?: Known): Query {
    return prepare(this.#access.definition(this.#fullName), filter, options, this.#access.now, known);
  }

  /** `ready` runs synchronously: it checks and copies the caller's arguments. */
  async #write<T>(ready: () => (batch: WriteBatch, collection: CollectionDefinition) => T): Promise<T> {
    const job = ready();
    try {
      return await this.#access.write((batch) => job(batch, this.#access.definition(this.#fullName)));
    } catch (error) {
      throw withCallers(error);
    }
  }

  /** Visits every match, yielding to the event loop. */
  async #each(query: Query, filter: Filter<D>, visit: (document: Values) => void): Promise<void> {
    const snapshot = this.#access.snapshot();
    try {
      for (const batch of run(snapshot, query, (count) => this.#host.scanned(query, filter, count))) {
        batch.forEach(visit);
        await nextTurn();
      }
    } finally {
      snapshot.release();
    }
  }
}

/** The one cast: stored values have the type that the plugin declared. */
function asDocument<D>(values: Values | null | undefined): D | null {
  return (values ?? null) as D | null;
}
