/** The histogram of request durations: each route keeps its own series. */
import type { Registry } from 'prom-client';
import { Histogram, type Series } from './histogram.js';

/** Upper bounds in seconds. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export interface RouteDurations {
  observe(method: string, status: number, seconds: number): void;
}

export class RequestDurations {
  readonly #histogram: Histogram;

  constructor(registry: Registry) {
    this.#histogram = new Histogram(registry, {
      name: 'plugboard_http_request_duration_seconds',
      help: 'Time from the arrival of a request to the end of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
    });
  }

  /** The durations of one route, whose series are made as methods and statuses occur. */
  route(plugin: string, path: string): RouteDurations {
    const known = new Map<string, Series>();
    return {
      observe: (method, status, seconds) => {
        const key = `${method}${status}`;
        let series = known.get(key);
        if (series === undefined) {
          series = this.#histogram.series(plugin, { method, route: path, status: String(status) });
          known.set(key, series);
        }
        series.observe(seconds);
      },
    };
  }
}
