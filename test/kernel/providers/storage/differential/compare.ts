/** Runs random sequences on both stores and compares every answer and every final state. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Collection, CollectionSpec, Storage } from 'plugboard/sdk';
import { openStore } from '../../../../support/open-store.js';
import type { Anything } from '../../../../support/store-of-test.js';
import type { StoreConfig } from '../../../../support/stores.js';
import { answerOf, sequence, type Step } from './steps.js';

export interface Comparison {
  readonly stores: readonly [StoreConfig, StoreConfig];
  readonly sequences: number;
  readonly seed: number;
}

/** Throws with the shrunk sequence and the seed when the two stores differ. */
export async function compareStores({ stores, sequences, seed }: Comparison): Promise<void> {
  const [one, other] = [await openStore(stores[0]), await openStore(stores[1])];
  try {
    const lanes = Array.from({ length: LANES }, (_, lane) => {
      const spec = SPECS[lane % SPECS.length]!;
      const named = { ...spec, name: `${spec.name}_${lane}` };
      return [one.storage.collection<Anything>(named), other.storage.collection<Anything>(named)] as const;
    });
    await one.start();
    await other.start();
    const results = await Promise.allSettled(
      lanes.map(([left, right], lane) =>
        fc.assert(
          fc.asyncProperty(sequence, async (steps) => {
            await Promise.all([left.deleteMany({}), right.deleteMany({})]);
            await compareSteps([one.storage, left], [other.storage, right], steps);
          }),
          { numRuns: Math.ceil(sequences / LANES), seed: seed + lane },
        ),
      ),
    );
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  } finally {
    await one.close();
    await other.close();
  }
}

/** Sequences that run at once, each on collections of its own: both stores wait for the disk most of the time. */
const LANES = 8;

const SPECS: CollectionSpec[] = [
  { name: 'plain' },
  {
    name: 'indexed',
    indexes: [{ keys: { n: 1, s: -1 } }, { keys: { 'o.n': 1 } }, { keys: { s: 1 }, sparse: true }],
  },
  {
    name: 'unique_sparse',
    indexes: [{ keys: { u: 1 }, unique: true, sparse: true }, { keys: { s: 1, n: 1 } }],
  },
  {
    name: 'unique_pair',
    indexes: [{ keys: { u: 1, n: -1 }, unique: true, partial: { u: { $exists: true } } as never }],
  },
];

type Side = readonly [Storage, Collection<Anything>];

async function compareSteps(left: Side, right: Side, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const [a, b] = await Promise.all([answerOf(...left, step), answerOf(...right, step)]);
    // Which document an updateMany reaches first has no order: the stores may refuse different ones.
    const bothRefused = MANY.has(step.call) && isRefused(a) && isRefused(b);
    if (!bothRefused) assert.deepEqual(a, b, `the answers to ${step.call} differ`);
    // Outside a transaction the port lets what stands before the refused document stay, or not.
    if (step.call === 'insertMany' && isRefused(a)) {
      const ids = { _id: { $in: step.documents.map(({ _id }) => _id) } };
      await Promise.all([left[1].deleteMany(ids), right[1].deleteMany(ids)]);
    }
    // Which documents an updateMany had reached before the refused one has no order either.
    if (MANY.has(step.call) && isRefused(a)) {
      await Promise.all([left[1].deleteMany({}), right[1].deleteMany({})]);
    }
  }
  const all = (collection: Collection<Anything>) => collection.find({}, { sort: { _id: 1 } }).toArray();
  const [a, b] = await Promise.all([all(left[1]), all(right[1])]);
  assert.deepEqual(a, b, 'the final states differ');
}

const MANY = new Set(['updateMany', 'bulkWrite']);

function isRefused(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'refused' in answer;
}
