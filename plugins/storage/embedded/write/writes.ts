/** The write operations of the port, each as a job on a batch. */
import {
  type BulkResult,
  type Document,
  type FindOneAndUpdateOptions,
  type Sort,
  StorageError,
  type UpdateResult,
  type UpsertOptions,
  type WriteOperation,
} from 'plugboard/sdk';
import { copyObject } from '../../bson/copy.js';
import type { Values } from '../../bson/value.js';
import type { WriteBatch } from './batch.js';
import type { CollectionDefinition } from '../definition.js';
import { deleteDocument, freeze, insertDocument, replaceDocument, type Frozen } from '../documents.js';
import { compileProjection } from '../find/projection.js';
import { equal } from '../../order.js';
import { prepare } from '../find/query.js';
import { everything, first } from '../find/run.js';
import { compileUpdate, type Updater } from './update.js';
import { checkUpdatingUpsert, idOfUpsert, startOfUpsert } from './upsert.js';

/** The update of a call, checked and copied. */
export function readyUpdate(filter: object, update: object, upsert = false): Updater {
  const updater = compileUpdate(update);
  if (upsert) checkUpdatingUpsert(filter, update);
  return updater;
}

/** The replacement of a call, checked and copied. */
export function readyReplacement(replacement: object): Frozen {
  const frozen = freeze(replacement);
  const operator = Object.keys(frozen.values).find((name) => name.startsWith('$'));
  if (operator !== undefined)
    throw new StorageError('invalid', `a replacement takes no member that begins with $, like "${operator}"`);
  return frozen;
}

export function updateOne(
  batch: WriteBatch,
  collection: CollectionDefinition,
  filter: object,
  update: Updater,
  options: UpsertOptions,
): UpdateResult {
  const found = first(batch, prepare(collection, filter, { limit: 1 }, batch.now));
  if (found !== undefined) return updated(1, changeDocument(batch, collection, found, update) ? 1 : 0);
  if (options.upsert !== true) return updated(0, 0);
  return { ...updated(0, 0), upsertedId: upsert(batch, collection, filter, update)['_id'] as string };
}

export function updateMany(
  batch: WriteBatch,
  collection: CollectionDefinition,
  filter: object,
  update: Updater,
): UpdateResult {
  const found = everything(batch, prepare(collection, filter, {}, batch.now));
  let modified = 0;
  for (const document of found) if (changeDocument(batch, collection, document, update)) modified++;
  return updated(found.length, modified);
}

export function replaceOne(
  batch: WriteBatch,
  collection: CollectionDefinition,
  filter: object,
  replacement: Frozen,
  options: UpsertOptions,
): UpdateResult {
  const found = first(batch, prepare(collection, filter, { limit: 1 }, batch.now));
  if (found !== undefined) return updated(1, replaceDocument(batch, collection, found, replacement) ? 1 : 0);
  if (options.upsert !== true) return updated(0, 0);
  const wanted = idOfUpsert(filter);
  if (wanted !== undefined && !equal(wanted, replacement.values['_id']))
    throw new StorageError('invalid', 'an upsert replaces by the _id that its filter names');
  insertDocument(batch, collection, replacement);
  return { ...updated(0, 0), upsertedId: replacement.values['_id'] as string };
}

export function findOneAndUpdate<D extends Document>(
  batch: WriteBatch,
  collection: CollectionDefinition,
  filter: object,
  update: Updater,
  options: FindOneAndUpdateOptions<D>,
): Values | null {
  const project = compileProjection(options.projection)?.project ?? ((document: Values) => document);
  const before = options.returning === 'before';
  const found = first(
    batch,
    prepare(collection, filter, { ...(options.sort && { sort: options.sort }), limit: 1 }, batch.now),
  );
  if (found === undefined) {
    if (options.upsert !== true) return null;
    const inserted = upsert(batch, collection, filter, update);
    return before ? null : project(inserted);
  }
  const changed = copyObject(found);
  update(changed, false);
  const stored = freeze(changed);
  replaceDocument(batch, collection, found, stored);
  return project(before ? found : stored.values);
}

export function findOneAndDelete(
  batch: WriteBatch,
  collection: CollectionDefinition,
  filter: object,
  sort: Sort | undefined,
): Values | null {
  const found = first(batch, prepare(collection, filter, { ...(sort && { sort }), limit: 1 }, batch.now));
  if (found === undefined) return null;
  deleteDocument(batch, collection, found);
  return found;
}

export function deleteOne(batch: WriteBatch, collection: CollectionDefinition, filter: object): number {
  return findOneAndDelete(batch, collection, filter, undefined) === null ? 0 : 1;
}

export function deleteMany(batch: WriteBatch, collection: CollectionDefinition, filter: object): number {
  const found = everything(batch, prepare(collection, filter, {}, batch.now));
  for (const document of found) deleteDocument(batch, collection, document);
  return found.length;
}

/** One operation of a bulk write, checked and copied from the caller's objects. */
export type ReadyOperation = (batch: WriteBatch, collection: CollectionDefinition) => Partial<BulkResult>;

export function readyOperation<D extends Document>(operation: WriteOperation<D>): ReadyOperation {
  if ('insertOne' in operation) {
    const document = freeze(operation.insertOne);
    return (batch, collection) => {
      insertDocument(batch, collection, document);
      return { inserted: 1 };
    };
  }
  if ('updateOne' in operation) {
    const { filter, update, upsert = false } = operation.updateOne;
    const updater = readyUpdate(filter, update, upsert);
    return (batch, collection) => counts(updateOne(batch, collection, filter, updater, { upsert }));
  }
  if ('updateMany' in operation) {
    const { filter, update } = operation.updateMany;
    const updater = readyUpdate(filter, update);
    return (batch, collection) => counts(updateMany(batch, collection, filter, updater));
  }
  if ('replaceOne' in operation) {
    const { filter, replacement, upsert = false } = operation.replaceOne;
    const document = readyReplacement(replacement);
    return (batch, collection) => counts(replaceOne(batch, collection, filter, document, { upsert }));
  }
  if ('deleteOne' in operation) {
    const { filter } = operation.deleteOne;
    return (batch, collection) => ({ deleted: deleteOne(batch, collection, filter) });
  }
  if ('deleteMany' in operation) {
    const { filter } = operation.deleteMany;
    return (batch, collection) => ({ deleted: deleteMany(batch, collection, filter) });
  }
  throw new StorageError(
    'invalid',
    `unknown bulk operation "${Object.keys(operation as object).join(', ')}"`,
  );
}

function counts({ matched, modified, upsertedId }: UpdateResult): Partial<BulkResult> {
  return { matched, modified, upserted: upsertedId === null ? 0 : 1 };
}

function updated(matched: number, modified: number): UpdateResult {
  return { matched, modified, upsertedId: null };
}

function changeDocument(
  batch: WriteBatch,
  collection: CollectionDefinition,
  found: Values,
  update: Updater,
): boolean {
  const changed = copyObject(found);
  const counts = update(changed, false);
  return replaceDocument(batch, collection, found, freeze(changed)) || counts;
}

function upsert(
  batch: WriteBatch,
  collection: CollectionDefinition,
  filter: object,
  update: Updater,
): Values {
  const document = copyObject(startOfUpsert(filter));
  const { _id: wanted } = document;
  update(document, true);
  if (wanted !== undefined && !equal(wanted, document['_id']))
    throw new StorageError('invalid', 'an upsert inserts the _id that its filter names');
  const stored = freeze(document);
  insertDocument(batch, collection, stored);
  return stored.values;
}
