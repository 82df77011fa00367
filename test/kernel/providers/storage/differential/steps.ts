/** Random steps for two stores, and the answer of a step as something that can be compared. */
import fc from 'fast-check';
import {
  isStorageError,
  type Collection,
  type Filter,
  type Storage,
  type Update,
  type WriteOperation,
} from 'plugboard/sdk';
import type { Anything } from '../../../../support/store-of-test.js';

type Call =
  | { call: 'insertOne'; document: Anything }
  | { call: 'insertMany'; documents: Anything[] }
  | { call: 'updateOne'; id: string; update: object; upsert: boolean }
  | { call: 'updateMany'; filter: object; update: object }
  | { call: 'replaceOne'; document: Anything; upsert: boolean }
  | { call: 'findOneAndUpdate'; filter: object; update: object; sort: 1 | -1; returning: 'before' | 'after' }
  | { call: 'findOneAndDelete'; filter: object; sort: 1 | -1 }
  | { call: 'deleteOne'; id: string }
  | { call: 'deleteMany'; filter: object }
  | { call: 'bulkWrite'; operations: object[] }
  | {
      call: 'find';
      filter: object;
      sort: object;
      skip: number;
      limit: number;
      projection: Record<string, 0 | 1> | undefined;
    }
  | { call: 'countDocuments'; filter: object }
  | { call: 'distinct'; path: string; filter: object };

export type Step = Call | { call: 'transaction'; steps: Call[]; rollBack: boolean };

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const member = fc.constantFrom('n', 's', 'l', 'o', 'u');
const path = fc.constantFrom('n', 's', 'l', 'o', 'o.n', 'o.s', 'l.0', 'l.n', 'u');
const scalar: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    true,
    false,
    0,
    1,
    2,
    -1,
    0.5,
    2 ** 31,
    1n,
    2n ** 60n,
    '',
    'a',
    'b',
    'é',
    '\u{1f600}',
    '\uffff',
  ),
  fc.constantFrom(0, 1, 1000).map((time) => new Date(time)),
  fc.uint8Array({ maxLength: 2 }).map((bytes) => new Uint8Array(bytes)),
);
const object = fc.oneof(
  scalar.map((n) => ({ n })),
  scalar.map((s) => ({ s })),
  fc.tuple(scalar, scalar).map(([n, s]) => ({ n, s })),
);
const array = fc.array(fc.oneof(scalar, object), { maxLength: 3 });
const value: fc.Arbitrary<unknown> = fc.oneof({ weight: 4, arbitrary: scalar }, object, array);

const members = fc.dictionary(member, value, { maxKeys: 4 });
const document = fc.tuple(id, members).map(([_id, rest]): Anything => ({ ...rest, _id }));

const condition: fc.Arbitrary<unknown> = fc.oneof(
  value,
  fc
    .tuple(fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte'), scalar)
    .map(([op, v]) => ({ [op]: v })),
  fc
    .tuple(fc.constantFrom('$in', '$nin'), fc.array(scalar, { maxLength: 3 }))
    .map(([op, v]) => ({ [op]: v })),
  fc.array(scalar, { minLength: 1, maxLength: 2 }).map(($all) => ({ $all })),
  fc.boolean().map(($exists) => ({ $exists })),
  fc.nat(3).map(($size) => ({ $size })),
  fc.constantFrom(/a/, /^B/i, /b$/).map(($regex) => ({ $regex })),
  scalar.map(($gt) => ({ $not: { $gt } })),
  scalar.map(($lte) => ({ $elemMatch: { $lte } })),
  scalar.map((n) => ({ $elemMatch: { n } })),
);
const simple = fc.tuple(fc.oneof(path, fc.constant('_id')), condition).map(([key, c]) => ({ [key]: c }));
const filter: fc.Arbitrary<object> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({}) },
  { weight: 5, arbitrary: simple },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(simple, { minLength: 1, maxLength: 2 }))
      .map(([op, parts]) => ({ [op]: parts })),
  },
);

const one = (operator: string, arbitrary: fc.Arbitrary<unknown>) =>
  fc.tuple(path, arbitrary).map(([at, v]) => ({ [operator]: { [at]: v } }));
const update: fc.Arbitrary<object> = fc.oneof(
  { weight: 3, arbitrary: one('$set', value) },
  one('$unset', fc.constant(true)),
  one('$inc', fc.constantFrom(1, -1, 0.5)),
  one('$min', scalar),
  one('$max', scalar),
  one('$push', value),
  one(
    '$push',
    fc.tuple(fc.array(scalar, { maxLength: 3 }), fc.integer({ min: -2, max: 2 })).map(([$each, $slice]) => ({
      $each,
      $slice,
    })),
  ),
  one('$addToSet', value),
  one(
    '$pull',
    fc.oneof(
      scalar,
      scalar.map(($gte) => ({ $gte })),
      scalar.map((n) => ({ n })),
    ),
  ),
  fc.tuple(value, value).map(([n, s]) => ({ $set: { n }, $setOnInsert: { s } })),
);

const direction = fc.constantFrom<1 | -1>(1, -1);
const sort = fc.tuple(path, direction, direction).map(([at, first, last]) => ({ [at]: first, _id: last }));
const projection = fc.constantFrom<Record<string, 0 | 1> | undefined>(
  undefined,
  { n: 1 },
  { 'o.n': 1, _id: 0 },
  { l: 0 },
  { 'o.s': 0, u: 0 },
  { 'l.n': 1 },
);

