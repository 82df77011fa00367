/** A collection of the port on MongoDB. */
import type { Collection as DriverCollection, Document as DriverDocument } from 'mongodb';
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
  type QueryPlan,
  type Sort,
  type Transaction,
  type Update,
  type UpdateResult,
  type UpsertOptions,
  type WriteOperation,
} from 'plugboard/sdk';
import { writeBulk } from './bulk.js';
import { Calls, type Session, type Target } from './calls.js';
import { openChangeFeed, type FeedOptions } from './changes/change-feed.js';
import { checkGrouping } from '../grouping.js';
import { compare } from '../order.js';
import { storageError } from './errors.js';
import { queryPlan } from './explain.js';
import { toFilter } from './translate/filter.js';
import { toFindOptions, toSort, type DriverFindOptions } from './translate/find-options.js';
import { followed } from './followed.js';
import { grouped } from './translate/group.js';
import type { OpenCollection } from './open-collection.js';
import type { Stored } from './translate/values.js';
import { checkPath } from './translate/path.js';
import { allFromBytes, eachFromBytes } from './translate/read-in-turns.js';
import { attemptOf, type Attempt } from './transaction.js';
import { checkReplacementId, toUpdate, toUpsert, updateResult } from './translate/update.js';
import {
  AS_BYTES,
  checkDocument,
  fromBytes,
  fromDriver,
  idFirst,
  valueFromDriver,
} from './translate/values.js';

/** Batch size if all documents are wanted. The default, 101 in the first batch, costs another round trip. */
const BATCH = 1000;
/** Batch size if the reader may stop early. By default all batches but the first have up to 16 MB. */
const BATCH_OF_SOME = 500;

export class MongoCollection<D extends Document> implements Collection<D> {
  readonly #open: OpenCollection;
  readonly #attempt: Attempt | undefined;
  readonly #calls: Calls;

  constructor(open: OpenCollection, attempt?: Attempt) {
    this.#open = open;
    this.#attempt = attempt;
    this.#calls = new Calls(open, attempt);
  }

  get name(): string {
    return this.#open.name;
  }

