/** Prometheus metrics: one registry per kernel, so that two kernels in one process do not mix. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as prometheus from 'prom-client';
import { Counter } from './counter.js';
import { Histogram } from './histogram.js';
import { RequestDurations } from './request-durations.js';
import type { Labels, Metrics } from '../sdk/metrics.js';
import { SharedReads } from '../sdk/shared-reads.js';

/** Seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class MetricsRegistry {
  readonly registry = new prometheus.Registry();
  readonly #loopDelay = monitorEventLoopDelay({ resolution: 20 });
  readonly #counters = new Map<string, Counter>();
  readonly #gauges = new Map<string, prometheus.Gauge>();
  readonly #histograms = new Map<string, Histogram>();
  readonly requests: RequestDurations;
  /** Whoever asks at the same time gets the same text: making it takes milliseconds. */
  readonly #texts = new SharedReads<'all', string>(
    async () => new Map([['all', await this.registry.metrics()]]),
  );

  constructor() {
    this.requests = new RequestDurations(this.registry);
    this.#loopDelay.enable();
    this.#gauge(
      'plugboard_event_loop_lag_seconds',
      'Mean delay of the event loop since the last scrape',
      () => {
        const seconds = this.#loopDelay.mean / 1e9;
        this.#loopDelay.reset();
        return Number.isFinite(seconds) ? seconds : 0;
      },
    );
    this.#gauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss());
    this.#gauge('process_heap_used_bytes', 'Heap in use', () => process.memoryUsage().heapUsed);
    this.#gauge('process_uptime_seconds', 'Seconds since the process started', () => process.uptime());
  }

  async text(): Promise<string> {
    return (await this.#texts.get('all')) ?? '';
  }

  close(): void {
    this.#loopDelay.disable();
    this.registry.clear();
  }

  /** A plugin's own metrics carry its id in the label `plugin`. */
  forPlugin(plugin: string): Metrics {
    const own = (labels?: Labels): Record<string, string> => ({ plugin, ...labels });
    return {
      counter: (name, help, labels = []) => {
        const counter = kept(this.#counters, name, () => new Counter(this.registry, name, help, labels));
        return { add: (value, at) => counter.add(value, plugin, at) };
      },
      gauge: (name, help, labels = []) => {
        const settings = { name, help, labelNames: ['plugin', ...labels], registers: [this.registry] };
        const gauge = kept(this.#gauges, name, () => new prometheus.Gauge(settings));
        return { set: (value, at) => gauge.set(own(at), value) };
      },
      histogram: (name, help, { labels = [], buckets = BUCKETS } = {}) => {
        const settings = { name, help, labelNames: labels, buckets };
        const histogram = kept(this.#histograms, name, () => new Histogram(this.registry, settings));
        return { observe: (value, at) => histogram.series(plugin, at).observe(value) };
      },
    };
  }

  #gauge(name: string, help: string, read: () => number): void {
    const gauge: prometheus.Gauge = new prometheus.Gauge({
      name,
      help,
      registers: [this.registry],
      collect: () => gauge.set(read()),
    });
  }
}

/** Two instances of one plugin share a metric and differ in its label. */
function kept<M>(metrics: Map<string, M>, name: string, make: () => M): M {
  let metric = metrics.get(name);
  if (metric === undefined) metrics.set(name, (metric = make()));
  return metric;
}
