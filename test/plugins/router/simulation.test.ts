/** The strategies over 10,000 calls in simulated time, with targets that fail, recover, slow down and come back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStrategy } from '../../../plugins/router/strategy.js';
import type { StrategyName } from '../../../plugins/router/schema.js';
import { Load } from '../../../plugins/router/upstream/load.js';
import { seeded } from './support/seeded.js';

interface Simulated {
  readonly name: string;
  readonly weight: number;
  readonly load: Load;
  /** At a moment: how long a call takes, in milliseconds, and whether it fails. */
  readonly behave: (now: number) => { readonly takes: number; readonly fails?: boolean };
}

interface Start {
  readonly at: number;
  readonly name: string;
}

const CALLS = 10_000;
/** Milliseconds between two calls: 20 a second, for 500 seconds. */
const EVERY = 50;

/** Which target each call was sent to first. A failed one is sent to the next. */
function simulate(strategy: StrategyName, targets: readonly Simulated[]): Start[] {
  const random = seeded(7);
  const order = createStrategy(strategy, random);
  const starts: Start[] = [];
  const ends: { at: number; run: () => void }[] = [];
  const runUntil = (now: number): void => {
    ends.sort((a, b) => a.at - b.at);
    while ((ends[0]?.at ?? Infinity) <= now) ends.shift()?.run();
  };
  const send = (now: number, [target, ...rest]: readonly Simulated[]): void => {
    if (target === undefined) return;
    target.load.begin(now);
    const { takes, fails = false } = target.behave(now);
    const spread = takes * (0.9 + random() * 0.2);
    const at = now + spread;
    ends.push({
      at,
      run: () => {
        target.load.end();
        if (!fails) return target.load.answered(spread, 'whole', at);
        target.load.failed(at);
        send(at, rest);
      },
    });
  };
  for (let call = 0; call < CALLS; call += 1) {
    const now = call * EVERY;
    runUntil(now);
    const ordered = order(targets, { now, mode: 'whole' });
    starts.push({ at: now, name: ordered[0]?.name ?? '' });
    send(now, ordered);
  }
  return starts;
}

const target = (name: string, behave: Simulated['behave'], weight = 1): Simulated => ({
  name,
  weight,
  load: new Load(),
  behave,
});
const steady = (takes: number) => (): { takes: number } => ({ takes });

function share(starts: readonly Start[], name: string, from = 0, to = Infinity): number {
  const some = starts.filter(({ at }) => at >= from && at < to);
  return some.filter((start) => start.name === name).length / some.length;
}

for (const strategy of ['round-robin', 'least-used', 'p2c', 'weighted'] as const) {
  test(`${strategy} gives equal targets equal shares, within 2 %`, () => {
    const starts = simulate(
      strategy,
      ['a', 'b', 'c', 'd'].map((name) => target(name, steady(100))),
    );
    for (const name of ['a', 'b', 'c', 'd'])
      assert.ok(Math.abs(share(starts, name) - 0.25) <= 0.02, `${name}: ${share(starts, name)}`);
  });
}

test('weighted gives each its weight, within 2 %', () => {
  const starts = simulate('weighted', [target('a', steady(100), 3), target('b', steady(100), 1)]);
  assert.ok(Math.abs(share(starts, 'a') - 0.75) <= 0.02, `${share(starts, 'a')}`);
});

for (const strategy of ['p2c', 'least-used'] as const) {
  test(`${strategy} avoids a target that fails at once, and gives it its share within a minute of its return`, () => {
    const back = 200_000;
    const flaky = target('flaky', (now) => (now < back ? { takes: 5, fails: true } : { takes: 100 }));
    const starts = simulate(strategy, [flaky, target('b', steady(100)), target('c', steady(100))]);
    const away = share(starts, 'flaky', 20_000, back);
    assert.ok(away < 0.1, `${away} of the calls go to a target that fails`);
    const returned = share(starts, 'flaky', back + 60_000);
    assert.ok(Math.abs(returned - 1 / 3) < 0.1, `${returned} after it is back`);
    for (let from = back; from < 490_000; from += 10_000) {
      const tenSeconds = share(starts, 'flaky', from, from + 10_000);
      assert.ok(tenSeconds <= 2 / 3, `${tenSeconds} at ${from - back} ms after it is back`);
    }
  });
}

test('p2c comes back to a target that was slow once', () => {
  const slow = target('slow', (now) => ({ takes: now < 60_000 ? 2_000 : 100 }));
  const starts = simulate('p2c', [slow, target('b', steady(100)), target('c', steady(100))]);
  assert.ok(
    share(starts, 'slow', 5_000, 60_000) < 0.1,
    `${share(starts, 'slow', 5_000, 60_000)} while it is slow`,
  );
  const later = share(starts, 'slow', 120_000);
  assert.ok(Math.abs(later - 1 / 3) < 0.1, `${later} afterwards`);
});

test('least-used does not flood a target that was away', () => {
  const [a, b] = [target('a', steady(10)), target('b', steady(10))];
  for (let call = 0; call < 1_000; call += 1) {
    a.load.begin(call - 1_000);
    a.load.end();
  }
  const starts = simulate('least-used', [a, b]).slice(0, 100);
  assert.ok(Math.abs(share(starts, 'b') - 0.5) <= 0.05, `${share(starts, 'b')}`);
});