  with(tx: Transaction): Collection<D> {
    return new MongoCollection<D>(this.#open, attemptOf(tx));
  }

  ready(): Promise<void> {
    return this.#open.ready();
  }

  findOne(filter: Filter<D>, options: Omit<FindOptions<D>, 'limit'> = {}): Promise<D | null> {
    const id = this.#attempt === undefined ? onlyId(filter, options) : undefined;
    if (id !== undefined) return this.#run(async () => (await this.#open.readsById.call(id)) as D | null);
    return this.#run(async (session) => {
      const found = await this.#bytes.findOne(this.#alive(filter), {
        ...toFindOptions(options),
        ...AS_BYTES,
        ...session,
      });
      return found === null ? null : (fromBytes(found) as D);
    });
  }

  find(filter: Filter<D>, options: FindOptions<D> = {}): Cursor<D> {
    const toArray = (): Promise<D[]> =>
      this.#run(async (session) => {
        const found = await this.#bytes
          .find(this.#alive(filter), {
            ...toFindOptions(options),
            ...AS_BYTES,
            batchSize: BATCH,
            ...session,
          })
          .toArray();
        return (await allFromBytes(found)) as D[];
      });
    // Calls of a transaction are serialized: an open cursor would block the others.
    const iterate =
      this.#attempt === undefined ? () => this.#iterate(filter, toFindOptions(options)) : undefined;
    return {
      toArray,
      async *[Symbol.asyncIterator]() {
        if (iterate === undefined) yield* await toArray();
        else yield* iterate();
      },
    };
  }

  countDocuments(filter: Filter<D>): Promise<number> {
    return this.#run(async (session) => Number(await this.#raw.countDocuments(this.#alive(filter), session)));
  }

  async group(filter: Filter<D>, grouping: Grouping): Promise<Group[]> {
    checkGrouping(grouping);
    grouping.signal?.throwIfAborted();
    return this.#run((session) => grouped(this.#bytes, this.#alive(filter), grouping, session));
  }

  distinct(path: string, filter: Filter<D> = {} as Filter<D>): Promise<unknown[]> {
    return this.#run(async (session) => {
      checkPath(path);
      const alive = this.#alive(filter);
      let values: unknown[] = await this.#raw.distinct(path, alive, session);
      // An index scan takes a missing member for null: ask again among documents that have the member.
      if (values.includes(null))
        values = await this.#raw.distinct(path, { $and: [alive, { [path]: { $exists: true } }] }, session);
      // For an empty array that scan gives undefined, which no stored value is.
      return values
        .filter((value) => value !== undefined)
        .map(valueFromDriver)
        .toSorted(compare);
    });
  }

  explain(filter: Filter<D>, options: FindOptions<D> = {}): Promise<QueryPlan> {
    return this.#run(async () => {
      const cursor = this.#raw.find(this.#alive(filter), toFindOptions(options));
      return queryPlan(await cursor.explain('queryPlanner'), options.sort !== undefined);
    });
  }

  insertOne(document: D): Promise<void> {
    return this.#write({ ids: [document._id] }, async (session) => {
      checkDocument(document);
      const stored = document as unknown as Stored;
      if (session.session === undefined) await this.#open.inserts.call(stored);
      else await this.#raw.insertOne(stored, session);
    });
  }

  async insertMany(documents: readonly D[]): Promise<void> {
    await this.bulkWrite(documents.map((insertOne) => ({ insertOne })));
  }

  updateOne(
    filter: Filter<D>,
    update: Update<D>,
    { upsert = false }: UpsertOptions = {},
  ): Promise<UpdateResult> {
    return this.#write({ filter, upsert }, async (session) => {
      const changes = upsert ? toUpsert(filter, update) : toUpdate(update);
      const done = await this.#raw.updateOne(this.#alive(filter, upsert), changes, { upsert, ...session });
      return updateResult(done);
    });
  }

  async updateMany(filter: Filter<D>, update: Update<D>): Promise<UpdateResult> {
    // A retry after a partial failure would change some documents twice, so expired documents are removed first.
    if (this.#attempt === undefined) await this.#run(() => this.#open.sweep());
    return this.#write({ filter, once: true }, async (session) =>
      updateResult(await this.#raw.updateMany(this.#alive(filter), toUpdate(update), session)),
    );
  }

  replaceOne(
    filter: Filter<D>,
    replacement: D,
    { upsert = false }: UpsertOptions = {},
  ): Promise<UpdateResult> {
    return this.#write({ filter, upsert, ids: [replacement._id] }, async (session) => {
      checkDocument(replacement);
      if (upsert) checkReplacementId(filter, replacement);
      const stored = idFirst(replacement) as unknown as Stored;
      return updateResult(
        await this.#raw.replaceOne(this.#alive(filter, upsert), stored, { upsert, ...session }),
      );
    });
  }

  findOneAndUpdate(
    filter: Filter<D>,
    update: Update<D>,
    { upsert = false, sort, returning = 'after', projection }: FindOneAndUpdateOptions<D> = {},
  ): Promise<D | null> {
    return this.#write({ filter, upsert }, async (session) => {
      const changes = upsert ? toUpsert(filter, update) : toUpdate(update);
      const found = await this.#raw.findOneAndUpdate(this.#alive(filter, upsert), changes, {
        upsert,
        returnDocument: returning,
        ...toFindOptions({ ...(sort && { sort }), ...(projection && { projection }) }),
        ...session,
      });
      return fromDriver(found) as unknown as D | null;
    });
  }

  findOneAndDelete(filter: Filter<D>, { sort }: { sort?: Sort } = {}): Promise<D | null> {
    return this.#write({ filter }, async (session) => {
      const options = sort === undefined ? session : { sort: toSort(sort), ...session };
      const found = await this.#raw.findOneAndDelete(this.#alive(filter), options);
      return fromDriver(found) as unknown as D | null;
    });
  }

  deleteOne(filter: Filter<D>): Promise<number> {
    return this.#write({ filter }, async (session) => {
      const { deletedCount } = await this.#raw.deleteOne(this.#alive(filter), session);
      return deletedCount;
    });
  }

  deleteMany(filter: Filter<D>): Promise<number> {
    return this.#write({ filter }, async (session) => {
      const { deletedCount } = await this.#raw.deleteMany(this.#alive(filter), session);
      return deletedCount;
    });
  }

  async bulkWrite(operations: readonly WriteOperation<D>[]): Promise<BulkResult> {
    const write = (session: Session): Promise<BulkResult> => writeBulk(this.#open, operations, session);
    if (this.#attempt !== undefined) return this.#write({}, write);
    await this.#open.usable();
    return followed(this.#open, { operations }, () => write({}));
  }

  async changes(options: FeedOptions = {}): Promise<ChangeFeed<D>> {
    await this.#open.usable();
    const { localChanges, log, raw, fullName } = this.#open;
    if (localChanges !== undefined) return localChanges.open(options) as unknown as ChangeFeed<D>;
    try {
      return await openChangeFeed<D>(raw as never, options, log);
    } catch (error) {
      throw storageError(error, fullName);
    }
  }

  get #raw(): OpenCollection['raw'] {
    return this.#open.raw;
  }

  /** For calls with `AS_BYTES`, which the driver's types do not follow. */
  get #bytes(): DriverCollection<Uint8Array> {
    return this.#open.raw as unknown as DriverCollection<Uint8Array>;
  }

  #alive(filter: Filter<D>, forUpsert = false): DriverDocument {
    return this.#open.expiry.alive(toFilter(filter, forUpsert));
  }

  #run<T>(call: (session: Session) => Promise<T>): Promise<T> {
    return this.#calls.run(call);
  }

  #write<T>(target: Target<D>, call: (session: Session) => Promise<T>): Promise<T> {
    return this.#calls.write(target, call);
  }

  async *#iterate(filter: Filter<D>, options: DriverFindOptions): AsyncGenerator<D> {
    await this.#open.usable();
    const reading = { ...options, ...AS_BYTES, batchSize: BATCH_OF_SOME };
    try {
      yield* eachFromBytes(this.#bytes.find(this.#alive(filter), reading)) as AsyncGenerator<D>;
    } catch (error) {
      throw storageError(error, this.#open.fullName);
    }
  }
}

/** The id, if the call asks for a whole document by id and for nothing else. */
function onlyId(filter: object, options: object): string | undefined {
  const [first, ...others] = Object.keys(filter);
  const id = (filter as { _id?: unknown })._id;
  return first === '_id' && others.length === 0 && typeof id === 'string' && Object.keys(options).length === 0
    ? id
    : undefined;
}
