/** Random updates: every operator of the port, one or two of them, on paths that may meet. */
import fc from 'fast-check';
import { id, path, value } from './values.js';

const one = (operator: string, operand: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  fc.tuple(path, operand).map(([at, taken]) => ({ [operator]: { [at]: taken } }));

const items = fc.array(value, { maxLength: 3 });

const single: fc.Arbitrary<object> = fc.oneof(
  { weight: 3, arbitrary: one('$set', value) },
  one('$setOnInsert', value),
  id.map((_id) => ({ $set: { _id } })),
  one('$unset', fc.constant(true)),
  one('$inc', fc.constantFrom(0, -0, 1, -1, 0.5, 2 ** 31, -(2 ** 53), NaN, Infinity)),
  one('$min', value),
  one('$max', value),
  one('$push', value),
  one(
    '$push',
    fc.tuple(items, fc.integer({ min: -2, max: 2 })).map(([$each, $slice]) => ({ $each, $slice })),
  ),
  one(
    '$push',
    items.map(($each) => ({ $each })),
  ),
);

export const update: fc.Arbitrary<object> = fc.oneof(
  { weight: 4, arbitrary: single },
  fc.tuple(single, single).map(([first, second]) => merged(first, second)),
  fc.tuple(single, single, single).map(([first, second, third]) => merged(merged(first, second), third)),
  fc.tuple(value, value).map(([n, s]) => ({ $set: { n }, $setOnInsert: { s } })),
);

/** Two operators of one name become one over both paths. */
function merged(first: object, second: object): object {
  const result: Record<string, object> = { ...first };
  for (const [operator, members] of Object.entries(second))
    result[operator] = { ...result[operator], ...(members as object) };
  return result;
}
