import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import {
  byRank,
  type EntryAttributes,
  type EntryFilter,
  type Hit,
} from '../../../../plugins/memory/engine/base/attributes.js';
import { VectorIndex, type VectorIndexOptions } from '../../../../plugins/memory/engine/vector/index.js';
import { chooseKernel, type KernelChoice } from '../../../../plugins/memory/engine/vector/choose-kernel.js';
import { maxRows } from '../../../../plugins/memory/engine/vector/layout.js';
import { Matrix, VectorIndexFull } from '../../../../plugins/memory/engine/vector/matrix.js';
import { anyAttributes, anyFilter, attributes, TestClock, uniform, visible } from '../entries.js';

const JAVASCRIPT: KernelChoice = { name: 'javascript', reason: 'chosen by the test', module: null };
/** Every scan is long: it runs in the worker, on int8 copies. */
const IN_THREAD = { inlineFloats: 0 };

function open(t: TestContext, given: Partial<VectorIndexOptions> = {}): VectorIndex {
  const index = new VectorIndex({ model: 'm', dimensions: 3, clock: new TestClock(), ...given });
  t.after(() => index.close());
  return index;
}

type Entries = Map<string, { attributes: EntryAttributes; vector: Float32Array }>;

/**
 * After all promise callbacks and before any event: what was searched is with the worker, and its answer, which is an
 * event, was not heard yet, however fast the worker is.
 */
