/** Random steps for two stores: every call of the port, alone and in transactions that end either way. */
import fc from 'fast-check';
import type { Anything } from '../../../support/storage/store-of-test.js';
import {
  filter,
  filterOfOne,
  filterOfUpsert,
  projection,
  totalOrder,
  type Order,
  type Projection,
} from './queries.js';
import { update } from './updates.js';
import { document, path } from './values.js';

export type Call =
  | { call: 'insertOne'; document: Anything }
  | { call: 'insertMany'; documents: Anything[] }
  | { call: 'updateOne'; filter: object; update: object; upsert: boolean }
  | { call: 'updateMany'; filter: object; update: object }
  | { call: 'replaceOne'; filter: object; document: Anything; upsert: boolean }
  | {
      call: 'findOneAndUpdate';
      filter: object;
      update: object;
      upsert: boolean;
      sort: Order;
      returning: 'before' | 'after';
      projection: Projection | undefined;
    }
  | { call: 'findOneAndDelete'; filter: object; sort: Order }
  | { call: 'deleteOne'; filter: object }
  | { call: 'deleteMany'; filter: object }
  | { call: 'bulkWrite'; operations: Operation[] }
  | { call: 'findOne'; filter: object; sort: Order; projection: Projection | undefined }
  | {
      call: 'find';
      filter: object;
      sort: Order;
      skip: number | undefined;
      limit: number | undefined;
      projection: Projection | undefined;
      iterated: boolean;
      shared: boolean;
    }
  | { call: 'findUnsorted'; filter: object }
  | { call: 'countDocuments'; filter: object }
  | { call: 'distinct'; path: string; filter: object };

export type Operation = Readonly<Record<string, object>>;

export type Step =
  | Call
  | {
      call: 'transaction';
      steps: Call[];
      rollBack: boolean;
      /** Whether the work goes on after a refused call: the transaction is refused all the same. */
      goesOn: boolean;
    }
  /** Follows the changes from here to the end of the sequence. */
  | { call: 'follow' };

const operation: fc.Arbitrary<Operation> = fc.oneof(
  document.map((insertOne) => ({ insertOne })),
  fc.record({ filter: filterOfOne, update }).map((updateOne) => ({ updateOne })),
  fc
    .record({ filter: filterOfUpsert, update, upsert: fc.constant(true) })
    .map((updateOne) => ({ updateOne })),
  fc.record({ filter, update }).map((updateMany) => ({ updateMany })),
  fc.record({ replacement: document, upsert: fc.boolean() }).map(({ replacement, upsert }) => ({
    replaceOne: { filter: { _id: replacement._id }, replacement, upsert },
  })),
  fc.tuple(filterOfOne, document).map(([only, replacement]) => ({
    replaceOne: { filter: only, replacement },
  })),
  filterOfOne.map((only) => ({ deleteOne: { filter: only } })),
  filter.map((many) => ({ deleteMany: { filter: many } })),
);

const named = <const C extends string, T extends object>(
  call: C,
  parts: { [K in keyof T]: fc.Arbitrary<T[K]> },
) => fc.record(parts).map((rest) => ({ call, ...rest }) as { call: C } & T);

const insertOne = named('insertOne', { document });
const call: fc.Arbitrary<Call> = fc.oneof(
  { weight: 4, arbitrary: insertOne },
  named('insertMany', {
    documents: fc.uniqueArray(document, { minLength: 1, maxLength: 3, selector: ({ _id }) => _id }),
  }),
  {
    weight: 2,
    arbitrary: named('updateOne', { filter: filterOfUpsert, update, upsert: fc.constant(true) }),
  },
  { weight: 2, arbitrary: named('updateOne', { filter: filterOfOne, update, upsert: fc.constant(false) }) },
  { weight: 2, arbitrary: named('updateMany', { filter, update }) },
  fc
    .record({ document, upsert: fc.boolean(), other: fc.option(filterOfUpsert, { freq: 4, nil: undefined }) })
    .map(({ other, ...rest }) => ({
      call: 'replaceOne' as const,
      filter: other ?? { _id: rest.document._id },
      ...rest,
    })),
  named('replaceOne', { filter: filterOfOne, document, upsert: fc.constant(false) }),
  fc.oneof(
    named('findOneAndUpdate', {
      filter,
      update,
      upsert: fc.constant(false),
      sort: totalOrder,
      returning: fc.constantFrom<'before' | 'after'>('before', 'after'),
      projection,
    }),
    named('findOneAndUpdate', {
      filter: filterOfUpsert,
      update,
      upsert: fc.constant(true),
      sort: totalOrder,
      returning: fc.constantFrom<'before' | 'after'>('before', 'after'),
      projection,
    }),
  ),
  named('findOneAndDelete', { filter, sort: totalOrder }),
  named('deleteOne', { filter: filterOfOne }),
  named('deleteMany', { filter }),
  {
    weight: 2,
    arbitrary: named('bulkWrite', { operations: fc.array(operation, { minLength: 1, maxLength: 4 }) }),
  },
  named('findOne', { filter, sort: totalOrder, projection }),
  {
    weight: 5,
    arbitrary: named('find', {
      filter,
      sort: totalOrder,
      skip: fc.option(fc.nat(2), { nil: undefined }),
      limit: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
      projection,
      iterated: fc.boolean(),
      shared: fc.boolean(),
    }),
  },
  named('findUnsorted', { filter }),
  named('countDocuments', { filter }),
  named('distinct', { path: fc.oneof(path, fc.constant('_id')), filter }),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: call },
  {
    weight: 1,
    arbitrary: named('transaction', {
      steps: fc.array(call, { minLength: 1, maxLength: 3 }),
      rollBack: fc.boolean(),
      // Not at random: what only MongoDB refuses, as the sum of something that is not a number, would end its transactions alone.
      goesOn: fc.constant(false),
    }),
  },
);
const follow: fc.Arbitrary<Step[]> = fc.array(fc.constant({ call: 'follow' }), { maxLength: 1 });

/** A sequence begins with documents, so that there is something to work on. */
export const sequence: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.array(insertOne as fc.Arbitrary<Call>, { maxLength: 3 }),
    follow,
    fc.array(step, { minLength: 1, maxLength: 7 }),
  )
  .map((parts) => parts.flat());

/** Whether the step writes to several documents in one operation, by an update for which their order may decide. */
export function dependsOnOrder(taken: Step): boolean {
  switch (taken.call) {
    case 'updateMany':
      // The other operators leave what they made as it is when they come again, so no order helps.
      return '$inc' in taken.update;
    case 'bulkWrite':
      return taken.operations.some(
        ({ updateMany }) => updateMany !== undefined && '$inc' in (updateMany as { update: object }).update,
      );
    case 'transaction':
      return taken.steps.some(dependsOnOrder);
    default:
      return false;
  }
}

/** Whether MongoDB counts `modified` otherwise from here on: a sum of `$inc` is kept as another type. */
export function countsOtherwise(taken: Step): boolean {
  switch (taken.call) {
    case 'updateOne':
    case 'updateMany':
    case 'findOneAndUpdate':
      return changesCount(taken.update);
    case 'bulkWrite':
      return taken.operations.some((operation) =>
        Object.values(operation).some((part) => 'update' in part && changesCount(part.update as object)),
      );
    case 'transaction':
      return taken.steps.some(countsOtherwise);
    default:
      return false;
  }
}

/** An item that is null already and is taken away counts as modified on MongoDB. */
function changesCount(update: object): boolean {
  const { $unset = {} } = update as { $unset?: object };
  return '$inc' in update || Object.keys($unset).some((path) => /\.\d+$/.test(path));
}
