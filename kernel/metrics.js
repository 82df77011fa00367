/** Prometheus metrics: one registry per kernel, so that two kernels in one process do not mix. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as prometheus from 'prom-client';
import { RequestDurations } from './http/request-durations.js';
import { SCOPED } from './sdk/token.js';
export class MetricsRegistry {
    registry = new prometheus.Registry();
    #loopDelay = monitorEventLoopDelay({ resolution: 20 });
    requests;
    constructor() {
        this.requests = new RequestDurations(this.registry);
        this.#loopDelay.enable();
        this.#gauge('plugboard_event_loop_lag_seconds', 'Mean delay of the event loop since the last scrape', () => {
            const seconds = this.#loopDelay.mean / 1e9;
            this.#loopDelay.reset();
            return Number.isFinite(seconds) ? seconds : 0;
        });
        this.#gauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss());
        this.#gauge('process_heap_used_bytes', 'Heap in use', () => process.memoryUsage().heapUsed);
        this.#gauge('process_uptime_seconds', 'Seconds since the process started', () => process.uptime());
    }
    /** Mean lag of the event loop, in milliseconds. */
    loopLag() {
        return this.#loopDelay.mean / 1e6;
    }
    text() {
        return this.registry.metrics();
    }
    close() {
        this.#loopDelay.disable();
        this.registry.clear();
    }
    /** A plugin's own metrics carry its id in the label `plugin`. */
    [SCOPED](plugin) {
        const registers = [this.registry];
        const named = (name, help, labels = []) => ({
            name,
            help,
            labelNames: ['plugin', ...labels],
            registers,
        });
        const own = (labels) => ({ plugin, ...labels });
        return {
            counter: (name, help, labels) => {
                const counter = this.#existing(name) ?? new prometheus.Counter(named(name, help, labels));
                return { add: (value, at) => counter.inc(own(at), value) };
            },
            gauge: (name, help, labels) => {
                const gauge = this.#existing(name) ?? new prometheus.Gauge(named(name, help, labels));
                return { set: (value, at) => gauge.set(own(at), value) };
            },
            histogram: (name, help, { labels, buckets } = {}) => {
                const histogram = this.#existing(name) ??
                    new prometheus.Histogram({
                        ...named(name, help, labels),
                        ...(buckets && { buckets: [...buckets] }),
                    });
                return { observe: (value, at) => histogram.observe(own(at), value) };
            },
        };
    }
    /** Two instances of one plugin share a metric and differ in its label. */
    #existing(name) {
        return this.registry.getSingleMetric(name);
    }
    #gauge(name, help, read) {
        new prometheus.Gauge({
            name,
            help,
            registers: [this.registry],
            collect() {
                this.set(read());
            },
        });
    }
}
//# sourceMappingURL=metrics.js.map