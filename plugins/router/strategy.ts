/** In which order the targets of a route are tried. The first is the one that the strategy chose; the rest are its stand-ins. */
import type { StrategyName } from './schema.js';
import type { Load } from './upstream/load.js';

export interface Weighed {
  readonly weight: number;
  readonly load: Load;
}

/** Orders the targets for the next call. `random` answers numbers in [0, 1). */
export type Strategy = <T extends Weighed>(targets: readonly T[]) => T[];

export function createStrategy(name: StrategyName, random: () => number = Math.random): Strategy {
  switch (name) {
    case 'priority':
      return (targets) => [...targets];
    case 'weighted':
      return (targets) => shuffleByWeight(targets, random);
    case 'round-robin':
      return roundRobin();
    case 'least-used':
      return (targets) => targets.toSorted((a, b) => leastUsed(a.load, b.load));
    case 'p2c':
      return (targets) => powerOfTwoChoices(targets, random);
  }
}

/** Draws without replacement, each in proportion to its weight. */
function shuffleByWeight<T extends Weighed>(targets: readonly T[], random: () => number): T[] {
  const rest = [...targets];
  const order: T[] = [];
  while (rest.length > 0) {
    let left = random() * rest.reduce((sum, { weight }) => sum + weight, 0);
    const drawn = rest.findIndex(({ weight }) => (left -= weight) < 0);
    // Rounding may leave a crumb behind the last one.
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

function leastUsed(a: Load, b: Load): number {
  return a.inFlight - b.inFlight || a.calls - b.calls;
}

/**
 * The better of two that are drawn at random (Mitzenmacher, "The power of two choices", 2001): nearly as even as
 * always taking the best, without everyone running to the same one.
 */
function powerOfTwoChoices<T extends Weighed>(targets: readonly T[], random: () => number): T[] {
  const [a, b, ...rest] = shuffleByWeight(targets, random);
  if (a === undefined || b === undefined) return [...targets];
  const pair = cost(b.load) < cost(a.load) ? [b, a] : [a, b];
  return [...pair, ...rest.toSorted((one, other) => cost(one.load) - cost(other.load))];
}

/** Expected wait: those before us and ourselves, times the latency; an unknown one counts as fast, so that it is tried. */
function cost({ inFlight, latency }: Load): number {
  return (inFlight + 1) * (latency ?? 1);
}
