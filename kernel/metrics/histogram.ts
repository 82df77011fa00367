/** A histogram that finds its series by the labels' values. */
import type { Registry } from 'prom-client';
import type { Labels } from '../sdk/metrics.js';
import { SeriesByLabels } from './series.js';

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
  readonly #series: SeriesByLabels<Series>;

  constructor(registry: Registry, settings: HistogramSettings) {
    this.#settings = settings;
    const { name, help, labelNames, buckets } = settings;
    this.#series = new SeriesByLabels(name, labelNames, (labels) => new Series(buckets, labels));
    const get = (): Promise<object> =>
      Promise.resolve({ name, help, type: 'histogram', aggregator: 'sum', values: this.#values() });
    registry.registerMetric({ name, get } as never);
  }

  /** Throws for a label that the histogram does not have. */
  series(plugin: string, labels: Labels | undefined): Series {
    return this.#series.of(plugin, labels);
  }

  #values(): Value[] {
    return this.#series.all().flatMap((series) => series.values(this.#settings.name));
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
