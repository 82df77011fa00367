import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStrategy } from '../../../plugins/router/strategy.js';
import { Load } from '../../../plugins/router/upstream/load.js';
import { seeded } from './support/seeded.js';

const MOMENT = { now: 0, mode: 'whole' } as const;

interface Given {
  readonly inFlight?: number;
  readonly calls?: number;
  readonly begunAt?: number;
  readonly latency?: number;
}

const target = (name: string, weight = 1, { latency, ...given }: Given = {}) => {
  const load = Object.assign(new Load(), given);
  if (latency !== undefined) load.answered(latency, 'whole', 0);
  return { name, weight, load };
};
const names = (targets: readonly { name: string }[]): string => targets.map(({ name }) => name).join('');
test('priority keeps the order of the config', () => {
  assert.equal(names(createStrategy('priority')([target('a'), target('b')], MOMENT)), 'ab');
});

test('round-robin begins with each in turn and keeps the rest as stand-ins', () => {
  const strategy = createStrategy('round-robin');
  const targets = [target('a'), target('b'), target('c')];
  assert.deepEqual(
    [1, 2, 3, 4].map(() => names(strategy(targets, MOMENT))),
    ['abc', 'bca', 'cab', 'abc'],
  );
});

test('weighted begins with each in proportion to its weight, and every target is there once', () => {
  const strategy = createStrategy('weighted', seeded(1));
  const targets = [target('a', 3), target('b', 1)];
  const orders = Array.from({ length: 4_000 }, () => names(strategy(targets, MOMENT)));
  const share = orders.filter((order) => order === 'ab').length / orders.length;
  assert.ok(Math.abs(share - 0.75) < 0.03, `${share}`);
  assert.deepEqual([...new Set(orders)].toSorted(), ['ab', 'ba']);
});

test('least-used goes by calls under way, then by whose last call is longest ago', () => {
  const targets = [
    target('a', 1, { inFlight: 1 }),
    target('b', 1, { begunAt: 9 }),
    target('c', 1, { begunAt: 2 }),
  ];
  assert.equal(names(createStrategy('least-used')(targets, MOMENT)), 'cba');
});

test('p2c never begins with the busiest of three and holds every target once', () => {
  const strategy = createStrategy('p2c', seeded(2));
  const targets = [target('a', 1, { inFlight: 9, latency: 5 }), target('b', 1, { latency: 5 }), target('c')];
  for (let round = 0; round < 200; round += 1) {
    const order = names(strategy(targets, MOMENT));
    assert.notEqual(order[0], 'a');
    assert.equal([...order].toSorted().join(''), 'abc');
  }
});

test('p2c counts latency: slow and idle gives way to fast and a little busy', () => {
  const targets = [target('slow', 1, { latency: 100 }), target('fast', 1, { inFlight: 1, latency: 10 })];
  assert.equal(createStrategy('p2c')(targets, MOMENT)[0]?.name, 'fast');
});