const operation = fc.oneof(
  document.map((insertOne) => ({ insertOne })),
  fc.record({ id, update, upsert: fc.boolean() }).map(({ id: _id, ...rest }) => ({
    updateOne: { filter: { _id }, ...rest },
  })),
  fc.record({ filter, update }).map((updateMany) => ({ updateMany })),
  document.map((replacement) => ({
    replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true },
  })),
  id.map((_id) => ({ deleteOne: { filter: { _id } } })),
);

const call: fc.Arbitrary<Call> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ call: fc.constant('insertOne' as const), document }) },
  fc.record({
    call: fc.constant('insertMany' as const),
    documents: fc.uniqueArray(document, { minLength: 1, maxLength: 3, selector: ({ _id }) => _id }),
  }),
  {
    weight: 3,
    arbitrary: fc.record({ call: fc.constant('updateOne' as const), id, update, upsert: fc.boolean() }),
  },
  fc.record({ call: fc.constant('updateMany' as const), filter: fc.constant({}), update }),
  fc.record({ call: fc.constant('replaceOne' as const), document, upsert: fc.boolean() }),
  fc.record({
    call: fc.constant('findOneAndUpdate' as const),
    filter,
    update,
    sort: direction,
    returning: fc.constantFrom<'before' | 'after'>('before', 'after'),
  }),
  fc.record({ call: fc.constant('findOneAndDelete' as const), filter, sort: direction }),
  fc.record({ call: fc.constant('deleteOne' as const), id }),
  fc.record({ call: fc.constant('deleteMany' as const), filter }),
  fc.record({
    call: fc.constant('bulkWrite' as const),
    operations: fc.array(operation, { minLength: 1, maxLength: 4 }),
  }),
  {
    weight: 4,
    arbitrary: fc.record({
      call: fc.constant('find' as const),
      filter,
      sort,
      skip: fc.nat(2),
      limit: fc.integer({ min: 1, max: 6 }),
      projection,
    }),
  },
  fc.record({ call: fc.constant('countDocuments' as const), filter }),
  fc.record({ call: fc.constant('distinct' as const), path, filter }),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: call },
  {
    weight: 1,
    arbitrary: fc.record({
      call: fc.constant('transaction' as const),
      steps: fc.array(call, { minLength: 1, maxLength: 3 }),
      rollBack: fc.boolean(),
    }),
  },
);

/** A sequence begins with documents, so that there is something to work on. */
export const sequence: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.array(fc.record({ call: fc.constant('insertOne' as const), document }), { maxLength: 3 }),
    fc.array(step, { minLength: 1, maxLength: 7 }),
  )
  .map(([first, rest]) => [...first, ...rest]);

/** The answer, or `{ refused: code }`. */
export async function answerOf(
  storage: Storage,
  collection: Collection<Anything>,
  taken: Step,
): Promise<unknown> {
  try {
    if (taken.call !== 'transaction') return await run(collection, taken);
    return await storage.transaction(async (tx) => {
      const answers = [];
      for (const inner of taken.steps) answers.push(await run(collection.with(tx), inner));
      if (taken.rollBack) throw new RolledBack(answers);
      return answers;
    });
  } catch (error) {
    if (error instanceof RolledBack) return { rolledBack: error.answers };
    if (isStorageError(error)) return { refused: error.code, index: error.index };
    throw error;
  }
}

class RolledBack extends Error {
  readonly answers: unknown;
  constructor(answers: unknown) {
    super('rolled back');
    this.answers = answers;
  }
}

async function run(collection: Collection<Anything>, taken: Call): Promise<unknown> {
  switch (taken.call) {
    case 'insertOne':
      return collection.insertOne(taken.document);
    case 'insertMany':
      return collection.insertMany(taken.documents);
    case 'updateOne':
      return collection.updateOne({ _id: taken.id }, taken.update as Update<Anything>, {
        upsert: taken.upsert,
      });
    case 'updateMany':
      return collection.updateMany(taken.filter as Filter<Anything>, taken.update as Update<Anything>);
    case 'replaceOne':
      return collection.replaceOne({ _id: taken.document._id }, taken.document, { upsert: taken.upsert });
    case 'findOneAndUpdate':
      return collection.findOneAndUpdate(taken.filter as Filter<Anything>, taken.update as Update<Anything>, {
        sort: { _id: taken.sort },
        returning: taken.returning,
      });
    case 'findOneAndDelete':
      return collection.findOneAndDelete(taken.filter as Filter<Anything>, { sort: { _id: taken.sort } });
    case 'deleteOne':
      return collection.deleteOne({ _id: taken.id });
    case 'deleteMany':
      return collection.deleteMany(taken.filter as Filter<Anything>);
    case 'bulkWrite':
      return collection.bulkWrite(taken.operations as WriteOperation<Anything>[]);
    case 'find': {
      const { filter: where, sort: order, skip, limit, projection: kept } = taken;
      const options = {
        sort: order as Record<string, 1 | -1>,
        skip,
        limit,
        ...(kept && { projection: kept }),
      };
      return collection.find(where as Filter<Anything>, options).toArray();
    }
    case 'countDocuments':
      return collection.countDocuments(taken.filter as Filter<Anything>);
    case 'distinct':
      return collection.distinct(taken.path, taken.filter as Filter<Anything>);
  }
}
