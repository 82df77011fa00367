/** Random filters, sorts and projections: every operator of the port. */
import fc from 'fast-check';
import { id, number, path, scalar, value } from './values.js';

type Operators = Readonly<Record<string, unknown>>;

const compared: fc.Arbitrary<Operators> = fc
  .tuple(fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte'), value)
  .map(([operator, operand]) => ({ [operator]: operand }));
const listed: fc.Arbitrary<Operators> = fc
  .tuple(fc.constantFrom('$in', '$nin'), fc.array(value, { maxLength: 3 }))
  .map(([operator, operands]) => ({ [operator]: operands }));
const range: fc.Arbitrary<Operators> = fc
  .tuple(fc.constantFrom('$gt', '$gte'), scalar, fc.constantFrom('$lt', '$lte'), scalar)
  .map(([lower, from, upper, to]) => ({ [lower]: from, [upper]: to }));
const pattern: fc.Arbitrary<Operators> = fc
  .constantFrom(
    /a/,
    /^a/,
    /^B/i,
    /b$/,
    /^b/m,
    /b$/m,
    /a.b/,
    /a.b/s,
    /^ab?$/,
    /^a\nb/,
    /^(a|b)/,
    /^\$/,
    /[$]/,
    /^😀|é/,
  )
  .map(($regex) => ({ $regex }));
const exists: fc.Arbitrary<Operators> = fc.boolean().map(($exists) => ({ $exists }));

const plain: fc.Arbitrary<Operators> = fc.oneof(compared, listed, range, pattern, exists);
export const condition: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 2, arbitrary: value },
  { weight: 6, arbitrary: plain },
  plain.map(($not) => ({ $not })),
  // Several operators on one path: every one of them must hold.
  fc.tuple(plain, plain, exists).map((parts) => Object.assign({}, ...parts) as Operators),
  fc.tuple(plain, plain).map(([one, $not]) => ({ ...one, $not })),
);
export const simple: fc.Arbitrary<object> = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(path, condition).map(([key, wanted]) => ({ [key]: wanted })) },
  fc.oneof(id, fc.oneof(compared, listed)).map((_id) => ({ _id })),
);
const logical = (parts: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc
    .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(parts, { minLength: 1, maxLength: 3 }))
    .map(([operator, filters]) => ({ [operator]: filters }));

export const filter: fc.Arbitrary<object> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({}) },
  { weight: 5, arbitrary: simple },
  { weight: 2, arbitrary: fc.tuple(simple, simple).map(([one, other]) => ({ ...one, ...other })) },
  { weight: 2, arbitrary: logical(fc.oneof({ weight: 4, arbitrary: simple }, logical(simple))) },
  // What an index serves: an equality, a range, and a point in a list.
  {
    weight: 2,
    arbitrary: fc.tuple(fc.oneof(number, scalar), range).map(([n, s]) => ({ n, s })),
  },
);

/** At most one document matches, so it is certain which one a call is about. */
export const filterOfOne: fc.Arbitrary<object> = fc.oneof(
  { weight: 3, arbitrary: id.map((_id) => ({ _id })) },
  fc.tuple(id, simple).map(([_id, more]) => ({ ...more, _id })),
  fc.tuple(id, value).map(([_id, n]) => ({ $and: [{ _id }, { n }] })),
);

/** What an upsert may take its document from. MongoDB ignores the equalities next to an empty `$in`. */
export const filterOfUpsert: fc.Arbitrary<object> = fc.oneof(
  { weight: 3, arbitrary: id.map((_id) => ({ _id })) },
  fc.tuple(id, path, fc.oneof(value, range)).map(([_id, at, wanted]) => ({ _id, [at]: wanted })),
  fc.tuple(id, value, exists).map(([_id, $eq, s]) => ({ $and: [{ _id }, { n: { $eq }, s }] })),
);

export type Order = Readonly<Record<string, 1 | -1>>;

const direction = fc.constantFrom<1 | -1>(1, -1);
/** Ends with the id, so that ties have an order. */
export const totalOrder: fc.Arbitrary<Order> = fc
  .tuple(fc.uniqueArray(fc.tuple(path, direction), { maxLength: 2, selector: ([at]) => at }), direction)
  .map(([keys, last]) => ({ ...Object.fromEntries(keys), _id: last }));

export type Projection = Readonly<Record<string, 0 | 1>>;

export const projection = fc.constantFrom<Projection | undefined>(
  undefined,
  undefined,
  { n: 1 },
  { o: 1, l: 1, n: 1 },
  { 'o.n': 1, _id: 0 },
  { 'o.n.n': 1, s: 1 },
  { l: 0 },
  { _id: 0 },
  { _id: 1 },
  { 'o.s': 0, u: 0 },
  { 'l.n': 1 },
  { 'l.n': 0, _id: 0 },
);
