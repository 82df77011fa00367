/**
 * The series of a metric, found by the labels' values. prom-client checks and hashes the labels at every
 * observation, which costs as much as the routing of a small request.
 */
import type { Labels } from '../sdk/metrics.js';

export class SeriesByLabels<S> {
  readonly #metric: string;
  readonly #names: readonly string[];
  readonly #make: (labels: Labels) => S;
  readonly #series = new Map<string, S>();

  /** `names`: of the labels, beside `plugin`, which every metric of a plugin has. */
  constructor(metric: string, names: readonly string[], make: (labels: Labels) => S) {
    this.#metric = metric;
    this.#names = names;
    this.#make = make;
  }

  /** Throws for a label that the metric does not have. */
  of(plugin: string, labels: Labels | undefined): S {
    let key = plugin;
    if (labels !== undefined) for (const name of this.#names) key += `\n${labels[name] ?? ''}`;
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const unknown = Object.keys(labels ?? {}).find((label) => !this.#names.includes(label));
    if (unknown !== undefined) throw new Error(`metric "${this.#metric}" has no label "${unknown}"`);
    const series = this.#make({ plugin, ...labels });
    this.#series.set(key, series);
    return series;
  }

  all(): Iterable<S> {
    return this.#series.values();
  }
}
