import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sortInSteps } from 'plugboard/sdk';

interface Item {
  readonly key: number;
  readonly at: number;
}

const byKey = (a: Item, b: Item): number => a.key - b.key;

test('sorting in steps is a stable sort that leaves the items as they are', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50), { maxLength: 1_000 }), (keys) => {
      const items = keys.map((key, at) => ({ key, at }));
      const before = [...items];
      const steps = sortInSteps(items, byKey);
      let step = steps.next();
      while (step.done !== true) step = steps.next();
      assert.deepEqual(step.value, items.toSorted(byKey));
      assert.deepEqual(items, before);
    }),
  );
});

test('no step compares more than some hundreds of times', () => {
  const items = Array.from({ length: 20_000 }, (_, at) => ({ key: (at * 7_919) % 20_011, at }));
  let compared = 0;
  let most = 0;
  const steps = sortInSteps(items, (a, b) => {
    compared += 1;
    return byKey(a, b);
  });
  for (let step = steps.next(); step.done !== true; step = steps.next()) {
    most = Math.max(most, compared);
    compared = 0;
  }
  assert.ok(most < 1_000, `${most} comparisons`);
});

test('where a comparison may be long, each is a step', () => {
  const items = Array.from({ length: 300 }, (_, at) => ({ key: (at * 7) % 311, at }));
  let compared = 0;
  let most = 0;
  const steps = sortInSteps(
    items,
    (a, b) => {
      compared += 1;
      return byKey(a, b);
    },
    true,
  );
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) {
    most = Math.max(most, compared);
    compared = 0;
  }
  assert.deepEqual(step.value, items.toSorted(byKey));
  // Whether two runs are in order already is seen with one more.
  assert.ok(most <= 2, `${most} comparisons`);
});
