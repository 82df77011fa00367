/** The answer of a step as something that can be compared: the order of members counts, the order of ties does not. */
import {
  isStorageError,
  type Collection,
  type Filter,
  type Sort,
  type Storage,
  type StorageErrorCode,
  type Update,
  type WriteOperation,
} from 'plugboard/sdk';
import { compare } from '../../../../plugins/storage/order.js';
import type { Anything } from '../../../support/storage/store-of-test.js';
import type { Call, Step } from './steps.js';

type Answered = Exclude<Step, { call: 'follow' }>;

export type Answer =
  | { readonly value: unknown }
  | { readonly rolledBack: unknown }
  | { readonly refused: StorageErrorCode; readonly index: string | undefined };

export async function answerOf(
  storage: Storage,
  collection: Collection<Anything>,
  taken: Answered,
): Promise<Answer> {
  try {
    if (taken.call !== 'transaction') return { value: ordered(await run(collection, taken)) };
    const value = await storage.transaction(async (tx) => {
      const answers: unknown[] = [];
      for (const inner of taken.steps) {
        const answer = run(collection.with(tx), inner);
        answers.push(await (taken.goesOn ? answer.catch(() => 'refused') : answer));
      }
      if (taken.rollBack) throw new RolledBack(answers);
      return answers;
    });
    return { value: ordered(value) };
  } catch (error) {
    if (error instanceof RolledBack) return { rolledBack: ordered(error.answers) };
    if (isStorageError(error)) return { refused: error.code, index: error.index };
    throw error;
  }
}

/** Objects as lists of their members: `deepEqual` would not look at the order. */
export function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof Uint8Array)
    return value;
  return { members: Object.entries(value).map(([name, inner]) => [name, ordered(inner)]) };
}

/** An answer of `ordered` without the counts of modified documents. */
export function withoutModified(answer: unknown): unknown {
  if (Array.isArray(answer))
    return answer.filter((item) => !(Array.isArray(item) && item[0] === 'modified')).map(withoutModified);
  if (typeof answer !== 'object' || answer === null || answer instanceof Date || answer instanceof Uint8Array)
    return answer;
  return Object.fromEntries(Object.entries(answer).map(([name, inner]) => [name, withoutModified(inner)]));
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
      return collection.updateOne(filterOf(taken), updateOf(taken), { upsert: taken.upsert });
    case 'updateMany':
      return collection.updateMany(filterOf(taken), updateOf(taken));
    case 'replaceOne':
      return collection.replaceOne(filterOf(taken), taken.document, { upsert: taken.upsert });
    case 'findOneAndUpdate': {
      const { upsert, sort, returning, projection } = taken;
      return collection.findOneAndUpdate(filterOf(taken), updateOf(taken), {
        upsert,
        sort: sort as Sort,
        returning,
        ...(projection && { projection }),
      });
    }
    case 'findOneAndDelete':
      return collection.findOneAndDelete(filterOf(taken), { sort: taken.sort });
    case 'deleteOne':
      return collection.deleteOne(filterOf(taken));
    case 'deleteMany':
      return collection.deleteMany(filterOf(taken));
    case 'bulkWrite':
      return collection.bulkWrite(taken.operations as unknown as WriteOperation<Anything>[]);
    case 'findOne': {
      const { sort, projection } = taken;
      return collection.findOne(filterOf(taken), { sort, ...(projection && { projection }) });
    }
    case 'find': {
      const { sort, skip, limit, projection, iterated, shared } = taken;
      const cursor = collection.find(filterOf(taken), {
        sort,
        ...(skip !== undefined && { skip }),
        ...(limit !== undefined && { limit }),
        // Shared documents may have more members than the projection keeps.
        ...(projection ? { projection } : { shared }),
      });
      return iterated ? collected(cursor) : cursor.toArray();
    }
    case 'findUnsorted':
      return (await collection.find(filterOf(taken)).toArray()).toSorted((a, b) => compare(a._id, b._id));
    case 'countDocuments':
      return collection.countDocuments(filterOf(taken));
    case 'distinct':
      return flat(await collection.distinct(taken.path, filterOf(taken)));
  }
}

/** By an index, MongoDB's distinct goes into the arrays inside arrays, without one it does not. */
function flat(values: readonly unknown[]): unknown[] {
  const items = (values.flat(Infinity) as unknown[]).toSorted(compare);
  return items.filter((item, at) => at === 0 || compare(item, items[at - 1]) !== 0);
}

async function collected<T>(cursor: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of cursor) items.push(item);
  return items;
}

function filterOf({ filter }: { filter: object }): Filter<Anything> {
  return filter as Filter<Anything>;
}

function updateOf({ update }: { update: object }): Update<Anything> {
  return update as Update<Anything>;
}
