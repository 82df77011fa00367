/** Runs random sequences on both stores and compares every answer and every final state. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import fc from 'fast-check';
import type { Collection, CollectionSpec, Storage } from 'plugboard/sdk';
import { openStore } from '../../../support/storage/open-store.js';
import type { Anything } from '../../../support/storage/store-of-test.js';
import type { StoreConfig } from '../../../support/stores.js';
import { answerOf, ordered, withoutModified, type Answer } from './answer.js';
import { follow, type Followed } from './followed.js';
import { countsOtherwise, dependsOnOrder, sequence, type Step } from './steps.js';
import { EXPIRE_AFTER_SECONDS, NOW } from './values.js';

export interface Comparison {
  readonly stores: readonly [StoreConfig, StoreConfig];
  readonly sequences: number;
  readonly seed: number;
}

/** Throws with the shrunk sequence and the seed when the two stores differ. Answers how many sequences were alike. */
export async function compareStores({ stores, sequences, seed }: Comparison): Promise<number> {
  const clock = { now: () => NOW };
  const [one, other] = [await openStore(stores[0], { clock }), await openStore(stores[1], { clock })];
  try {
    const lanes = SPECS.map(
      (spec) => [one.storage.collection<Anything>(spec), other.storage.collection<Anything>(spec)] as const,
    );
    await one.start();
    await other.start();
    const numRuns = Math.ceil(sequences / lanes.length);
    let alike = 0;
    const results = await Promise.allSettled(
      lanes.map(([left, right], lane) =>
        fc.assert(
          fc.asyncProperty(sequence, async (steps) => {
            await Promise.all([left.deleteMany({}), right.deleteMany({})]);
            await compareSteps([one.storage, left], [other.storage, right], steps);
            alike++;
          }),
          { numRuns, seed: seed + lane, includeErrorInReport: true },
        ),
      ),
    );
    const failures = results.flatMap((result) =>
      result.status === 'rejected' ? [String(result.reason)] : [],
    );
    if (failures.length > 0) throw new Error(failures.join('\n\n'));
    return alike;
  } finally {
    await one.close();
    await other.close();
  }
}

/** One lane each. They run at once: both stores wait for the disk most of the time. */
const SPECS: readonly CollectionSpec[] = [
  { name: 'plain' },
  {
    name: 'indexed',
    indexes: [{ keys: { n: 1, s: -1 } }, { keys: { 'o.n': 1 } }, { keys: { s: 1 }, sparse: true }],
  },
  {
    name: 'indexed_items',
    indexes: [{ keys: { 'l.n': -1, u: 1 } }, { keys: { at: -1, n: -1 } }, { keys: { l: 1 } }],
  },
  {
    name: 'partial',
    indexes: [
      { keys: { n: 1 }, partial: { n: { $gt: 0 } } as never },
      { keys: { s: 1, u: -1 }, partial: { u: { $exists: true } } as never },
      { keys: { 'o.s': 1 }, partial: { s: 'a' } as never },
    ],
  },
  {
    name: 'unique_sparse',
    indexes: [{ keys: { u: 1 }, unique: true, sparse: true }, { keys: { s: 1, n: 1 } }],
  },
  {
    name: 'unique_pair',
    indexes: [{ keys: { u: 1, n: -1 }, unique: true, partial: { u: { $exists: true } } as never }],
  },
  { name: 'unique_items', indexes: [{ keys: { 'l.n': 1, 'o.n': 1 }, unique: true, sparse: true }] },
  {
    name: 'expiring',
    indexes: [
      { keys: { at: 1 }, expireAfterSeconds: EXPIRE_AFTER_SECONDS },
      { keys: { u: 1 }, unique: true, sparse: true },
    ],
  },
];

type Side = readonly [Storage, Collection<Anything>];

async function compareSteps(left: Side, right: Side, steps: readonly Step[]): Promise<void> {
  let countedOtherwise = false;
  const followed: (readonly [Followed, Followed])[] = [];
  for (const step of steps) {
    if (step.call === 'follow') {
      followed.push(await Promise.all([followSide(left), followSide(right)]));
      continue;
    }
    countedOtherwise ||= countsOtherwise(step);
    const [a, b] = await Promise.all([answerOf(...left, step), answerOf(...right, step)]);
    const refused = 'refused' in a || 'refused' in b;
    const seen: (answer: Answer) => unknown = countedOtherwise ? withoutModified : (answer) => answer;
    if (!refused || !mayDiffer(step, a, b))
      assert.deepEqual(seen(a), seen(b), `the answers to ${step.call} differ`);
    // What an operation on several documents did before the refusal may stay, or not.
    if (refused && mayStayHalf(step) && !(await sameState(left, right))) {
      await Promise.all([left[1].deleteMany({}), right[1].deleteMany({})]);
      followed.length = 0;
    }
  }
  assert.deepEqual(await stateOf(left), await stateOf(right), 'the final states differ');
  for (const [one, other] of followed)
    assert.deepEqual(await one.deletions(), await other.deletions(), 'the feeds tell other deletions');
}

function followSide([, collection]: Side): Promise<Followed> {
  return follow(collection, collection.name === 'expiring');
}

/** The port does not say in which order an updateMany reaches its documents, so it may meet one error or another. */
function mayDiffer(step: Step, a: Answer, b: Answer): boolean {
  // A sum of what are no numbers is met or not, as the plan reaches its document before the others answer or not.
  if (mentions(step, '$add')) return true;
  // A position that is also the name of a member MongoDB does not sort by, where an array holds such an object.
  if (sortsByPosition(step)) return true;
  // What a transaction has stored as expired cannot be removed for it before it ends on MongoDB.
  if (storesExpired(step)) return true;
  if ('refused' in a && 'refused' in b) return some(step, 'updateMany');
  return (
    [a, b].some((answer) => 'refused' in answer && answer.refused === 'duplicate_key') && dependsOnOrder(step)
  );
}

function mayStayHalf(step: Step): boolean {
  return (
    storesExpired(step) ||
    sortsByPosition(step) ||
    mentions(step, '$add') ||
    some(step, 'insertMany') ||
    some(step, 'updateMany') ||
    some(step, 'deleteMany')
  );
}

function storesExpired(step: Step): boolean {
  return step.call === 'transaction' && mentions(step, 'at');
}

function sortsByPosition(step: Step): boolean {
  if (step.call === 'transaction') return step.steps.some(sortsByPosition);
  return 'sort' in step && Object.keys(step.sort).some((path) => /\.\d/.test(path));
}

/** Whether an object in the step has such a member. */
function mentions(step: Step, name: '$add' | 'at'): boolean {
  return new RegExp(`[{ ]'?${name.replace('$', '\\$')}'?: `).test(inspect(step, { depth: Infinity }));
}

/** Whether the step is such a call, or has one among its parts. */
function some(step: Step, call: 'insertMany' | 'updateMany' | 'deleteMany'): boolean {
  switch (step.call) {
    case 'bulkWrite':
      return step.operations.some((operation) => call in operation);
    case 'transaction':
      return step.steps.some((inner) => some(inner, call));
    default:
      return step.call === call;
  }
}

async function sameState(left: Side, right: Side): Promise<boolean> {
  try {
    assert.deepEqual(await stateOf(left), await stateOf(right));
    return true;
  } catch {
    return false;
  }
}

async function stateOf([, collection]: Side): Promise<unknown> {
  return ordered(await collection.find({}, { sort: { _id: 1 } }).toArray());
}
