/**
 * The histogram of request durations. prom-client's own hashes the labels at every observation, which costs as
 * much as the routing of a small request; here each route keeps its own series.
 */
import type { Registry } from 'prom-client';

const NAME = 'plugboard_http_request_duration_seconds';
const HELP = 'Time from the arrival of a request to the end of its answer';
/** Upper bounds in seconds. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export interface RouteDurations {
  observe(method: string, status: number, seconds: number): void;
}

interface Series {
  readonly labels: { plugin: string; route: string; method: string; status: string };
  /** Observations per bucket, not cumulated; the last holds those over every bound. */
  readonly counts: Float64Array;
  sum: number;
}

export class RequestDurations {
  readonly #series: Series[] = [];

  constructor(registry: Registry) {
    registry.registerMetric({
      name: NAME,
      get: () =>
        Promise.resolve({
          name: NAME,
          help: HELP,
          type: 'histogram',
          aggregator: 'sum',
          values: this.#values(),
        }),
    } as never);
  }

  /** The durations of one route, whose series are made as methods and statuses occur. */
  route(plugin: string, path: string): RouteDurations {
    const known = new Map<string, Series>();
    return {
      observe: (method, status, seconds) => {
        const key = `${method}${status}`;
        let series = known.get(key);
        if (series === undefined) {
          const labels = { plugin, method, route: path, status: String(status) };
          series = { labels, counts: new Float64Array(BUCKETS.length + 1), sum: 0 };
          known.set(key, series);
          this.#series.push(series);
        }
        let bucket = 0;
        while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] ?? 0)) bucket += 1;
        series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
        series.sum += seconds;
      },
    };
  }

  #values(): { metricName: string; labels: object; value: number }[] {
    return this.#series.flatMap(({ labels, counts, sum }) => {
      let total = 0;
      const buckets = Array.from(counts, (count, at) => {
        total += count;
        return {
          metricName: `${NAME}_bucket`,
          labels: { ...labels, le: String(BUCKETS[at] ?? '+Inf') },
          value: total,
        };
      });
      return [
        ...buckets,
        { metricName: `${NAME}_sum`, labels, value: sum },
        { metricName: `${NAME}_count`, labels, value: total },
      ];
    });
  }
}
