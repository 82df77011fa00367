/**
 * A histogram that finds its series by the labels' values. prom-client's own checks and hashes the labels at every
 * observation, which costs as much as the routing of a small request.
 */
import type { Registry } from 'prom-client';
import type { Labels } from '../sdk/metrics.js';

export interface HistogramSettings {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[];
}

interface Value {
  readonly metricName: string;
  readonly labels: object;
  readonly value: number;
}

export class Histogram {
  readonly #settings: HistogramSettings;
  readonly #series = new Map<string, Series>();

  constructor(registry: Registry, settings: HistogramSettings) {
    this.#settings = settings;
    const { name, help } = settings;
    const get = (): Promise<object> =>
      Promise.resolve({ name, help, type: 'histogram', aggregator: 'sum', values: this.#values() });
    registry.registerMetric({ name, get } as never);
  }

  observe(value: number, labels: Labels): void {
    this.series(labels).observe(value);
  }

  /** Throws for a label that the histogram does not have. */
  series(labels: Labels): Series {
    const { labelNames, buckets, name } = this.#settings;
    let key = '';
    for (const label of labelNames) key += `${labels[label] ?? ''}\n`;
    let series = this.#series.get(key);
    if (series === undefined) {
      const unknown = Object.keys(labels).find((label) => !labelNames.includes(label));
      if (unknown !== undefined) throw new Error(`metric "${name}" has no label "${unknown}"`);
      series = new Series(buckets, labels);
      this.#series.set(key, series);
    }
    return series;
  }

  #values(): Value[] {
    return [...this.#series.values()].flatMap((series) => series.values(this.#settings.name));
  }
}

export class Series {
  readonly #bounds: readonly number[];
  readonly #labels: Labels;
  /** Observations per bucket, not cumulated; the last holds those over every bound. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: readonly number[], labels: Labels) {
    this.#bounds = bounds;
    this.#labels = labels;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] ?? 0)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
  }

  values(name: string): Value[] {
    let total = 0;
    const buckets = Array.from(this.#counts, (count, at) => {
      total += count;
      const le = String(this.#bounds[at] ?? '+Inf');
      return { metricName: `${name}_bucket`, labels: { ...this.#labels, le }, value: total };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: this.#labels, value: this.#sum },
      { metricName: `${name}_count`, labels: this.#labels, value: total },
    ];
  }
}
