import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStrategy } from '../../../plugins/router/strategy.js';
import { Load } from '../../../plugins/router/upstream/load.js';

const target = (name: string, weight = 1, load: Partial<Load> = {}) => ({
  name,
  weight,
  load: Object.assign(new Load(), load),
});
const names = (targets: readonly { name: string }[]): string => targets.map(({ name }) => name).join('');
/** A repeatable source of numbers in [0, 1): mulberry32. */
const seeded = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
};

test('priority keeps the order of the config', () => {
  assert.equal(names(createStrategy('priority')([target('a'), target('b')])), 'ab');
});

test('round-robin begins with each in turn and keeps the rest as stand-ins', () => {
  const strategy = createStrategy('round-robin');
  const targets = [target('a'), target('b'), target('c')];
  assert.deepEqual(
    [1, 2, 3, 4].map(() => names(strategy(targets))),
    ['abc', 'bca', 'cab', 'abc'],
  );
});

test('weighted begins with each in proportion to its weight, and every target is there once', () => {
  const strategy = createStrategy('weighted', seeded(1));
  const targets = [target('a', 3), target('b', 1)];
  const orders = Array.from({ length: 4_000 }, () => names(strategy(targets)));
  const share = orders.filter((order) => order === 'ab').length / orders.length;
  assert.ok(Math.abs(share - 0.75) < 0.03, `${share}`);
  assert.deepEqual([...new Set(orders)].toSorted(), ['ab', 'ba']);
});

test('least-used goes by calls under way, then by calls so far', () => {
  const targets = [
    target('a', 1, { inFlight: 1 }),
    target('b', 1, { calls: 9 }),
    target('c', 1, { calls: 2 }),
  ];
  assert.equal(names(createStrategy('least-used')(targets)), 'cba');
});

test('p2c never begins with the busiest of three and holds every target once', () => {
  const strategy = createStrategy('p2c', seeded(2));
  const targets = [target('a', 1, { inFlight: 9, latency: 5 }), target('b', 1, { latency: 5 }), target('c')];
  for (let round = 0; round < 200; round += 1) {
    const order = names(strategy(targets));
    assert.notEqual(order[0], 'a');
    assert.equal([...order].toSorted().join(''), 'abc');
  }
});

test('p2c counts latency: slow and idle gives way to fast and a little busy', () => {
  const targets = [target('slow', 1, { latency: 100 }), target('fast', 1, { inFlight: 1, latency: 10 })];
  assert.equal(createStrategy('p2c')(targets)[0]?.name, 'fast');
});
