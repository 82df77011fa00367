/** Counts that need no document: of keys alone. */
import type { IndexDefinition } from '../definition.js';
import { uniqueKey } from '../documents.js';
import { expires } from '../expiry.js';
import type { Reader } from '../lmdb/environment.js';
import { manyKeys } from './plan.js';
import type { Query } from './query.js';
import { wholeIndex } from './ranges.js';
import { documentsIn } from './wholesale.js';

function hasEachOnce({ spec, multikey }: IndexDefinition): boolean {
  return spec.sparse !== true && spec.partial === undefined && multikey === 0;
}

/** How many documents match, where keys alone can tell; undefined where the documents must be looked at. */
export function countKeys(reader: Reader, { collection, plan, matches }: Query): number | undefined {
  if (matches !== undefined) return undefined;
  if (plan.access === 'documents') {
    // An index that has every document once takes fewer pages than the documents.
    const whole = plan.all && collection.complete.find(hasEachOnce);
    return whole ? reader.count('indexes', wholeIndex(whole)) : reader.count('documents', plan.range);
  }
  if (plan.access === 'keys') {
    const { index, values } = plan;
    return values.filter((value) => reader.get('indexes', uniqueKey(index, value)) !== undefined).length;
  }
  if (plan.access !== 'index' || plan.repeats) return undefined;
  return plan.runs.reduce((sum, { range }) => sum + reader.count('indexes', range), 0);
}

/** To look a key up takes this many times as long as to reach an entry on the way through all. */
const LOOKUP = 2;
const PAUSE_EVERY = 128;

/**
 * The same in steps, for more keys than a plan looks up; undefined where the way through all documents is shorter, or the
 * filter asks for something else.
 */
export function countManyKeys(
  reader: Reader,
  { collection, filter }: Query,
): Generator<undefined, number> | undefined {
  const keys = expires(collection) ? undefined : manyKeys(collection, filter);
  if (keys === undefined || keys.values.length * LOOKUP > documentsIn(reader, collection)) return undefined;
  return counted(reader, keys);
}

function* counted(reader: Reader, { index, values }: ManyKeys): Generator<undefined, number> {
  let count = 0;
  for (let at = 0; at < values.length; at++) {
    if (reader.get('indexes', uniqueKey(index, values[at])) !== undefined) count++;
    if (at % PAUSE_EVERY === 0) yield;
  }
  return count;
}

type ManyKeys = NonNullable<ReturnType<typeof manyKeys>>;