function scanUnderWay(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

/** The whole answer by the definition of the cosine, in 64-bit floats. */
function bruteForce(
  entries: Entries,
  query: Float32Array,
  owner: string | null,
  filter: EntryFilter,
  now: number,
): Hit[] {
  return [...entries]
    .filter(([, entry]) => visible(entry.attributes, owner, filter, now))
    .map(([id, { attributes, vector }]) => ({
      id,
      score: cosine(vector, query),
      createdAt: attributes.createdAt,
    }))
    .sort(byRank);
}

function cosine(a: Float32Array, b: Float32Array): number {
  let product = 0;
  let squaresA = 0;
  let squaresB = 0;
  a.forEach((value, at) => {
    product += value * b[at]!;
    squaresA += value * value;
    squaresB += b[at]! * b[at]!;
  });
  return squaresA === 0 ? 0 : product / Math.sqrt(squaresA * squaresB);
}

/** Small whole numbers: they meet in ties often, and 0 is among them. */
function anyVector(dimensions: number): fc.Arbitrary<Float32Array> {
  return fc
    .array(fc.integer({ min: -9, max: 9 }), { minLength: dimensions, maxLength: dimensions })
    .map((values) => Float32Array.from(values));
}

/** The right hits in the right order; where the exact scores are equal but for rounding, any order. */
function assertRanking(found: Hit[], expected: Hit[], limit: number): void {
  assert.equal(found.length, Math.min(limit, expected.length));
  const exact = new Map(expected.map((hit) => [hit.id, hit.score]));
  found.forEach((hit, at) => {
    const score = exact.get(hit.id);
    assert.ok(score !== undefined, `${hit.id} may not be found`);
    assert.ok(Math.abs(hit.score - score) < 4e-5, `${hit.score} is not the cosine ${score}`);
    assert.ok(Math.abs(score - expected[at]!.score) < 4e-5, `place ${at} belongs to ${expected[at]!.id}`);
  });
}

for (const [name, options] of [
  ['the assembled kernel', {}],
  ['plain JavaScript', { kernel: JAVASCRIPT }],
] as const) {
  test(`with ${name}, a search finds what brute force finds`, async () => {
    const run = fc.integer({ min: 1, max: 70 }).chain((dimensions) =>
      fc.record({
        entries: fc.array(fc.tuple(anyAttributes, anyVector(dimensions)), { maxLength: 60 }),
        query: anyVector(dimensions),
        owner: fc.constantFrom(null, 'a'),
        filter: anyFilter,
        limit: fc.integer({ min: 1, max: 12 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(run, async ({ entries, query, owner, filter, limit }) => {
        const clock = new TestClock();
        const index = new VectorIndex({ model: 'm', dimensions: query.length, clock, ...options });
        const known: Entries = new Map();
        entries.forEach(([attributes, vector], at) => {
          index.upsert(`e${at}`, attributes, vector);
          known.set(`e${at}`, { attributes, vector });
        });
        const found = await index.search(query, { owner, filter, limit });
        if (query.every((value) => value === 0)) assert.deepEqual(found, []);
        else assertRanking(found, bruteForce(known, query, owner, filter, clock.now()), limit);
        const asked = [...known.keys(), 'unknown'];
        const cosines = index.cosines(query, asked);
        assert.deepEqual(
          asked.filter((id) => cosines.has(id)),
          [...known.keys()],
        );
        for (const [id, { vector }] of known)
          assert.ok(Math.abs(cosines.get(id)! - (query.some(Boolean) ? cosine(vector, query) : 0)) < 4e-5);
      }),
      { numRuns: 150 },
    );
  });

  test(`with ${name}, the worker's int8 scan with rescoring finds nearly all that brute force finds`, async (t) => {
    const index = open(t, { dimensions: 96, ...IN_THREAD, ...options });
    const random = uniform(7);
    const known: Entries = new Map();
    for (let at = 0; at < 3000; at++) {
      const vector = Float32Array.from({ length: 96 }, random);
      known.set(`e${at}`, { attributes: attributes({ owner: at % 3 === 0 ? null : 'a' }), vector });
      index.upsert(`e${at}`, known.get(`e${at}`)!.attributes, vector);
    }
    let found = 0;
    for (let asked = 0; asked < 20; asked++) {
      const query = Float32Array.from({ length: 96 }, random);
      const hits = await index.search(query, { owner: 'a', limit: 20 });
      const expected = new Set(
        bruteForce(known, query, 'a', {}, 1)
          .slice(0, 20)
          .map((hit) => hit.id),
      );
      found += hits.filter((hit) => expected.has(hit.id)).length;
    }
    assert.ok(found >= 398, `recall@20 is ${found / 400}`);
  });
}

test('the build has assembled the kernel, and this machine runs it', () => {
  assert.deepEqual({ ...chooseKernel(), module: null }, { name: 'wasm-simd', reason: null, module: null });
});

test('without the assembled kernel the index says why it scores in JavaScript', (t) => {
  const kernel = chooseKernel(new URL('file:///nowhere/kernel.wasm'));
  assert.equal(open(t, { kernel }).stats().kernelReason, 'kernel.wasm is not there: run `npm run build`');
});

test('upserts, deletions and changes of owner in any order leave what a plain map holds', async () => {
  const id = fc.constantFrom('1', '2', '3', '4', '5', '6');
  const step = fc.oneof(
    fc.record({ kind: fc.constant('upsert' as const), id, attributes: anyAttributes, vector: anyVector(5) }),
    fc.record({ kind: fc.constant('change' as const), id, attributes: anyAttributes }),
    fc.record({ kind: fc.constant('delete' as const), id }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const clock = new TestClock();
      const index = new VectorIndex({ model: 'm', dimensions: 5, clock });
      const known: Entries = new Map();
      for (const step of steps) {
        const before = known.get(step.id);
        if (step.kind === 'upsert') {
          index.upsert(step.id, step.attributes, step.vector);
          known.set(step.id, step);
        } else if (step.kind === 'delete') {
          assert.equal(index.delete(step.id), known.delete(step.id));
        } else {
          assert.equal(index.setAttributes(step.id, step.attributes), before !== undefined);
          if (before !== undefined) known.set(step.id, { ...before, attributes: step.attributes });
        }
      }
      assert.equal(index.size, known.size);
      const query = Float32Array.of(1, -2, 3, -4, 5);
      for (const owner of [null, 'a', 'b', 'c']) {
        const expected = bruteForce(known, query, owner, {}, clock.now());
        assertRanking(await index.search(query, { owner, limit: 10 }), expected, 10);
      }
    }),
    { numRuns: 200 },
  );
});

test('what is deleted or handed to another owner while the worker scans is not found', async (t) => {
  const index = open(t, { dimensions: 64, ...IN_THREAD });
  const random = uniform(3);
  const owners = new Map<string, string>();
  const upsert = (id: string, owner: string, vector: Float32Array): void => {
    owners.set(id, owner);
    index.upsert(id, attributes({ owner }), vector);
  };
  for (let at = 0; at < 2000; at++) {
    upsert(`e${at}`, at % 2 === 0 ? 'a' : 'b', Float32Array.from({ length: 64 }, random));
  }
  for (let round = 0; round < 30; round++) {
    const query = Float32Array.from({ length: 64 }, random);
    const [nearest, second] = await index.search(query, { owner: 'a', limit: 2 });
    let settled = 0;
    const searches = [1, 2, 3].map(async () => {
      const hits = await index.search(query, { owner: 'a', limit: 10 });
      settled++;
      return hits;
    });
    await scanUnderWay();
    assert.equal(settled, 0);
    index.delete(nearest!.id);
    owners.delete(nearest!.id);
    index.setAttributes(second!.id, attributes({ owner: 'b' }));
    owners.set(second!.id, 'b');
    upsert(`new${round}`, 'b', query);
    upsert(`e${(round * 60 + 4) % 2000}`, 'a', query);
    for (const hits of await Promise.all(searches)) {
      assert.equal(hits.length, 10);
      for (const { id } of hits) assert.equal(owners.get(id), 'a', `${id} is not owner a's`);
    }
    const [first] = await index.search(query, { owner: 'a', limit: 1 });
    assert.equal(first?.id, `e${(round * 60 + 4) % 2000}`);
  }
});

test('an entry is found until the instant it expires, and not at that instant, in the loop and in the worker', async (t) => {
  for (const options of [{}, IN_THREAD]) {
    const clock = new TestClock();
    const index = open(t, { clock, ...options });
    index.upsert('e', attributes({ expiresAt: clock.time + 1 }), Float32Array.of(1, 0, 0));
    const search = () => index.search(Float32Array.of(1, 0, 0), { owner: null, limit: 5 });
    assert.deepEqual(
      (await search()).map((hit) => hit.id),
      ['e'],
    );
    clock.time += 1;
    assert.deepEqual(await search(), []);
  }
});

test('equal vectors are ordered by the newest, then by id, even where the limit cuts through them', async (t) => {
  for (const options of [{}, IN_THREAD]) {
    const index = open(t, options);
    const twin = Float32Array.of(1, 2, 3);
    for (const [id, createdAt] of [
      ['d', 5],
      ['b', 5],
      ['old', 1],
      ['new', 9],
      ['c', 5],
    ] as const) {
      index.upsert(id, attributes({ createdAt }), twin);
    }
    const hits = await index.search(twin, { owner: null, limit: 3 });
    assert.deepEqual(
      hits.map((hit) => hit.id),
      ['new', 'b', 'c'],
    );
  }
});

test('growing by thousands of rows leaves every vector as it was written', (t) => {
  const index = open(t, { dimensions: 33 });
  for (let at = 0; at < 3000; at++) {
    index.upsert(
      `e${at}`,
      attributes(),
      Float32Array.from({ length: 33 }, (_, i) => (i === at % 33 ? 1 : 0)),
    );
  }
  for (let at = 0; at < 3000; at++) assert.equal(index.vector(`e${at}`)?.[at % 33], 1);
});

test('stored bytes are read as little-endian floats from any offset', (t) => {
  const index = open(t);
  const bytes = Buffer.alloc(13);
  [3, 0, 4].forEach((value, at) => bytes.writeFloatLE(value, 1 + at * 4));
  index.upsert('e', attributes(), bytes.subarray(1));
  assert.deepEqual(
    Array.from(index.vector('e')!, (value) => Number(value.toFixed(4))),
    [0.6, 0, 0.8],
  );
});

test('a vector that cannot be kept is refused, and the entry keeps the one it had', async (t) => {
  const index = open(t);
  index.upsert('e', attributes(), Float32Array.of(0, 1, 0));
  assert.throws(() => index.upsert('e', attributes(), Float32Array.of(1, 2)), {
    name: 'RangeError',
    message: 'a vector of 2 dimensions where all have 3',
  });
  for (const bad of [NaN, Infinity, 1e30]) {
    assert.throws(
      () => index.upsert('e', attributes(), Float32Array.of(1, bad, 0)),
      /not finite, or too large/,
    );
  }
  const hits = await index.search(Float32Array.of(0, 1, 0), { owner: null, limit: 9 });
  assert.deepEqual(hits, [{ id: 'e', score: 1, createdAt: 1 }]);
  await assert.rejects(index.search(Float32Array.of(1, NaN, 0), { owner: null, limit: 9 }), /not finite/);
  await assert.rejects(
    index.search(Float32Array.of(1), { owner: null, limit: 9 }),
    /a query of 1 dimensions/,
  );
});

test('an all-zero vector is kept, with the cosine 0 to everything', async (t) => {
  const index = open(t);
  index.upsert('silent', attributes(), new Float32Array(3));
  const hits = await index.search(Float32Array.of(1, 1, 1), { owner: null, limit: 1 });
  assert.deepEqual(hits, [{ id: 'silent', score: 0, createdAt: 1 }]);
});

test('a matrix that 4 GiB cannot hold is refused with the number of vectors that fit', () => {
  const most = maxRows(384);
  assert.ok(most > 2_000_000);
  assert.throws(
    () => new Matrix(384).reserve(most + 1),
    (error) =>
      error instanceof VectorIndexFull &&
      error.message.startsWith(`no room for more than ${most} vectors of 384 dimensions`),
  );
  assert.throws(() => new Matrix(8193), /1 to 8192 dimensions, not 8193/);
});

test('hits below minScore are left out', async (t) => {
  const index = open(t);
  index.upsert('near', attributes(), Float32Array.of(1, 0.1, 0));
  index.upsert('far', attributes(), Float32Array.of(0, 1, 0));
  const hits = await index.search(Float32Array.of(1, 0, 0), { owner: null, limit: 5, minScore: 0.5 });
  assert.deepEqual(
    hits.map((hit) => hit.id),
    ['near'],
  );
});

test('closing rejects the search under way and every later long one', async () => {
  const index = new VectorIndex({ model: 'm', dimensions: 2, clock: new TestClock(), ...IN_THREAD });
  index.upsert('e', attributes(), Float32Array.of(1, 0));
  const search = () => index.search(Float32Array.of(1, 0), { owner: null, limit: 1 });
  const underWay = search();
  await scanUnderWay();
  await Promise.all([assert.rejects(underWay, /closed/), index.close()]);
  await assert.rejects(search(), /the vector index is closed/);
});

test('clearing forgets every entry, and the index goes on', async (t) => {
  const index = open(t);
  for (let at = 0; at < 500; at++) index.upsert(`e${at}`, attributes(), Float32Array.of(1, at, 0));
  index.clear();
  assert.equal(index.stats().entries, 0);
  index.upsert('next', attributes(), Float32Array.of(0, 0, 1));
  const hits = await index.search(Float32Array.of(0, 0, 1), { owner: null, limit: 9 });
  assert.deepEqual(
    hits.map((hit) => hit.id),
    ['next'],
  );
});
