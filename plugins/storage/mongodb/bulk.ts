/** A bulk write: many operations in one message, in order, up to the first refused one. */
import {
  MongoBulkWriteError,
  type AnyBulkWriteOperation,
  type ClientSession,
  type Document as DriverDocument,
} from 'mongodb';
import {
  type BulkResult,
  type Document,
  type Filter,
  isStorageError,
  StorageError,
  type WriteOperation,
} from 'plugboard/sdk';
import { storageError } from './errors.js';
import { toFilter } from './translate/filter.js';
import type { OpenCollection } from './open-collection.js';
import type { Stored } from './translate/values.js';
import { checkReplacementId, toUpdate, toUpsert } from './translate/update.js';
import { checkDocument, idFirst } from './translate/values.js';

/** Continues after an operation that was refused only by an expired document, or lost a race of upserts. */
export async function writeBulk<D extends Document>(
  open: OpenCollection,
  operations: readonly WriteOperation<D>[],
  options: { session?: ClientSession },
): Promise<BulkResult> {
  // Retrying a partly applied `updateMany` would change some documents twice, so expired documents are removed first.
  if (options.session === undefined && operations.some((operation) => 'updateMany' in operation))
    await open.sweep().catch((error: unknown) => {
      throw storageError(error, open.fullName);
    });
  const converted = operations.map((operation) => toDriver(open, operation));
  let total: BulkResult = { inserted: 0, matched: 0, modified: 0, deleted: 0, upserted: 0 };
  let lastRefused = -1;
  for (let from = 0; from < converted.length;) {
    try {
      const done = await open.raw.bulkWrite(converted.slice(from), { ordered: true, ...options });
      return add(total, done);
    } catch (error) {
      // In a transaction the server has rolled back: the transaction decides on a retry.
      if (options.session !== undefined || !(error instanceof MongoBulkWriteError))
        throw mapped(error, open, options);
      const refused = from + firstRefused(error);
      const reason = storageError(error, open.fullName);
      const again =
        isStorageError(reason, 'duplicate_key') &&
        refused > lastRefused &&
        !('updateMany' in (operations[refused] ?? {})) &&
        ((await open.sweep()) || isUpsert(operations[refused]));
      if (!again) throw reason;
      total = add(total, error.result);
      from = lastRefused = refused;
    }
  }
  return total;
}

function mapped(error: unknown, open: OpenCollection, options: { session?: ClientSession }): unknown {
  return options.session === undefined ? storageError(error, open.fullName) : error;
}

function firstRefused(error: MongoBulkWriteError): number {
  const errors = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  return errors[0]?.index ?? 0;
}

function isUpsert<D extends Document>(operation: WriteOperation<D> | undefined): boolean {
  if (operation === undefined) return false;
  if ('updateOne' in operation) return operation.updateOne.upsert === true;
  return 'replaceOne' in operation && operation.replaceOne.upsert === true;
}

interface Counts {
  readonly insertedCount: number;
  readonly matchedCount: number;
  readonly modifiedCount: number;
  readonly deletedCount: number;
  readonly upsertedCount: number;
}

function add(total: BulkResult, done: Counts): BulkResult {
  return {
    inserted: total.inserted + done.insertedCount,
    matched: total.matched + done.matchedCount,
    modified: total.modified + done.modifiedCount,
    deleted: total.deleted + done.deletedCount,
    upserted: total.upserted + done.upsertedCount,
  };
}

function toDriver<D extends Document>(
  open: OpenCollection,
  operation: WriteOperation<D>,
): AnyBulkWriteOperation<Stored> {
  const alive = (filter: Filter<D>, forUpsert = false): DriverDocument =>
    open.expiry.alive(toFilter(filter, forUpsert));
  if ('insertOne' in operation) {
    checkDocument(operation.insertOne);
    return { insertOne: { document: operation.insertOne as unknown as Stored } };
  }
  if ('updateOne' in operation) {
    const { filter, update, upsert = false } = operation.updateOne;
    const changes = upsert ? toUpsert(filter, update) : toUpdate(update);
    return { updateOne: { filter: alive(filter, upsert), update: changes, upsert } };
  }
  if ('updateMany' in operation) {
    const { filter, update } = operation.updateMany;
    return { updateMany: { filter: alive(filter), update: toUpdate(update) } };
  }
  if ('replaceOne' in operation) {
    const { filter, replacement, upsert = false } = operation.replaceOne;
    checkDocument(replacement);
    if (upsert) checkReplacementId(filter, replacement);
    return {
      replaceOne: {
        filter: alive(filter, upsert),
        replacement: idFirst(replacement) as unknown as Stored,
        upsert,
      },
    };
  }
  if ('deleteOne' in operation) return { deleteOne: { filter: alive(operation.deleteOne.filter) } };
  if ('deleteMany' in operation) return { deleteMany: { filter: alive(operation.deleteMany.filter) } };
  throw new StorageError('invalid', `unknown bulk operation "${Object.keys(operation).join()}"`);
}
