/** Prometheus metrics: one registry per kernel, so that two kernels in one process do not mix. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Metrics } from '../sdk/services/metrics.js';
import { nextTurn, turnIsOver } from '../sdk/kit/turns.js';
import { Buckets } from './buckets.js';
import { headText, Metric, type MetricSettings, type Series } from './metric.js';
import { RequestDurations } from './request-durations.js';

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;
/** The prefix of the server's own metrics. */
const OF_PROCESS = /^(?:process|plugboard)_/;
/** `plugin` is on every metric, and `le` is the bound of a bucket. */
const LABELS_IN_USE = ['plugin', 'le'];

/** Seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class MetricsRegistry {
  readonly requests = new RequestDurations();
  readonly #loopDelay = monitorEventLoopDelay({ resolution: 20 });
  readonly #metrics = new Map<string, Metric<Series>>([[this.requests.settings.name, this.requests]]);
  #text: Promise<string> | undefined;

  constructor() {
    this.#loopDelay.enable();
  }

  /** Concurrent requests share the text: making it takes milliseconds. */
  text(): Promise<string> {
    return (this.#text ??= this.#makeText().finally(() => (this.#text = undefined)));
  }

  close(): void {
    this.#loopDelay.disable();
  }

  /** A plugin's own metrics carry its id in the label `plugin`. */
  forPlugin(plugin: string): Metrics {
    return {
      counter: (name, help, labelNames = []) => {
        const counter = this.#metric({ name, help, type: 'counter', labelNames, make: () => new Value() });
        return {
          add: (value, labels) => {
            if (!(value >= 0 && value < Infinity))
              throw new Error(`metric "${name}" cannot count up by ${value}`);
            counter.of(plugin, labels).now += value;
          },
        };
      },
      gauge: (name, help, labelNames = []) => {
        const gauge = this.#metric({ name, help, type: 'gauge', labelNames, make: () => new Value() });
        return { set: (value, labels) => void (gauge.of(plugin, labels).now = value) };
      },
      histogram: (name, help, { labels: labelNames = [], buckets = BUCKETS } = {}) => {
        const make = (): Buckets => new Buckets(buckets);
        const histogram = this.#metric({ name, help, type: 'histogram', labelNames, make });
        return { observe: (value, labels) => histogram.of(plugin, labels).observe(value) };
      },
    };
  }

  /** Two instances of one plugin share a metric and differ in its label. */
  #metric<S extends Series>(settings: MetricSettings<S>): Metric<S> {
    const { name, type } = settings;
    let metric = this.#metrics.get(name);
    if (metric === undefined) {
      assertNames(settings);
      this.#metrics.set(name, (metric = new Metric(settings)));
    }
    if (metric.settings.type !== type) throw new Error(`metric "${name}" is a ${metric.settings.type}`);
    return metric as Metric<S>;
  }

  async #makeText(): Promise<string> {
    await nextTurn();
    let text = this.#ofProcess();
    for (const metric of this.#metrics.values())
      for (const line of metric.text()) {
        text += line;
        if (turnIsOver()) await nextTurn();
      }
    return text;
  }

  #ofProcess(): string {
    const lag = this.#loopDelay.mean / 1e9;
    this.#loopDelay.reset();
    const rss = residentMemory();
    const gauges: (readonly [name: string, help: string, value: number])[] = [
      ['plugboard_event_loop_lag_seconds', 'Mean delay of the event loop since the last scrape', lag || 0],
      ...(rss === undefined ? [] : [['process_resident_memory_bytes', 'Resident memory', rss] as const]),
      ['process_heap_used_bytes', 'Heap in use', getHeapStatistics().used_heap_size],
      ['process_uptime_seconds', 'Seconds since the process started', process.uptime()],
    ];
    return gauges
      .map(([name, help, value]) => `${headText({ name, help, type: 'gauge' })}${name} ${value}\n`)
      .join('');
  }
}

/** Node reads it from a file and throws at the limit of open files. */
function residentMemory(): number | undefined {
  try {
    return process.memoryUsage.rss();
  } catch {
    return undefined;
  }
}

/** Prometheus rejects the whole page for one invalid name. */
function assertNames({ name, labelNames }: MetricSettings<unknown>): void {
  if (!METRIC_NAME.test(name) || OF_PROCESS.test(name))
    throw new Error(`"${name}" cannot be the name of a plugin's metric`);
  const wrong = labelNames.find((label) => !LABEL_NAME.test(label) || LABELS_IN_USE.includes(label));
  if (wrong !== undefined) throw new Error(`metric "${name}" cannot have a label "${wrong}"`);
}

/** The value of a counter or gauge. */
class Value implements Series {
  now = 0;

  samples(): ReturnType<Series['samples']> {
    return [['', {}, this.now]];
  }
}
