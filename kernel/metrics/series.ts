/**
 * The series of a metric, found by the labels' values. prom-client checks and hashes the labels at every
 * observation, which costs as much as the routing of a small request.
 */
import type { Labels } from '../sdk/metrics.js';

/** The series with some values of the first labels, by the value of the next one. */
interface Branch<S> {
  readonly next: Map<string, Branch<S>>;
  series: S | undefined;
}

export class SeriesByLabels<S> {
  readonly #metric: string;
  readonly #names: readonly string[];
  readonly #make: (labels: Labels) => S;
  /** One step a label: to join the values and to hash the whole took 1 % of a call of the router. */
  readonly #root: Branch<S> = emptyBranch();
  readonly #all: S[] = [];

  /** `names`: of the labels, beside `plugin`, which every metric of a plugin has. */
  constructor(metric: string, names: readonly string[], make: (labels: Labels) => S) {
    this.#metric = metric;
    this.#names = names;
    this.#make = make;
  }

  /** Throws for a label that the metric does not have. */
  of(plugin: string, labels: Labels | undefined): S {
    let branch = step(this.#root, plugin);
    if (labels !== undefined) for (const name of this.#names) branch = step(branch, labels[name] ?? '');
    return (branch.series ??= this.#add(plugin, labels));
  }

  all(): readonly S[] {
    return this.#all;
  }

  #add(plugin: string, labels: Labels | undefined): S {
    const unknown = Object.keys(labels ?? {}).find((label) => !this.#names.includes(label));
    if (unknown !== undefined) throw new Error(`metric "${this.#metric}" has no label "${unknown}"`);
    const series = this.#make({ plugin, ...labels });
    this.#all.push(series);
    return series;
  }
}

function step<S>({ next }: Branch<S>, value: string): Branch<S> {
  let branch = next.get(value);
  if (branch === undefined) next.set(value, (branch = emptyBranch()));
  return branch;
}

function emptyBranch<S>(): Branch<S> {
  return { next: new Map(), series: undefined };
}
