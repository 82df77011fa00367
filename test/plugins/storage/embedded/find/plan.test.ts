/** Whatever index serves a query, the answer is that of a scan. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Filter, Group, IndexSpec, Sort } from 'plugboard/sdk';
import { openStore, type Row } from '../open.js';
import { scalar } from '../values.js';

const few = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 3 }) },
  fc.constantFrom('ab', 'abc', 'abd', 'b'),
  scalar,
);
const member = fc.oneof(
  { weight: 3, arbitrary: few },
  { weight: 1, arbitrary: fc.array(few, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.record({ c: few }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.array(fc.record({ c: few }, { requiredKeys: [] }), { maxLength: 2 }) },
);
const rowFields = fc.record({ a: member, b: few, d: few }, { requiredKeys: [] });
const path = fc.constantFrom('a', 'b', 'a.c', 'd');
const condition = fc.oneof(
  few,
  fc
    .record({ $gt: few, $gte: few, $lt: few, $lte: few }, { requiredKeys: [] })
    .filter((ops) => Object.keys(ops).length > 0),
  fc.record({ $in: fc.array(few, { maxLength: 3 }) }),
  fc.record({ $exists: fc.boolean() }),
  fc.record({ $ne: few }),
  fc.constantFrom(/^ab/, /^abc?/, /^ab|b/, /^AB/i, /b/).map(($regex) => ({ $regex })),
);
const conjunction = fc.dictionary(path, condition, { maxKeys: 3, noNullPrototype: true });
/** Several items of one array. */
const items = fc
  .tuple(conjunction, fc.array(fc.constantFrom('ab', 'abc', 'b'), { minLength: 2, maxLength: 3 }))
  .map(([rest, texts]) => ({ $and: [rest, ...texts.map((a) => ({ a }))] }));
const filter = fc.oneof(
  { weight: 3, arbitrary: conjunction },
  { weight: 1, arbitrary: items },
  fc
    .tuple(conjunction, fc.array(conjunction, { minLength: 1, maxLength: 3 }))
    .map(([rest, $or]) => ({ ...rest, $or })),
);
const direction = fc.constantFrom<1 | -1>(1, -1);
const keys = fc.dictionary(path, direction, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
const sort = fc.dictionary(fc.constantFrom('b', 'd', 'a'), direction, { maxKeys: 2, noNullPrototype: true });
const index: fc.Arbitrary<IndexSpec> = fc
  .record({
    keys,
    sparse: fc.boolean(),
    partial: fc.option(fc.record({ b: fc.constantFrom({ $gte: 1 }, { $exists: true as const }, 2) }), {
      nil: undefined,
    }),
  })
  .map(({ keys, sparse, partial }) => ({ keys, sparse, ...(partial && { partial }) }))
  .filter(({ keys }) => !('a' in keys && 'a.c' in keys));

/** What an index may have in its keys, with and without the id. */
const PROJECTIONS = [{ d: 1 }, { b: 1, d: 1, _id: 0 }, { b: 1 }, { _id: 1 }] as const;

/** Which of a number and an equal bigint represents a group is unspecified, as is which of two zeros. */
function told(groups: readonly Group[]): unknown[] {
  const plainly = (value: unknown): unknown =>
    typeof value === 'bigint' && BigInt(Number(value)) === value ? Number(value) : value === 0 ? 0 : value;
  return groups.map(({ by, count, folds }) => ({ by: by.map(plainly), count, folds: folds.map(plainly) }));
}

test('a query over indexes answers as a scan does, in the order that was asked for', async (t) => {
  const { storage } = await openStore(t);
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(rowFields, { maxLength: 12 }),
      fc.array(index, { minLength: 1, maxLength: 3 }),
      fc.array(fc.tuple(filter, sort), { minLength: 4, maxLength: 8 }),
      async (fields, indexes, queries) => {
        round++;
        const plain = storage.collection<Row>({ name: `plain${round}` });
        const indexed = storage.collection<Row>({ name: `indexed${round}`, indexes });
        const rows = fields.map((row, at) => ({ ...row, _id: `r${at}` }));
        await plain.insertMany(rows);
        await indexed.insertMany(rows);
        for (const [query, order] of queries) {
          const options = { sort: { ...order, _id: 1 } as Sort };
          const expected = await plain.find(query as Filter<Row>, options).toArray();
          const actual = await indexed.find(query as Filter<Row>, options).toArray();
          const plan = await indexed.explain(query as Filter<Row>, options);
          assert.deepEqual(actual, expected, JSON.stringify(plan));
          assert.equal(await indexed.countDocuments(query as Filter<Row>), expected.length);
          const page = await indexed.find(query as Filter<Row>, { ...options, limit: 3 }).toArray();
          assert.deepEqual(page, expected.slice(0, 3), JSON.stringify(plan));
          const unsorted = await indexed.find(query as Filter<Row>).toArray();
          assert.deepEqual(
            unsorted.map(({ _id }) => _id).sort(),
            expected.map(({ _id }) => _id).sort(),
            JSON.stringify(await indexed.explain(query as Filter<Row>)),
          );
          const one = await indexed.findOne(query as Filter<Row>);
          assert.deepEqual(one, expected.find(({ _id }) => _id === one?._id) ?? null);
          assert.equal(one === null, expected.length === 0);
          for (const projection of PROJECTIONS) {
            const kept = { ...options, projection };
            const short = await plain.find(query as Filter<Row>, kept).toArray();
            assert.deepEqual(
              await indexed.find(query as Filter<Row>, kept).toArray(),
              short,
              JSON.stringify(plan),
            );
          }
          for (const by of [[], ['b'], ['d', 'b']]) {
            const grouping = { by, folds: [{ fold: 'max', of: 'b' } as const] };
            const groups = await plain.group(query as Filter<Row>, grouping);
            assert.deepEqual(told(await indexed.group(query as Filter<Row>, grouping)), told(groups));
          }
        }
      },
    ),
    { numRuns: 150 },
  );
});

