/** Creates the declared indexes and compares them with existing ones. A difference is reported, not forced. */
import type { Collection, CreateIndexesOptions, IndexDescriptionInfo } from 'mongodb';
import type { Document as DriverDocument } from 'mongodb';
import type { IndexSpec, Logger } from 'plugboard/sdk';
import { DUPLICATES_NAMED, duplicatesRefused } from '../../duplicates.js';
import { storageError } from '../errors.js';
import { toFilter } from '../translate/filter.js';

/** Creates the collection and missing indexes. Throws if documents violate a unique index. */
export async function ensureIndexes(
  raw: Collection,
  declared: readonly IndexSpec[],
  log: Logger,
): Promise<void> {
  const present = await presentIndexes(raw);
  if (present === null) {
    if (declared.length > 0 && (await createdTogether(raw, declared))) return;
    await createCollection(raw);
  }
  for (const spec of declared) {
    const found = present?.find((index) => sameKeys(index.key, spec.keys));
    if (found === undefined) await createIndex(raw, spec, log);
    else report(raw, spec, found, log);
  }
  for (const index of present ?? []) {
    if (index.name === '_id_' || declared.some((spec) => sameKeys(index.key, spec.keys))) continue;
    log.info({ collection: raw.collectionName, index: index.name }, 'an index exists that nothing declares');
  }
}

/** Drops existing indexes that were withdrawn and are not declared in another form. */
export async function removeIndexes(
  raw: Collection,
  withdrawn: readonly IndexSpec[],
  declared: readonly IndexSpec[],
): Promise<void> {
  for (const { name, key } of (await presentIndexes(raw)) ?? []) {
    const isGone = withdrawn.some((spec) => sameKeys(key, spec.keys));
    if (!isGone || name === undefined || declared.some((spec) => sameKeys(key, spec.keys))) continue;
    try {
      await raw.dropIndex(name);
    } catch (error) {
      // Another instance did it first.
      if (codeOf(error) !== INDEX_NOT_FOUND) throw error;
    }
  }
}

/** The options in MongoDB's form. Sparse over several paths becomes partial: MongoDB's sparse needs only one path. */
export function indexOptions({
  keys,
  unique,
  sparse,
  partial,
  expireAfterSeconds,
}: IndexSpec): CreateIndexesOptions {
  const paths = Object.keys(keys);
  const bySparse =
    sparse && (paths.length > 1 || partial !== undefined)
      ? paths.map((path) => ({ [path]: { $exists: true } }))
      : [];
  const conditions = [...(partial === undefined ? [] : [toFilter(partial)]), ...bySparse];
  return {
    name: Object.entries(keys)
      .map(([path, direction]) => `${path}_${direction}`)
      .join('_'),
    ...(unique && { unique }),
    ...(sparse && bySparse.length === 0 && { sparse }),
    ...(conditions.length === 1 && { partialFilterExpression: conditions[0]! }),
    ...(conditions.length > 1 && { partialFilterExpression: { $and: conditions } }),
    ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
  };
}

async function presentIndexes(raw: Collection): Promise<IndexDescriptionInfo[] | null> {
  try {
    return await raw.indexes();
  } catch (error) {
    if (codeOf(error) === NAMESPACE_NOT_FOUND) return null;
    throw error;
  }
}

/** A new collection and its indexes, in one command. If that fails, creating them one by one tells which and why. */
async function createdTogether(raw: Collection, declared: readonly IndexSpec[]): Promise<boolean> {
  try {
    await raw.createIndexes(declared.map((spec) => ({ key: spec.keys, ...indexOptions(spec) })));
    return true;
  } catch {
    return false;
  }
}

async function createCollection(raw: Collection): Promise<void> {
  try {
    await raw.db.createCollection(raw.collectionName);
  } catch (error) {
    // Another instance did it first.
    if (codeOf(error) !== NAMESPACE_EXISTS) throw error;
  }
}

async function createIndex(raw: Collection, spec: IndexSpec, log: Logger): Promise<void> {
  try {
    await raw.createIndex(spec.keys, indexOptions(spec));
  } catch (error) {
    if (CONFLICTS.has(codeOf(error))) {
      log.warn(
        { collection: raw.collectionName, keys: spec.keys },
        'an index conflicts with an existing one of the same name; drop that one to build it as declared',
      );
      return;
    }
    const mapped = storageError(error, raw.collectionName);
    if (mapped.code !== 'duplicate_key') throw mapped;
    // Without the driver's error as the cause: its text has the duplicate value.
    // oxlint-disable-next-line preserve-caught-error
    throw duplicatesRefused(raw.collectionName, spec, await duplicates(raw, spec));
  }
}

/** Ids of documents that share a key of the index, two per key. Keys inside arrays are not searched. */
async function duplicates(raw: Collection, { keys, partial }: IndexSpec): Promise<string[]> {
  const paths = Object.keys(keys);
  const key = Object.fromEntries(paths.map((path, at) => [`k${at}`, { $ifNull: [`$${path}`, null] }]));
  const groups = await raw
    .aggregate<{ first: string; last: string }>(
      [
        ...(partial === undefined ? [] : [{ $match: toFilter(partial) }]),
        { $group: { _id: key, first: { $min: '$_id' }, last: { $max: '$_id' }, count: { $sum: 1 } } },
        { $match: { count: { $gt: 1 } } },
        { $sort: { first: 1 } },
        { $limit: DUPLICATES_NAMED / 2 },
      ],
      { allowDiskUse: true },
    )
    .toArray();
  return groups.flatMap(({ first, last }) => [first, last]);
}

function report(raw: Collection, spec: IndexSpec, found: IndexDescriptionInfo, log: Logger): void {
  const wanted: DriverDocument = { ...indexOptions(spec) };
  const different = COMPARED.filter(
    (option) => JSON.stringify(wanted[option]) !== JSON.stringify((found as DriverDocument)[option]),
  );
  if (different.length === 0) return;
  log.warn(
    { collection: raw.collectionName, index: found.name, different },
    'an index differs from its declaration and is left as it is; drop it to have it rebuilt',
  );
}

const COMPARED = ['unique', 'sparse', 'partialFilterExpression', 'expireAfterSeconds'] as const;
const NAMESPACE_NOT_FOUND = 26;
const NAMESPACE_EXISTS = 48;
const INDEX_NOT_FOUND = 27;
/** IndexOptionsConflict and IndexKeySpecsConflict. */
const CONFLICTS: ReadonlySet<unknown> = new Set([85, 86]);

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}

function sameKeys(one: object, other: object): boolean {
  return JSON.stringify(Object.entries(one)) === JSON.stringify(Object.entries(other));
}
