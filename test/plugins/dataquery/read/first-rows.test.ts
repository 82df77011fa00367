/** The first items of an order, of which the others are never sorted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Budget, firstPaced } from '../../../../plugins/dataquery/engine/base/budget.js';

const endless = { rows: Infinity, characters: Infinity, milliseconds: Infinity, writtenRows: Infinity };

test('the first of many items are those of the whole order, equal ones as they came', async () => {
  const budget = new Budget({ ...endless, writtenCharacters: Infinity });
  const keys = fc.array(fc.nat(40), { minLength: 1_000, maxLength: 3_000, size: 'max' });
  await fc.assert(
    fc.asyncProperty(keys, fc.nat(600), async (list, most) => {
      const items = list.map((key, at) => ({ key, at }));
      const compare = (a: { key: number }, b: { key: number }): number => a.key - b.key;
      const first = await firstPaced(budget, items, compare, false, most);
      assert.deepEqual(first, items.toSorted(compare).slice(0, most));
    }),
    { numRuns: 30 },
  );
});