const plans: [what: string, filter: Filter<Row>, sort: Sort | undefined, index: string, order: string][] = [
  ['several owners, one order', { owner: { $in: ['x', 'y'] } }, { at: -1, _id: -1 }, 'owner,at', 'index'],
  ['one tag of many, one order', { tags: 'x' }, { at: 1 }, 'tags,at', 'index'],
  ['the branches of an $or', { $or: [{ owner: 'x' }, { tags: 'y' }] }, undefined, 'owner,at', 'none'],
  ['the beginning of a text', { owner: { $regex: /^ab/ } }, undefined, 'owner,at', 'none'],
];
for (const [what, filter, sort, index, order] of plans)
  test(`${what}: served by an index`, async (t) => {
    const { storage } = await openStore(t);
    const indexes = [{ keys: { owner: 1, at: -1 } }, { keys: { tags: 1, at: 1 } }] as const;
    const rows = storage.collection<Row>({ name: 'rows', indexes });
    await rows.insertOne({ _id: 'a', tags: ['x', 'y'] });
    const plan = await rows.explain(filter, sort && { sort });
    assert.deepEqual(plan, { access: 'index', index, sort: order });
  });

test('an $or with a branch that no index serves looks at every document', async (t) => {
  const { storage } = await openStore(t);
  const rows = storage.collection<Row>({ name: 'rows', indexes: [{ keys: { owner: 1 } }] });
  assert.equal((await rows.explain({ $or: [{ owner: 'x' }, { size: 1 }] })).access, 'scan');
});

test('equality, range and sort on one compound index need nothing else', async (t) => {
  const { storage } = await openStore(t);
  const rows = storage.collection<Row>({ name: 'rows', indexes: [{ keys: { owner: 1, at: -1 } }] });
  assert.deepEqual(await rows.explain({ owner: 'x', at: { $lt: 5 } }, { sort: { at: -1, _id: -1 } }), {
    access: 'index',
    index: 'owner,at',
    sort: 'index',
  });
  assert.deepEqual(await rows.explain({ at: 1 }), { access: 'scan', index: null, sort: 'none' });
  assert.deepEqual(await rows.explain({ _id: 'a' }), { access: 'id', index: null, sort: 'none' });
});
