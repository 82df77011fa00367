/** Key ranges of documents, index entries and the values of a path. */
import type { CollectionDefinition, IndexDefinition } from '../definition.js';
import type { Range } from '../lmdb/key-space.js';
import { appendPart, encodeBound, invert, prefix, successor } from '../values/key-encoding.js';
import { rank } from '../../order.js';
import type { Demand } from './bounds.js';

export function wholeCollection({ number }: CollectionDefinition, reverse = false): Range {
  return { start: prefix(number), end: prefix(number + 1), reverse };
}

export function wholeIndex({ number }: IndexDefinition): Range {
  return { start: prefix(number), end: prefix(number + 1) };
}

/** Every combination of a prefix and a point, without duplicates. */
export function extend(
  prefixes: readonly Buffer[],
  points: readonly unknown[],
  index: IndexDefinition,
  at: number,
): Buffer[] {
  const keys: Buffer[] = [];
  for (const start of prefixes)
    for (const point of points)
      keys.push(appendPart(start, point, index.directions[at]!, index.paths.length));
  return keys.length === 1 ? keys : [...new Map(keys.map((key) => [key.toString('latin1'), key])).values()];
}

/** Keys that start with `start` and whose next value is within the limits. */
export function between(
  start: Buffer,
  { lower, upper }: Extract<Demand, { lower: unknown }>,
  index: IndexDefinition,
  at: number,
): Range {
  const direction = index.directions[at]!;
  const type = Buffer.from([rank((lower ?? upper)!.value)]);
  const bound = (limit: typeof lower): { bytes: Buffer; inclusive: boolean } => {
    if (limit === undefined) return { bytes: direction === 1 ? type : invert(type), inclusive: true };
    const { bytes, truncated } = encodeBound(limit.value, direction, index.paths.length);
    return { bytes, inclusive: limit.inclusive || truncated };
  };
  const [first, last] = direction === 1 ? [bound(lower), bound(upper)] : [bound(upper), bound(lower)];
  const from = Buffer.concat([start, first.bytes]);
  const to = Buffer.concat([start, last.bytes]);
  return { start: first.inclusive ? from : successor(from), end: last.inclusive ? successor(to) : to };
}
