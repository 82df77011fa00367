/** The histogram of request durations: each route keeps its own series. */
import { Buckets } from './buckets.js';
import { Metric } from './metric.js';

/** Upper bounds in seconds. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export interface RouteDurations {
  observe(method: string, status: number, seconds: number): void;
}

export class RequestDurations extends Metric<Buckets> {
  constructor() {
    super({
      name: 'plugboard_http_request_duration_seconds',
      help: 'Time from the arrival of a request to the end of its answer',
      type: 'histogram',
      labelNames: ['method', 'route', 'status'],
      make: () => new Buckets(BUCKETS),
    });
  }

  /** The durations of one route, whose series are made as methods and statuses occur. */
  route(plugin: string, path: string): RouteDurations {
    const methods = new Map<string, Map<number, Buckets>>();
    return {
      observe: (method, status, seconds) => {
        let known = methods.get(method);
        if (known === undefined) methods.set(method, (known = new Map()));
        let series = known.get(status);
        if (series === undefined) {
          series = this.of(plugin, { method, route: path, status: String(status) });
          known.set(status, series);
        }
        series.observe(seconds);
      },
    };
  }
}
