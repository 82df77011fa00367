/** Metrics of a plugin, shown on `/-/metrics` with the label `plugin`. Names follow Prometheus's conventions. */
export interface Metrics {
  counter(name: string, help: string, labels?: readonly string[]): Counter;
  gauge(name: string, help: string, labels?: readonly string[]): Gauge;
  /** `buckets` in the unit of the observed value; seconds for durations. */
  histogram(
    name: string,
    help: string,
    options?: { labels?: readonly string[]; buckets?: readonly number[] },
  ): Histogram;
}

export type Labels = Readonly<Record<string, string>>;

export interface Counter {
  add(value: number, labels?: Labels): void;
}
export interface Gauge {
  set(value: number, labels?: Labels): void;
}
export interface Histogram {
  observe(value: number, labels?: Labels): void;
}
