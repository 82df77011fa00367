/** The order in which a route's targets are tried: the strategy's choice first, then the fallbacks. */
import type { StrategyName } from './schema.js';
import type { Load, Mode } from './upstream/load.js';

export interface Weighed {
  readonly weight: number;
  readonly load: Load;
}

export interface Moment {
  /** Milliseconds, on any clock that only goes forward. */
  readonly now: number;
  readonly mode: Mode;
}

/** Orders the targets for the next call. */
export type Strategy = <T extends Weighed>(targets: readonly T[], moment: Moment) => T[];

/** `random` answers numbers in [0, 1). */
export function createStrategy(name: StrategyName, random: () => number = Math.random): Strategy {
  switch (name) {
    case 'priority':
      return (targets) => [...targets];
    case 'weighted':
      return (targets) => shuffleByWeight(targets, random);
    case 'round-robin':
      return roundRobin();
    case 'least-used':
      return leastUsed;
    case 'p2c':
      return (targets, moment) => powerOfTwoChoices(targets, moment, random);
  }
}

/** Draws without replacement, each in proportion to its weight. */
function shuffleByWeight<T extends Weighed>(targets: readonly T[], random: () => number): T[] {
  const rest = [...targets];
  const order: T[] = [];
  while (rest.length > 0) {
    let left = random() * rest.reduce((sum, { weight }) => sum + weight, 0);
    const drawn = rest.findIndex(({ weight }) => (left -= weight) < 0);
    // Rounding may leave a remainder after the last one.
    order.push(...rest.splice(drawn === -1 ? rest.length - 1 : drawn, 1));
  }
  return order;
}

function roundRobin(): Strategy {
  let turn = 0;
  return (targets) => {
    const first = turn % targets.length;
    turn = first + 1;
    return [...targets.slice(first), ...targets.slice(0, first)];
  };
}

/**
 * The fewest calls in flight, then the least recently used. Not the fewest calls so far: a target that was away for an
 * hour would get every call until it had caught up.
 */
function leastUsed<T extends Weighed>(targets: readonly T[], { now }: Moment): T[] {
  const burden = ({ load }: T): number => (load.inFlight + 1) / reliability(load, now);
  // Recent failure rates are compared in thirds, or no two would ever be equal.
  const step = (target: T): number => Math.round(burden(target) * 3);
  return targets.toSorted((a, b) => step(a) - step(b) || a.load.begunAt - b.load.begunAt);
}

/** Costs that differ by less are equal: measured latencies always differ a little. */
const ALIKE = 0.8;

/**
 * The better of two random targets (Mitzenmacher, "The power of two choices", 2001): nearly as even as always taking
 * the best, without a herd on one.
 */
function powerOfTwoChoices<T extends Weighed>(
  targets: readonly T[],
  { now, mode }: Moment,
  random: () => number,
): T[] {
  const [a, b, ...rest] = shuffleByWeight(targets, random);
  if (a === undefined || b === undefined) return [...targets];
  const known = targets.flatMap(({ load }) => load.latency(mode) ?? []);
  const best = known.length === 0 ? 1 : Math.min(...known);
  // The expected wait: queued calls and this one, times the latency, times the expected number of tries.
  const cost = ({ load }: T): number =>
    ((load.inFlight + 1) * load.expected(mode, best, now)) / reliability(load, now);
  const pair = cost(b) < cost(a) * ALIKE ? [b, a] : [a, b];
  return [...pair, ...rest.toSorted((one, other) => cost(one) - cost(other))];
}

/** The share of calls that succeed, at least a hundredth. */
function reliability(load: Load, now: number): number {
  return Math.max(0.01, 1 - load.failureRate(now));
}
