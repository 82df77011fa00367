/** The document that an upsert starts from, and upserts that can never insert one. */
import { StorageError } from 'plugboard/sdk';
import type { Values } from '../../bson/value.js';
import { equalities, type Equality } from '../../equalities.js';
import { parsePath } from '../values/path.js';
import { change, comparePaths, repeatedPath } from './update.js';

/** Checks before any read that the caller gives the id to insert. Throws `invalid`. */
export function checkUpdatingUpsert(filter: object, update: object): void {
  const { $set, $setOnInsert } = update as { $set?: Values; $setOnInsert?: Values };
  const inFilter = equalities(filter).find(({ path }) => path === '_id')?.value;
  if (typeof ($setOnInsert?.['_id'] ?? $set?.['_id'] ?? inFilter) !== 'string')
    throw new StorageError('invalid', 'an upsert takes its _id from the filter or from $setOnInsert');
}

/** The document to which the update is applied. */
export function startOfUpsert(filter: object): Values {
  return documentOf(equalities(filter));
}

/** The id that the filter demands; undefined if none. */
export function idOfUpsert(filter: object): unknown {
  return documentOf(equalities(filter).filter(({ path }) => parsePath(path)[0] === '_id'))['_id'];
}

function documentOf(equal: readonly Equality[]): Values {
  const parts = equal.map(({ path, value }) => ({ path: parsePath(path), value }));
  parts.sort((a, b) => comparePaths(a.path, b.path));
  const repeated = repeatedPath(parts);
  if (repeated !== undefined)
    throw new StorageError(
      'invalid',
      `an upsert inserts what its filter names, and that names "${repeated.join('.')}" twice`,
    );
  const document: Values = {};
  for (const { path, value } of parts) change(document, path, () => value);
  return document;
}
