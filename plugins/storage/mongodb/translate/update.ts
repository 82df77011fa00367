/** Translates the port's updates to MongoDB's. */
import { Double, type Document as DriverDocument } from 'mongodb';
import { StorageError, type UpdateResult } from 'plugboard/sdk';
import { equalities } from '../../equalities.js';
import { isOperators } from './filter.js';
import { checkPath } from './path.js';
import { checkValue } from './values.js';

export function toUpdate(update: object): DriverDocument {
  const result: DriverDocument = {};
  for (const [operator, members] of Object.entries(update)) {
    const convert = OPERATORS.get(operator);
    if (convert === undefined) invalid(`unknown operator "${operator}"`);
    if (members === undefined) continue;
    if (typeof members !== 'object' || members === null) invalid(`"${operator}" takes an object of paths`);
    result[operator] = Object.fromEntries(
      Object.entries(members as object)
        .filter(([, value]) => value !== undefined)
        .map(([path, value]) => [checkPath(path), convert(value, path)]),
    );
  }
  if (Object.keys(result).length === 0) invalid('it holds no operator');
  refuseConflicts(Object.values(result).flatMap((members) => Object.keys(members as object)));
  return result;
}

/** The server would refuse it as well, but only when it reaches this operation of a bulk write. */
function refuseConflicts(paths: readonly string[]): void {
  if (paths.length < 2) return;
  const taken = new Set<string>();
  for (const path of paths) {
    if (taken.has(path)) invalid(`two operators change "${path}"`);
    taken.add(path);
  }
  for (const path of paths) {
    for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      if (taken.has(path.slice(0, dot))) invalid(`two operators change "${path.slice(0, dot)}"`);
    }
  }
}

/**
 * The update of an upsert. The caller must give the id to insert, which is repeated in the update: if another condition
 * of the filter matches nothing, MongoDB ignores the filter's id and generates an ObjectId. Throws `invalid` without
 * one.
 */
export function toUpsert(filter: object, update: object): DriverDocument {
  const converted = toUpdate(update);
  const inserted = { ...(update as Update).$set, ...(update as Update).$setOnInsert };
  if (typeof inserted['_id'] === 'string') return converted;
  const _id = idIn(filter) ?? invalid('an upsert takes its _id from the filter or from $setOnInsert');
  return { ...converted, $setOnInsert: { ...(converted['$setOnInsert'] as object), _id } };
}

/** Throws `invalid` for an upsert whose replacement has another id than its filter. */
export function checkReplacementId(filter: object, { _id }: { readonly _id: string }): void {
  const wanted = idIn(filter);
  if (wanted !== undefined && wanted !== _id) invalid('an upsert replaces by the _id that its filter names');
}

interface Update {
  readonly $set?: Record<string, unknown>;
  readonly $setOnInsert?: Record<string, unknown>;
}

function idIn(filter: object): string | undefined {
  return equalities(filter)
    .filter(({ path }) => path === '_id')
    .map(({ value }) => value)
    .find((value) => typeof value === 'string');
}

const OPERATORS = new Map<string, (value: unknown, path: string) => unknown>(
  Object.entries({
    $set: stored,
    $setOnInsert: stored,
    $min: stored,
    $max: stored,
    $unset: () => '',
    // As a double: an int32 that overflows would become an int64 and decode as a bigint.
    $inc: (value: unknown, path: string) =>
      typeof value === 'number' ? new Double(value) : invalid(`"$inc" of "${path}" takes a number`),
    $push: items,
  }),
);

function stored(value: unknown, path: string): unknown {
  if (value instanceof RegExp) invalid(`"${path}": a RegExp cannot be stored`);
  checkValue(value, path);
  return value;
}

function items(value: unknown, path: string): unknown {
  if (!isOperators(value)) return stored(value, path);
  for (const key of Object.keys(value))
    if (key !== '$each' && key !== '$slice') invalid(`unknown operator "${key}" at "${path}"`);
  if (!Array.isArray(value['$each'])) invalid(`"${path}": $each takes an array`);
  if ('$slice' in value && !Number.isInteger(value['$slice']))
    invalid(`"${path}": $slice takes a whole number`);
  return stored(value, path);
}

function invalid(message: string): never {
  throw new StorageError('invalid', `update: ${message}`);
}

/** The driver's result of an update, as the port's. */
export function updateResult(done: {
  matchedCount: number;
  modifiedCount: number;
  upsertedId: unknown;
}): UpdateResult {
  return {
    matched: done.matchedCount,
    modified: done.modifiedCount,
    upsertedId: done.upsertedId === null || done.upsertedId === undefined ? null : String(done.upsertedId),
  };
}
