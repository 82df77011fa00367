/** Counting by keys alone, without reading documents. */
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

/** The number of matches, if keys alone suffice; undefined if documents must be read. */
export function countKeys(reader: Reader, { collection, plan, matches }: Query): number | undefined {
  if (matches !== undefined) return undefined;
  if (plan.access === 'documents') {
    // An index with exactly one entry per document has fewer pages than the documents.
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

/** The cost of a key lookup, in steps of a full scan. */
const LOOKUP = 2;
const PAUSE_EVERY = 128;

/**
 * The same in steps, for more keys than a plan looks up; undefined if a full scan is cheaper or the filter has other
 * conditions.
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
